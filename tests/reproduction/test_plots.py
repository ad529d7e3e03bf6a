"""The charts are well-formed, hold what they were given, and escape what users wrote."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from reproduction.case_picture import case_picture
from reproduction.plots import bar_chart


def test_bars_are_as_long_as_their_values():
    picture = bar_chart("T", "s", {"a": {"x": 1.0}, "b": {"x": 2.0}}, errors={"a": {"x": 0.5}})
    ElementTree.fromstring(picture)
    widths = [float(w) for w in re.findall(r"class='bar'[^>]*width='([0-9.]+)'", picture)]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.2)
    assert picture.count("class='whisker'") == 1


def test_names_are_escaped():
    for picture in (
        bar_chart("<b>", "&", {"<i>": {"x": 1.0}}),
        case_picture("<b>", "<i>", {"<u>": ["<i>", "&"]}),
    ):
        ElementTree.fromstring(picture)


def test_own_label_lies_innermost():
    picture = case_picture("T", "red", {"set": ["blue"] * 5 + ["red"] * 2})
    dots = re.findall(r"cx='([0-9.]+)' cy='([0-9.]+)' r='8'[^>]*><title>(\w+)", picture)
    middle = re.search(r"r='12.5'", picture)
    assert middle
    assert [label for _, _, label in dots] == ["red"] * 2 + ["blue"] * 5
