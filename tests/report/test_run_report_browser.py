"""The report of a run in a real browser: loads in silence, and every control does what it says."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.report import write_report
from grape_gnn.runs.training import train_run


@pytest.fixture(scope="module")
def social_page(social_run, tmp_path_factory):
    return write_report(social_run.path, tmp_path_factory.mktemp("out") / "social.html")


@pytest.fixture(scope="module")
def nasty_page(nasty_run, nasty_names, tmp_path_factory):
    file = tmp_path_factory.mktemp("out") / "nasty.html"
    return write_report(nasty_run.path, file, node=nasty_names[0])


@pytest.fixture
def report(window, social_page):
    return window.show(social_page).page


def choose(page, node, template=0):
    page.fill("#ego-name", str(node))
    page.press("#ego-name", "Enter")
    page.click(f"[data-template='{template}']")


def members(page):
    """Read the list of members: name to what is said of its roles."""
    rows = page.locator("#ego-members tr").all()
    return {
        row.locator("button").inner_text(): row.locator("td").nth(2).inner_text() for row in rows
    }


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


def test_any_node_can_be_chosen_and_its_roles_are_right(report, social_run):
    graph = social_run.graph()
    for node, (number, name) in zip(
        (3, 77, 149), enumerate(["edge", "3-path", "triangle"]), strict=True
    ):
        choose(report, node, number)
        wanted = grape.ego_role_counts(graph, name, node)
        shown = members(report)
        assert set(shown) == {str(m) for counts in wanted[1:] for m in counts}
        for member, words in shown.items():
            roles = [f"{r}: {c[int(member)]}" for r, c in enumerate(wanted) if int(member) in c]
            assert words.split() == " ".join(roles).split()
        total = sum(wanted[1].values()) // len(grape.template(name).roles[1])
        assert report.inner_text("#ego-note").startswith(f"{total} instance")
        assert report.inner_text("#ego-title") == str(node)


def test_a_wrong_name_is_told(report):
    choose_before = report.inner_text("#ego-title")
    report.fill("#ego-name", "nobody at all")
    report.press("#ego-name", "Enter")
    assert "No node is called nobody at all" in report.inner_text("#ego-note")
    assert report.inner_text("#ego-title") == choose_before


def test_label_shares_are_those_of_the_library(report, social_run):
    graph = social_run.graph()
    node = next(v for v in range(graph.num_nodes) if graph.y[v] >= 0)
    choose(report, node, 2)
    found = grape.explain.describe_node(grape.match(graph, "triangle"), node)
    rows = [row.locator("td").all_inner_texts() for row in report.locator("#ego-shares tr").all()]
    own = found.label
    for row, wanted in zip(rows, (found.two_hop, found.one_hop, found.sets[0].labels), strict=True):
        assert row[1] == f"{wanted.nodes:,}"
        assert row[3] in (f"{100 * dict(wanted.shares).get(own, 0.0):.1f}%", "0%")


def test_instances_are_walked_through(report, social_run):
    graph = social_run.graph()
    choose(report, 5, 2)
    name = report.locator("#ego-members button").first.inner_text()
    report.locator("#ego-members button").first.click()
    count = grape.ego_role_counts(graph, "triangle", 5)[1][int(name)]
    assert report.inner_text("#step-words") == (f"Instance 1 of {count} with {name} in role 1")
    assert report.locator("#ego-view line.instance").count() == 3
    if count > 1:
        report.click("#step-on")
        assert report.inner_text("#step-words").startswith("Instance 2 of")
        report.click("#step-back")
    assert report.is_disabled("#step-back")
    report.click("#step-ego")
    assert report.inner_text("#ego-title") == name
    assert report.is_hidden("#ego-stepper")


def test_clicking_a_dot_chooses_it(report):
    choose(report, 5, 1)
    dot = report.locator("#ego-view g.pick").first
    node = dot.get_attribute("data-node")
    dot.click()
    assert node in report.inner_text("#step-words")
    assert report.locator("#ego-view g.chosen").count() == 1
    report.click("#step-clear")
    assert report.locator("#ego-view g.chosen").count() == 0


def test_filters(report, social_run):
    graph = social_run.graph()
    choose(report, 5, 1)
    everyone = members(report)
    report.uncheck("#ego-roles input[data-role='2']")
    assert len(members(report)) == graph.degrees[5] < len(everyone)
    report.check("#ego-roles input[data-role='2']")
    label = next(code for code in graph.y[graph.neighbours(5)].tolist() if code >= 0)
    report.select_option("#ego-label", str(label))
    kept = members(report)
    assert 0 < len(kept) < len(everyone)
    assert all(graph.y[int(name)] == label for name in kept)
    assert "pass the filters" in report.inner_text("#ego-note")
    report.select_option("#ego-most", "20")
    assert report.locator("#ego-view g.pick").count() <= 20


def test_hover_tells_name_and_label(report):
    choose(report, 5, 0)
    report.locator("#ego-view g.pick").first.hover()
    words = report.inner_text(".tip")
    assert "label:" in words
    assert "role 1 in 1 instance" in words
    report.locator("svg.chart").first.hover()
    assert "epoch" in report.inner_text(".tip")
    assert "training:" in report.inner_text(".tip")


def test_buttons_pick_nodes(report, social_run):
    graph = social_run.graph()
    report.click("#ego-hub")
    hub = int(report.inner_text("#ego-title"))
    assert graph.degrees[hub] == graph.degrees.max()
    report.click("#ego-random")
    if report.is_visible("#ego-wrong"):
        report.click("#ego-wrong")
        assert "wrong" in report.inner_text("#ego-verdict")
    report.select_option("#ego-colour", "label")
    assert report.locator("#ego-legend .chip").count() >= 1


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


def test_directed_instances_have_arrows(window, nasty_page, nasty_run):
    page = window.show(nasty_page).page
    graph = nasty_run.graph()
    totals = grape.count_instances(graph, "from-to")[:, 0]
    choose(page, graph.name_of(int(totals.argmax())), 1)
    page.locator("#ego-members button").first.click()
    assert page.locator("#ego-view polygon.instance").count() == 2


# ------------------------------------------------------------------ many classes, and their fit


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


def test_shares_only_for_templates_with_instances(window, many_page):
    page = window.show(many_page).page
    card = page.locator(".templates article").nth(1)
    assert "no instance in this graph" in card.inner_text()
    assert "share" not in card.inner_text()
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


def test_colours_of_labels_are_not_those_of_roles(report):
    choose(report, 5, 1)
    legend = report.locator("#label-legend .chip.label")
    assert legend.count() >= 2
    report.select_option("#ego-colour", "label")
    colour = "(all) => all.map((one) => getComputedStyle(one).backgroundColor)"
    labels = report.locator(".chip.label").evaluate_all(colour)
    roles = report.locator(".chip:not(.label)").evaluate_all(colour)
    assert len(roles) >= 2
    assert not set(labels) & set(roles)
    assert report.locator("#ego-view rect.dot").count() > 2


@pytest.mark.parametrize("width", [390, 1280])
def test_names_in_the_explorer_do_not_touch(window, social_page, width):
    window.page.set_viewport_size({"width": width, "height": 900})
    page = window.show(social_page).page
    for node in (5, 77, 120):
        choose(page, node, 1)
        page.select_option("#ego-most", "80")
        boxes = page.locator("#ego-view text.name").evaluate_all(
            "(all) => all.map((t) => t.getBoundingClientRect()).map((b) => "
            "[b.left, b.top + 1.5, b.right, b.bottom - 1.5])"
        )
        assert len(boxes) > 8
        for one, two in itertools.combinations(boxes, 2):
            apart = one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
            assert apart
        size = page.locator("#ego-view text.name").first.evaluate(
            "(t) => t.getBoundingClientRect().height"
        )
        assert size > 9  # a reader with a phone can read it


def test_figures_are_saved_as_svg(report, tmp_path):
    choose(report, 5, 2)
    buttons = report.locator("button.save")
    assert buttons.count() == 3  # two charts and the explorer
    for number, name in enumerate(("loss.svg", "validation-accuracy.svg", "5-triangle.svg")):
        with report.expect_download() as waiting:
            buttons.nth(number).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        root = ET.fromstring((tmp_path / name).read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        text = ET.tostring(root, encoding="unicode")
        assert "var(" not in text
        assert "light-dark(" not in text
        assert float(root.get("width")) > 300
    names = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "5" in names
    # The page itself is as it was.
    assert report.evaluate("document.documentElement.dataset.theme") is None


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
    assert re.fullmatch(
        r"label [\d.-]+ · predicted [\d.-]+ · (training|validation|test) node", verdict
    )
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


def test_a_choice_of_long_labels_stays_in_its_card(window, tmp_path):
    rng = np.random.default_rng(0)
    labels = [f"Department of Computational {word}" for word in ("Economics and Law", "Physics")]
    ends = rng.integers(0, 60, (2, 90))
    with pytest.warns(grape.GrapeWarning, match="dropped"):
        graph = grape.Graph.from_edges(*ends, 60, y=np.arange(60) % 2, label_names=labels)
    graph.save(tmp_path / "long.npz")
    source = find_source(str(tmp_path / "long.npz"), {})
    run = train_run(tmp_path / "run", source, {"epochs": 2, "hidden": 4}, templates="edge")
    window.page.set_viewport_size({"width": 390, "height": 900})
    page = window.show(write_report(run.path, tmp_path / "long.html")).page
    chosen, card = page.locator("#ego-label").bounding_box(), page.locator("#explorer")
    padding = card.evaluate("(box) => parseFloat(getComputedStyle(box).paddingRight)")
    box = card.bounding_box()
    assert chosen["x"] + chosen["width"] <= box["x"] + box["width"] - padding + 1
