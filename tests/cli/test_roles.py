"""``grape roles``."""

from __future__ import annotations

import html
import re
import shlex
from pathlib import Path
from typing import Any


def test_members_of_each_role_with_counts(grape, friends):
    words = grape.output("roles", friends, "--template", "3-path", "--node", "ann")
    assert "3-path around ann  ●0─1a─2b\n" in words
    assert "role 0, the ego\n  ann\n" in words
    assert "role 1  2 nodes\n  cat 2, bob 1\n" in words
    assert "role 2  3 nodes\n  bob 1, cat 1, dan 1\n" in words


def test_json(grape, friends):
    data = grape.json("roles", friends, "-t", "triangle", "-n", "ann")
    assert data["template"] == {"name": "triangle", "text": "0-1 0-2 1-2"}
    assert (data["node"], data["induced"]) == ("ann", False)
    assert data["roles"][1] == {
        "role": 1,
        "template_nodes": [1, 2],
        "members": [{"node": "bob", "count": 1}, {"node": "cat", "count": 1}],
    }


def test_long_lists_are_cut_on_the_screen_only(grape, tmp_path):
    star = tmp_path / "star.csv"
    star.write_text("".join(f"hub,leaf{k}\n" for k in range(30)))
    asked = ("roles", star, "-t", "edge", "-n", "hub")
    assert ", and 10 more" in grape.output(*asked)
    assert ", and 28 more" in grape.output(*asked, "--limit", 2)
    assert "more" not in grape.output(*asked, "--limit", 0)
    assert len(grape.json(*asked, "--limit", 2)["roles"][1]["members"]) == 30


def test_induced_is_an_option(grape, friends):
    ends = grape.json("roles", friends, "-t", "3-path", "-n", "ann", "--induced")["roles"][2]
    assert [member["node"] for member in ends["members"]] == ["dan"]


def test_a_node_without_instances(grape, friends):
    words = grape.output("roles", friends, "-t", "triangle", "-n", "dan")
    assert "role 1  0 nodes\n  nobody\n" in words


def test_integer_names_may_be_typed(grape, tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("0,1\n1,2\n")
    assert grape.json("roles", path, "-t", "edge", "-n", "1")["node"] == 1


def test_unknown_node_and_template_and_direction(grape, friends):
    assert "'eve'" in grape.error("roles", friends, "-t", "triangle", "-n", "eve")
    assert "'blob'" in grape.error("roles", friends, "-t", "blob", "-n", "ann")
    assert "is directed but the graph is undirected" in grape.error(
        "roles", friends, "-t", "0>1", "-n", "ann"
    )


def test_names_are_not_taken_for_markup(grape, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("[red]a,[/]b\n")
    assert "[/]b 1" in grape.output("roles", path, "-t", "edge", "-n", "[red]a")


def test_pictures(grape, friends, tmp_path):
    page, figure = tmp_path / "ann.html", tmp_path / "ann.svg"
    words = grape.output("roles", friends, "-t", "triangle", "-n", "ann", "--svg", figure)
    assert words.endswith(f"written: {figure}\n")
    assert ">triangle around ann</text>" in figure.read_text()
    data = grape.json("roles", friends, "-t", "social", "-n", "ann", "--html", page)
    shown = grape.output("roles", friends, "-t", "social", "-n", "ann", "--html", page)
    assert "edge around ann" in shown
    assert "tailed-triangle around ann" in shown
    assert data["written"] == [str(page)]
    assert "<title>Roles in friends</title>" in page.read_text()
    assert page.read_text().count("<svg class='ego'") == 3  # of five templates, two do not occur


def test_the_page_names_the_graph_as_it_was_read(grape, tmp_path, monkeypatch):
    """Its examples run as they stand: with the direction and the columns, without features."""
    monkeypatch.chdir(tmp_path)
    Path("my arcs.csv").write_text("when,tail,head\n1,ann,bob\n2,bob,cat d\n3,ann,cat d\n")
    reading = ("--directed", "--source", "tail", "--target", "head")
    asked = ("roles", "my arcs.csv", "-t", "feed-forward-middle,from-to", "-n", "bob", *reading)
    grape.output(*asked, "--html", "page.html")
    blocks = re.findall("<pre><code>(.*?)</code>", Path("page.html").read_text(), re.DOTALL)
    code, commands = (html.unescape(re.sub("<[^>]*>", "", block)) for block in blocks)
    values: dict[str, Any] = {}
    exec(code, values)
    assert values["roles"][0][1].members("bob") == {"ann": 1}
    match, roles = (shlex.split(line)[1:] for line in commands.splitlines())
    grape.output(*match)
    assert "bob,feed-forward-middle,1,ann,1\n" in Path("roles.csv").read_text()
    assert "ann 1" in grape.output(*roles)


def test_pictures_fail_before_the_work(grape, friends, tmp_path):
    nowhere = tmp_path / "no" / "ann.svg"
    asked = ("roles", friends, "-n", "ann")
    assert "does not exist" in grape.error(*asked, "-t", "triangle", "--svg", nowhere)
    for option, ending in (("--svg", ".svg"), ("--html", ".html or .htm")):
        words = grape.error(*asked, "-t", "triangle", option, tmp_path / "ann.png")
        assert words.endswith(f"ann.png: the file name must end in {ending}")
    several = grape.error(*asked, "-t", "social", "--svg", tmp_path / "ann.svg")
    assert "'social'" in several
    assert "Traceback" not in several
