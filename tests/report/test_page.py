"""Pages: escaped, whole, closed to the network, and legible."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib.resources import files

import pytest

from grape_gnn import Graph
from grape_gnn.drawing.figure import draw_ego
from grape_gnn.report.page import json_text, render
from grape_gnn.template import Template

STYLE = (files("grape_gnn.report") / "templates" / "style.css").read_text(encoding="utf-8")


def test_texts_are_escaped():
    page = render("base.html", title="<b>'&\"", sections=[("x", "<i>")])
    assert "<title>&lt;b&gt;&#39;&amp;&#34;</title>" in page
    assert "<i>" not in page


def test_data_cannot_end_its_script():
    nasty = {"a": "</script><!--", "b": ["\u2028", "日本", '"', "&lt;"]}
    text = str(json_text(nasty))
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == nasty


def test_only_the_scripts_of_the_page_may_run():
    page = render("base.html", scripts=("charts.js",), title="t", sections=[])
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 2
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


def test_nothing_is_loaded_from_afar():
    page = render("base.html", scripts=("charts.js",), title="t", sections=[])
    assert not re.search(r"(src|href)=[\"'](?!#)|@import|url\(", page)


def luminance(colour):
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, two):
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes():
    """Read the colours of the light theme and of the dark one."""
    pairs = re.findall(r"--([a-z]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", STYLE)
    return [{name: colours[k] for name, *colours in pairs} for k in (0, 1)]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_texts_and_lines_are_legible(theme):
    """WCAG 2.1 AA: 4.5 to 1 for texts, 3 to 1 for what has to be seen in a drawing."""
    colours = themes()[theme]
    for ground in ("page", "card"):
        for ink in ("ink", "soft", "accent", "second"):
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for shape in ("heat", "cold", "used"):
            assert contrast(colours[shape], colours[ground]) >= 3, (shape, ground)


def mixed(top, ground, share):
    parts = [
        round(int(top[k : k + 2], 16) * share + int(ground[k : k + 2], 16) * (1 - share))
        for k in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


def test_numbers_on_coloured_cells_are_legible():
    light, dark = themes()
    for tone in ("heat", "cold"):
        for shade in range(0, 76):
            on_light = mixed(light[tone], light["card"], shade / 100)
            assert contrast(light["ink"], on_light) >= 4.5, (tone, shade)
            on_dark = mixed(dark[tone], dark["card"], shade / 100)
            ink = "#000000" if shade > 61 else "#ffffff"  # td.strong
            assert contrast(ink, on_dark) >= 4.5, (tone, shade)


def test_every_part_of_a_drawing_has_the_colours_of_the_theme():
    """Colours written into a drawing are for white paper; a dark page overrides all of them."""
    drawing = draw_ego(Graph.from_edges([0, 1], [1, 2], directed=True), Template("0>1 1>2"), 0)
    for kind in {"leader", *re.findall("class='([a-z]+)'", drawing)} - {"ego"}:
        assert re.search(rf"\.ego \.{kind} {{[^}}]*var\(--", STYLE), kind
