"""Drawings: well-formed, one colour per role, the anchor told apart by its ring."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from grape_gnn.template import Template, sheet
from grape_gnn.template.draw import svg
from grape_gnn.template.palette import role_colour
from grape_gnn.template.zoo import ZOO, template, templates

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [entry.template for entry in ZOO] + [template("8-path"), template("8-clique")]


def nodes_of(picture: str) -> dict[int, list[ElementTree.Element]]:
    """Return the circles of each node, found by the node's tool tip."""
    found = {}
    for group in ElementTree.fromstring(picture).iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title")
        if title:
            found[int(re.match(r"node (\d)", title)[1])] = group.findall(f"{SVG}circle")
    return found


@pytest.mark.parametrize("drawn", DRAWN, ids=lambda t: t.name)
def test_one_colour_per_role_and_a_ring_for_the_anchor(drawn: Template) -> None:
    circles = nodes_of(svg(drawn))
    assert sorted(circles) == list(range(drawn.num_nodes))
    for node, marks in circles.items():
        assert marks[-1].get("fill") == role_colour(drawn.role_of[node])
        assert len(marks) == (2 if node == 0 else 1)
    colours = {marks[-1].get("fill") for marks in circles.values()}
    assert len(colours) == drawn.num_roles


@pytest.mark.parametrize(
    ("text", "lines", "heads"),
    [("0-1 1-2", 2, 0), ("0>1 1<2", 2, 2), ("0<>1 1>2", 2, 3)],
)
def test_arrow_heads(text: str, lines: int, heads: int) -> None:
    picture = ElementTree.fromstring(svg(Template(text)))
    assert len(list(picture.iter(f"{SVG}line"))) == lines
    assert len(list(picture.iter(f"{SVG}polygon"))) == heads


def test_arrow_points_at_its_target() -> None:
    picture = ElementTree.fromstring(svg(Template("0<1")))  # drawn left to right
    tip = picture.find(f".//{SVG}polygon").get("points").split()[0]
    line = picture.find(f".//{SVG}line")
    assert float(tip.split(",")[0]) < float(line.get("x1")) < float(line.get("x2"))


def test_text_is_escaped() -> None:
    picture = svg(Template("0-1 1:\"<b> & 'c'\"", name="<script>"))
    words = [text.text for text in ElementTree.fromstring(picture).iter(f"{SVG}text")]
    assert "<b> & 'c'" in words
    assert "<script>" not in picture


def test_legend_and_scale() -> None:
    drawn = template("tailed-triangle")
    words = "".join(ElementTree.fromstring(svg(drawn, legend=True)).itertext())
    assert "role 0, the anchor: node 0" in words
    assert "role 1: nodes 1, 2" in words
    small, large = (ElementTree.fromstring(svg(drawn, scale=s)) for s in (1, 2))
    assert float(large.get("width")) == pytest.approx(2 * float(small.get("width")), abs=2)
    assert drawn._repr_svg_() == svg(drawn)


def test_sheet_names_every_template() -> None:
    some = [*templates("social"), Template("0>1 1>2")]
    picture = ElementTree.fromstring(sheet(some, columns=4))
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"edge", "3-path", "triangle", "4-clique", "tailed-triangle", "0>1 1>2"} <= set(words)
    ElementTree.fromstring(sheet([]))


def test_nothing_lies_outside_the_picture() -> None:
    for drawn in [*DRAWN, Template('0-1 0:"a very long label" 1:other')]:
        picture = ElementTree.fromstring(svg(drawn))
        width, height = map(float, picture.get("viewBox").split()[2:])
        for circle in picture.iter(f"{SVG}circle"):
            x, y, r = (float(circle.get(key)) for key in ("cx", "cy", "r"))
            assert r <= x <= width - r
            assert r <= y <= height - r


def test_drawings_repeat_exactly() -> None:
    drawn = Template("0-1 0-2 1-3 2-3 3-4 4-5 0-5")
    assert svg(drawn) == svg(Template(drawn))


def test_types_of_edges_stand_at_the_edges() -> None:
    picture = Template("0-1=double 1-2").svg()
    assert picture.count(">double<") == 1
    assert ">a / b<" in Template("0>1=a 0<1=b").svg()
    assert ">a<" in Template("0<>1=a").svg()
