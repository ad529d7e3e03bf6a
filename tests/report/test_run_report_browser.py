"""The report of a run in a real browser: loads in silence, fits, and says what is right."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.report import write_report
from grape_gnn.runs.training import train_run


def test_all_parts_are_there(report, social_run):
    assert report.title() == "GRAPE on social-like"
    headings = report.locator("h2").all_inner_texts()
    assert headings == [
        "Accuracy", "Learning", "Templates", "Weights", "Importance", "Nodes", "Settings",
    ]  # fmt: skip
    assert report.locator("svg.chart:visible").count() == 2
    accuracy = f"{100 * social_run.metrics['test_accuracy']:.1f}%"
    assert report.locator(".facts .main b").inner_text().startswith(accuracy)
    for plot in report.locator("article").all():
        assert plot.locator("h3").count() >= 1 or plot.get_attribute("id") == "explorer"


def test_the_theme_follows_the_system_and_the_button(browser, social_page):
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(social_page.as_uri())
    background = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.click("#theme")
    light = page.evaluate(background)
    assert page.inner_text("#theme") == "Theme: light"
    page.click("#theme")
    assert page.evaluate(background) == dark != light
    context.close()


@pytest.mark.parametrize("width", [390, 800, 1280, 1920])
def test_nothing_is_wider_than_the_window(window, social_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(social_page).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_nasty_names_stay_text(window, nasty_page, nasty_run, nasty_names):
    page = window.show(nasty_page).page
    assert page.title() == "GRAPE on <b>graph & 'co'"
    assert page.inner_text("#ego-title") == nasty_names[0]
    assert page.locator("main b:has-text('bold')").count() == 0
    for name in nasty_names:
        page.fill("#ego-name", name)
        page.press("#ego-name", "Enter")
        assert page.evaluate("document.getElementById('ego-title').textContent") == name
    assert page.locator("main img, main script").count() == 0
    labels = page.locator("#ego-label option").all_inner_texts()
    assert labels == ["any", *nasty_run.graph().label_names]
    data = json.loads(page.evaluate("document.getElementById('explorer-data').textContent"))
    assert data["names"][: len(nasty_names)] == nasty_names
    assert page.title() != "broken"


@pytest.fixture(scope="module")
def many_page(tmp_path_factory):
    """Report a training with 24 long labels, and a template that does not occur."""
    rng = np.random.default_rng(1)
    pairs = np.unique(np.sort(rng.integers(0, 240, size=(2, 500)), axis=0), axis=1)
    pairs = pairs[:, pairs[0] != pairs[1]]
    labels = [f"department number {k}" for k in range(24)]
    y = np.arange(240) % 24
    x = np.stack([y + rng.normal(0, 0.1, 240), rng.normal(size=240), np.ones(240)], axis=1)
    graph = grape.Graph.from_edges(*pairs, 240, x=x, y=y, label_names=labels)
    folder = tmp_path_factory.mktemp("many")
    graph.save(folder / "many.npz")
    source, settings = find_source(str(folder / "many.npz"), {}), {"epochs": 60, "hidden": 16}
    words = ["grape", "train", "many.npz", "--templates", "edge,6-clique", "--out", "x" * 200]
    with pytest.warns(grape.GrapeWarning, match="no instance of 6-clique"):
        run = train_run(folder / "run", source, settings, templates="edge,6-clique", command=words)
    return write_report(run.path, folder / "many.html")


@pytest.mark.parametrize("width", [390, 1440])
def test_wide_tables_scroll_and_say_so(window, many_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(many_page).page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    matrix = page.locator("[aria-label='Confusion matrix']")
    fits = matrix.evaluate("(box) => box.scrollWidth <= box.clientWidth + 2")
    said = matrix.evaluate("(box) => !box.nextElementSibling.hidden")
    assert fits or said
    # The last class can be reached, and its row keeps its name in sight.
    last = matrix.locator("tbody tr").last
    last.locator("td").last.scroll_into_view_if_needed()
    cell, box = last.locator("td").last.bounding_box(), matrix.bounding_box()
    assert cell["x"] + cell["width"] <= box["x"] + box["width"] + 2
    assert last.locator("th").bounding_box()["x"] >= box["x"] - 2
    # The column of F1 is inside its card, and no command is cut off.
    f1 = page.locator("[aria-label='Scores by label'] th:has-text('F1')").bounding_box()
    assert f1["x"] + f1["width"] <= width
    for block in page.locator("pre").all():
        assert block.evaluate("(box) => box.scrollWidth <= box.clientWidth + 1")
    # Nor does a line end after the dashes of an option.
    for word in page.locator("pre .word").all():
        if len(word.inner_text()) < 30:
            assert word.evaluate("(word) => word.getClientRects()[0].height") < 30
    assert page.locator("pre").first.inner_text().startswith("grape train many.npz --templates")


def test_shares_only_for_templates_with_instances(window, many_page):
    page = window.show(many_page).page
    card = page.locator(".templates article").nth(1)
    assert "no instance in this graph" in card.inner_text()
    assert "share" not in card.inner_text()
    importance = page.locator("article", has=page.locator('h3:has-text("a template\'s roles")'))
    assert importance.locator("tr").nth(1).inner_text().endswith("6-clique\tno instance")
    by_label = page.locator("[aria-label='Templates by label'] tbody th").all_inner_texts()
    assert [words.split()[-1] for words in by_label] == ["edge", "nodes"]
    # The explorer opens on the template that occurs.
    assert page.get_attribute("[data-template='0']", "aria-pressed") == "true"
    assert not page.inner_text("#ego-note").startswith("0 instances")


def test_features_have_their_worth(window, many_page):
    page = window.show(many_page).page
    article = page.locator("article", has=page.locator("h3:has-text('without a feature')"))
    rows = article.locator("tr").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["feature 0", "feature 1"]  # not the constant
    assert float(rows[0].split("\t")[1].split()[0]) > 5


def test_an_interval_is_never_nothing(report, social_run):
    words = report.locator(".facts .main b small").inner_text()
    low, high = (float(end.rstrip("%")) for end in words.strip("()").split(" to "))
    assert 0 <= low < 100 * social_run.metrics["test_accuracy"] < high <= 100


@pytest.mark.parametrize("width", [390, 1440])
def test_rows_and_columns_of_the_matrix_can_be_told_apart(window, many_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(many_page).page
    cut = page.evaluate(
        """() => [...document.querySelectorAll("[aria-label='Confusion matrix'] th")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1 || [...e.children].some((c) =>
            c.scrollHeight > c.clientHeight + 1 || c.scrollWidth > c.clientWidth + 1))
        .map((e) => e.textContent)"""
    )
    assert cut == []


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_bars_are_as_long_as_their_numbers(window, social_page, width):
    """Words do not squeeze a bar; what the model is better without has another colour."""
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(social_page).page
    bars = page.evaluate(
        """() => [...document.querySelector('#importance ~ .grid table.left')
        .querySelectorAll('.bar')].map((b) => [b.querySelector('i').getBoundingClientRect().width,
        parseFloat(b.querySelector('i').style.getPropertyValue('--size')),
        parseFloat(b.textContent), getComputedStyle(b.querySelector('i')).backgroundColor])"""
    )
    seen = [long / size for long, size, _, _ in bars if size > 10]
    assert len(seen) >= 2
    assert max(seen) < 1.1 * min(seen)
    hot = {colour for _, _, drop, colour in bars if drop > 0}
    cold = {colour for _, _, drop, colour in bars if drop < 0}
    assert len(hot) == 1
    assert not hot & cold


@pytest.mark.parametrize("width", [390, 1440])
def test_charts_are_read_without_scrolling(window, social_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(social_page).page
    shown = page.locator("svg.chart:visible")
    assert shown.count() == 2
    for chart in shown.all():
        box = chart.bounding_box()
        assert box["x"] + box["width"] <= width
        for text in chart.locator("text").all():
            inside = text.bounding_box()
            assert inside["height"] >= 10
            assert inside["x"] >= box["x"] - 1
            assert inside["x"] + inside["width"] <= box["x"] + box["width"] + 1
    assert page.locator("article:has(> .scroll > svg.chart) .save").count() == 2


def test_a_regression_with_large_numbers(window, tmp_path):
    rng = np.random.default_rng(2)
    edges = np.unique(np.sort(rng.integers(0, 120, size=(2, 400)), axis=0), axis=1)
    edges = edges[:, edges[0] != edges[1]]
    price = rng.normal(15_000, 9000, 120)
    graph = grape.Graph.from_edges(*edges, 120, x=price[:, None] / 1e4, y=price)
    graph.save(tmp_path / "prices.npz")
    source = find_source(str(tmp_path / "prices.npz"), {})
    run = train_run(tmp_path / "run", source, {"epochs": 5, "hidden": 4}, templates="edge")
    page = window.show(write_report(run.path, tmp_path / "prices.html")).page
    chart = page.locator("article:has-text('Predicted and true') svg.chart").first
    assert "e+0" not in chart.inner_html()
    left = chart.bounding_box()["x"]
    assert all(text.bounding_box()["x"] >= left for text in chart.locator("text").all())
    verdict = page.inner_text("#ego-verdict")
    assert re.fullmatch(r"label [\d.-]+ · predicted -?[\d.]{1,7} · test node", verdict)
    assert "own label is frequent" not in page.inner_text("main")  # there are no classes
    page.locator("#ego-view [data-node]").last.hover()
    assert "no label" not in page.inner_text(".tip")
    assert "predicted" in page.inner_text(".tip")


@pytest.mark.parametrize("width", [390, 600, 1440])
def test_all_of_the_menu_is_in_sight(window, social_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(social_page).page
    links = page.locator(".top nav a").all()
    assert len(links) == 7
    theme = page.locator("#theme").bounding_box()
    for link in links:
        box = link.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= width
        beside = box["x"] + box["width"] <= theme["x"]
        assert beside or box["y"] >= theme["y"] + theme["height"]


def test_words_of_labels_are_not_broken(window, many_page):
    window.page.set_viewport_size({"width": 1440, "height": 900})
    page = window.show(many_page).page
    for name in page.locator("[aria-label='Confusion matrix'] tbody th .name").all():
        assert name.bounding_box()["height"] < 40  # two lines
