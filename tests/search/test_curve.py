"""The search curve is a picture that any program can read."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from grape_gnn.search.curve import curve_svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    "curves",
    [
        {"genetic": [(1.0, 0.5), (200.0, 0.8), (900.0, 0.81)], "random <&>": [(2.0, 0.4)]},
        {"one point": [(0.0, 1.0)]},
        {"nothing": []},
        {},
    ],
)
def test_it_is_well_formed(curves):
    root = ET.fromstring(curve_svg(curves))
    texts = [node.text for node in root.iter(f"{SVG}text")]
    assert set(curves) <= set(texts)
    drawn = [path for path in root.iter(f"{SVG}path") if "H" in path.attrib["d"]]
    assert len(drawn) == sum(1 for curve in curves.values() if curve)


def test_curves_rise_in_steps_inside_the_frame():
    root = ET.fromstring(curve_svg({"genetic": [(10.0, 0.5), (50.0, 0.9)]}, end=100.0))
    path = next(root.iter(f"{SVG}path")).attrib["d"]
    assert path.count("V") == path.count("H") == 2
    numbers = [float(x) for x in path.replace("M", " ").replace("H", " ").replace("V", " ")
               .replace(",", " ").split()]  # fmt: skip
    assert all(0 <= number <= 560 for number in numbers)


def test_long_searches_count_minutes():
    assert "minutes since the start" in curve_svg({"a": [(600.0, 0.5)]})
    assert "seconds since the start" in curve_svg({"a": [(60.0, 0.5)]})
