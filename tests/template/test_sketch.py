"""The one-line drawing shows every edge once, in few trails."""

from __future__ import annotations

import re

import pytest

from grape_gnn.template import Template, all_templates
from grape_gnn.template.palette import role_colour
from grape_gnn.template.sketch import coloured
from grape_gnn.template.zoo import template


def edges_shown(sketch: str) -> list[tuple[int, int, str]]:
    shown = []
    for trail in sketch.split(" "):
        parts = re.split(r"([─→←↔])", trail)
        nodes = [int(re.search(r"\d", part)[0]) for part in parts[::2]]
        shown += zip(nodes, nodes[1:], parts[1::2], strict=False)
    return shown


@pytest.mark.parametrize(("size", "directed"), [(2, 0), (3, 0), (4, 0), (5, 0), (3, 1), (4, 1)])
def test_every_edge_once(size: int, directed: int) -> None:
    for one in all_templates(size, bool(directed)):
        arcs = []
        for a, b, sign in edges_shown(one.sketch()):
            if sign == "─":
                arcs.append((min(a, b), max(a, b)))
            else:
                arcs += [(a, b)] * (sign in "→↔") + [(b, a)] * (sign in "←↔")
        assert sorted(arcs) == list(one.edges)


def test_as_few_trails_as_odd_nodes_allow() -> None:
    for one in all_templates(5):
        degrees = one.adjacency().sum(axis=1)
        assert len(one.sketch().split(" ")) == max(1, (degrees % 2).sum() // 2)


def test_letters_are_roles() -> None:
    assert template("house").sketch().count("a") >= 2
    assert template("3-star").sketch() == "1a─●0─2a"
    assert template("8-path").sketch() == "●0─1a─2b─3c─4d─5e─6f─7g"
    assert len(template("8-clique").sketch().split()) == 4


def test_labels_cannot_control_the_terminal() -> None:
    assert Template([(0, 1)], labels={1: "a\x1b[31m\n"}).sketch() == "●0─1a(a?[31m?)"


def test_coloured_line_has_the_colours_of_the_roles() -> None:
    line = coloured(template("tailed-triangle"))
    assert line.plain == template("tailed-triangle").sketch()
    styles = {line.plain[span.start : span.end]: str(span.style) for span in line.spans}
    assert styles == {
        "●0": f"bold {role_colour(0)}",
        "1a": f"bold {role_colour(1)}",
        "2a": f"bold {role_colour(1)}",
        "3b": f"bold {role_colour(2)}",
    }


def test_ascii_and_legend() -> None:
    assert Template("0<>1 1>2").sketch(ascii_only=True) == "*0=1a>2b"
    assert Template("0-1 0-2").sketch(legend=True).splitlines()[1:] == [
        "  ● role 0: node 0, the anchor",
        "  a role 1: nodes 1, 2",
    ]


def test_types_of_edges() -> None:
    assert Template("0-1=double 1-2").sketch() == "●0─double─1a─2b"
    assert Template("0>1=a 1<>2").sketch() == "●0→(a)1a↔2b"
    assert Template("0>1=a 0<1=b").sketch() == "●0↔(a|b)1a"
    assert "\n" not in Template([(0, 1)], edge_types={(0, 1): "a\nb"}).sketch()
