"""The report of a run in a real browser: loads in silence, and every control does what it says."""

from __future__ import annotations

import json

import pytest

import grape_gnn as grape
from grape_gnn.report import write_report


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
    assert report.locator("svg.chart").count() == 2
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


@pytest.mark.parametrize("width", [420, 800, 1280, 1920])
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
