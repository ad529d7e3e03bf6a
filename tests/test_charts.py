"""Charts: round ticks, true places, escaped words."""

from __future__ import annotations

import json
import math
import re
from html import unescape
from xml.etree import ElementTree

import pytest

from grape_gnn.charts import Series, chart, series_colour, ticks


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (0, 3.2, [0, 1, 2, 3, 4]),
        (36, 84, [30, 40, 50, 60, 70, 80, 90]),
        (-0.3, 0.3, [-0.4, -0.2, 0, 0.2, 0.4]),
    ],
)
def test_ticks_are_round_and_enclose(low, high, wanted):
    assert ticks(low, high) == wanted


@pytest.mark.parametrize("value", [0, 5.0, -2.5, 1e-9, 1e9])
def test_a_single_value_has_ticks_around_it(value):
    found = ticks(value, value)
    assert found[0] <= value <= found[-1]
    assert len(found) < 12


@pytest.mark.parametrize(("whole", "shown"), [(False, True), (True, False)])
def test_what_is_counted_has_no_fractions(whole, shown):
    line = Series("best", [(0, 80.0), (1, 84.0)], "first")
    picture = chart([line], label="", x_axis="round", y_axis="%", whole_x=whole)
    assert (">0.2<" in picture) == shown
    assert ">1<" in picture


def places(picture):
    return json.loads(unescape(re.search(r"data-places='([^']*)'", str(picture))[1]))


def test_points_are_where_they_belong():
    line = Series("loss", [(1, 0.0), (2, 4.0), (3, 2.0)], "first")
    picture = str(chart([line], label="Loss", x_axis="epoch", y_axis="nats"))
    path = re.search(r"class='line first' d='M([^']*)'/>", picture)[1]
    (x1, y1), (x2, y2), (x3, y3) = (map(float, p.split()) for p in path.split("L"))
    assert x2 - x1 == pytest.approx(x3 - x2, abs=0.2)
    assert y1 - y2 == pytest.approx(2 * (y1 - y3), abs=0.3)
    assert [text for _, text in places(picture)] == [
        "epoch 1\nloss: 0",
        "epoch 2\nloss: 4",
        "epoch 3\nloss: 2",
    ]


def test_there_is_no_accuracy_above_the_whole():
    perfect = [Series("validation", [(1, 100.0), (2, 100.0)], "first")]
    words = {"label": "Accuracy", "x_axis": "epoch", "y_axis": "accuracy (%)"}
    assert ">100%<" in chart(perfect, **words, y_format="{:g}%".format, y_limits=(0, 100))
    assert ">110%<" not in chart(perfect, **words, y_format="{:g}%".format, y_limits=(0, 100))
    assert ">110%<" in chart(perfect, **words, y_format="{:g}%".format)


def test_values_that_do_not_exist_leave_a_gap():
    line = Series("loss", [(1, 1.0), (2, math.nan), (3, math.inf), (4, 2.0)], "first")
    picture = chart([line], label="Loss", x_axis="epoch", y_axis="nats")
    assert "nan" not in str(picture).replace("nats", "")
    assert places(picture)[1][1] == "epoch 2\nloss: none"


def test_words_are_escaped():
    line = Series("<b>'", [(0, 1.0), (1, 2.0)], "first")
    picture = str(chart([line], label="'<i>", x_axis="<u>", y_axis="&", mark=(0, "<s>")))
    assert not re.search(r"<(b|i|u|s)>", picture)
    assert places(picture)[0][1] == "<u> 0\n<b>': 1"


def test_many_points_are_thinned_for_the_pointer_only():
    line = Series("x", [(k, float(k)) for k in range(5000)], "point")
    picture = chart([line], label="x", x_axis="x", y_axis="y")
    assert len(places(picture)) <= 600
    assert picture.count("<circle") == 2 * 5001  # wide and narrow, one in the legend


def test_steps_hold_until_the_next_point():
    picture = chart([Series("", [(0, 1.0), (5, 2.0)], "first", steps=True)], label="", x_axis="",
                    y_axis="")  # fmt: skip
    assert re.search(r"class='line first' d='M[0-9. ]+H[0-9.]+V[0-9.]+'/>", picture)


def test_a_legend_that_is_too_long_stands_below_in_rows():
    names = [f"a rather long name of a search, number {k}" for k in range(5)]
    line = [(0, 1.0), (1, 2.0)]
    picture = chart([Series(name, line, series_colour(k)) for k, name in enumerate(names)],
                    label="", x_axis="seconds", y_axis="%", alone=True)  # fmt: skip
    ElementTree.fromstring(picture)
    places = re.findall(r"x='([0-9.]+)' y='([0-9.]+)'>a rather", picture)
    axis = float(re.search(r" y='([0-9.]+)'[^>]*>seconds<", picture)[1])
    height = float(re.search(r"viewBox='0 0 560 ([0-9.]+)'", picture)[1])
    assert len({y for _, y in places}) == 5
    assert all(axis + 10 < float(y) < height for _, y in places)


def test_a_picture_of_its_own_has_its_style():
    picture = chart([Series("a", [(0, 1.0)], "#123456")], label="<b>", x_axis="", y_axis="",
                    alone=True)  # fmt: skip
    root = ElementTree.fromstring(picture)
    assert root.find("{http://www.w3.org/2000/svg}style") is not None
    assert "stroke: #123456" in picture
    assert "data-places" not in picture


def test_large_numbers_are_written_out_and_have_room():
    line = Series("price", [(0, -5000.0), (25_000, 25_000.0)], "first")
    picture = chart([line], label="", x_axis="true", y_axis="predicted")
    assert "e+0" not in picture
    assert ">25,000<" in picture
    for x, words in re.findall(r"<text x='([\d.]+)' y='[\d.]+' text-anchor='end'>([^<]*)", picture):
        assert float(x) - 6.5 * len(words) > 0


def test_the_name_of_a_mark_keeps_clear_of_the_lines():
    def height(points):
        picture = chart([Series("loss", points, "first")], label="", x_axis="", y_axis="",
                        mark=(8, "epoch 8 kept"))  # fmt: skip
        return float(re.search(r"class='said' x='[\d.]+' y='([\d.]+)'", picture)[1])

    assert height([(k, 10.0 - k) for k in range(10)]) < 150  # the line is low there
    assert height([(k, float(k)) for k in range(10)]) > 150
