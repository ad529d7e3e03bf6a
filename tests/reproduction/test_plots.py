"""The charts are well-formed, hold what they were given, and escape what users wrote."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from reproduction.case_picture import case_picture
from reproduction.plots import _ticks, bar_chart, curve_chart


def test_bars_are_as_long_as_their_values():
    picture = bar_chart("T", "s", {"a": {"x": 1.0}, "b": {"x": 2.0}}, errors={"a": {"x": 0.5}})
    ElementTree.fromstring(picture)
    widths = [float(w) for w in re.findall(r"class='bar'[^>]*width='([0-9.]+)'", picture)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    assert picture.count("class='whisker'") == 1


def test_names_are_escaped():
    for picture in (
        bar_chart("<b>", "&", {"<i>": {"x": 1.0}}),
        curve_chart("<b>", "&", "<", {"<i>": [(0, 1)], "b": [(0, 2)]}),
        case_picture("<b>", "<i>", {"<u>": ["<i>", "&"]}),
    ):
        ElementTree.fromstring(picture)


def test_curves_hold_their_value_until_it_changes():
    picture = curve_chart("T", "s", "%", {"a": [(0, 10), (5, 20)]})
    (path,) = re.findall(r"class='curve'[^>]* d='([^']*)'", picture)
    assert re.fullmatch(r"M[0-9. ]+H[0-9.]+V[0-9.]+", path)


def test_the_legend_of_curves_stands_below_the_axis():
    picture = curve_chart("T", "seconds", "%", {"a": [(0, 1)], "b": [(0, 2)]})
    axis = float(re.search(r" y='([0-9.]+)'>seconds<", picture)[1])
    legend = float(re.search(r" y='([0-9.]+)'>a<", picture)[1])
    height = float(re.search(r"viewBox='0 0 760 ([0-9.]+)'", picture)[1])
    assert axis + 15 < legend < height


def test_a_long_legend_takes_several_rows():
    names = [f"a rather long name of a search, number {k}" for k in range(5)]
    picture = curve_chart("T", "s", "%", {name: [(0, 1)] for name in names})
    places = re.findall(r"<text x='([0-9.]+)' y='([0-9.]+)'>a rather", picture)
    assert len({y for _, y in places}) >= 3
    assert all(float(x) + 8 * len(names[0]) < 760 for x, _ in places)


@pytest.mark.parametrize(("high", "low"), [(1, 0), (0.003, 0), (7300, 0), (84.2, 81.9), (5, 5)])
def test_ticks_are_few_and_cover_the_values(high, low):
    ticks = _ticks(high, low)
    assert ticks[0] <= low
    assert ticks[-1] >= high
    assert 1 <= len(ticks) <= 8


def test_own_label_lies_innermost():
    picture = case_picture("T", "red", {"set": ["blue"] * 5 + ["red"] * 2})
    dots = re.findall(r"cx='([0-9.]+)' cy='([0-9.]+)' r='8'[^>]*><title>(\w+)", picture)
    middle = re.search(r"r='12.5'", picture)
    assert middle
    assert [label for _, _, label in dots] == ["red"] * 2 + ["blue"] * 5
