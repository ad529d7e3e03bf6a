"""``grape templates``."""

from __future__ import annotations

from xml.etree import ElementTree

from grape_gnn.template import Template, save_templates
from grape_gnn.template.sets import SETS
from grape_gnn.template.zoo import ZOO


def test_all_named_templates_and_sets_are_listed(grape):
    words = grape.output("templates")
    for entry in ZOO:
        assert entry.name in words
    for name, members in SETS.items():
        assert f"{name}: {', '.join(members)}" in words
    assert "●0─1a─2a─●0─3b" in words


def test_a_set_is_a_shorter_list(grape):
    words = grape.output("templates", "social")
    assert "tailed-triangle" in words
    assert "house" not in words
    assert "ecommerce" not in words


def test_one_template_is_shown_in_detail(grape):
    words = grape.output("templates", "S6")
    assert words.startswith("tailed-triangle (S6)\na triangle with a tail at the ego")
    assert "role 0: node 0, the anchor\n" in words
    assert "role 1: nodes 1, 2\n" in words
    assert "automorphisms  2 that fix the anchor" in words


def test_json(grape):
    data = grape.json("templates", "triangle", "0>1")
    first, second = data["templates"]
    assert first["number"] == "S3"
    assert first["roles"] == [[0], [1, 2]]
    assert first["automorphisms"] == 2
    assert second["name"] is None
    assert second["description"] is None
    assert second["directed"] is True
    assert data["sets"]["social"] == ["S1", "S2", "S3", "S5", "S6"]


def test_a_name_borrowed_from_the_zoo_brings_no_wrong_words(grape, tmp_path):
    save_templates([Template("0-1 1-2", name="triangle")], tmp_path / "mine.json")
    (found,) = grape.json("templates", tmp_path / "mine.json")["templates"]
    assert (found["name"], found["number"], found["description"]) == ("triangle", None, None)


def test_drawing_a_sheet(grape, tmp_path):
    path = tmp_path / "social.svg"
    assert f"drawn: {path}" in grape.output("templates", "social", "--svg", path)
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    nowhere = tmp_path / "no" / "sheet.svg"
    assert "does not exist" in grape.error("templates", "social", "--svg", nowhere)


def test_unknown_names(grape):
    assert "did you mean 'triangle'" in grape.error("templates", "tringle")
    assert "error: " in grape.error("templates", "0-1 2-3")
