"""The explorer of the report in a real browser: every control does what it says."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.report import write_report
from grape_gnn.runs.training import train_run


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


def test_directed_instances_have_arrows(window, nasty_page, nasty_run):
    page = window.show(nasty_page).page
    graph = nasty_run.graph()
    totals = grape.count_instances(graph, "from-to")[:, 0]
    choose(page, graph.name_of(int(totals.argmax())), 1)
    page.locator("#ego-members button").first.click()
    assert page.locator("#ego-view polygon.instance").count() == 2


def test_arcs_have_heads_before_anything_is_clicked(window, nasty_page, nasty_run):
    page = window.show(nasty_page).page
    graph = nasty_run.graph()
    totals = grape.count_instances(graph, "from-to")[:, 0]
    choose(page, graph.name_of(int(totals.argmax())), 1)
    arcs = page.locator("#ego-view path.edge").get_attribute("d").count("M")
    assert arcs > 1
    heads = page.locator("#ego-view path.arc-head")
    assert heads.get_attribute("d").count("Z") == arcs
    assert heads.evaluate("(one) => getComputedStyle(one).fill") != "rgb(0, 0, 0)"


def test_edges_have_no_heads(report):
    choose(report, 5, 1)
    assert report.locator("#ego-view path.edge").count() == 1
    assert report.locator("#ego-view path.arc-head").count() == 0


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
    templates = ("edge.svg", "3-path.svg", "triangle.svg")
    figures = ("loss.svg", "validation-accuracy.svg", *templates, "5-triangle.svg")
    assert buttons.count() == len(figures)
    for number, name in enumerate(figures):
        with report.expect_download() as waiting:
            buttons.nth(number).click()
        assert waiting.value.suggested_filename == name
        waiting.value.save_as(tmp_path / name)
        root = ET.fromstring((tmp_path / name).read_text(encoding="utf-8"))
        assert root.tag.endswith("svg")
        text = ET.tostring(root, encoding="unicode")
        assert "var(" not in text
        assert "light-dark(" not in text
        assert float(root.get("width")) > (50 if name in templates else 300)
    names = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "5" in names
    # The page itself is as it was.
    assert report.evaluate("document.documentElement.dataset.theme") is None


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


def test_a_tap_leaves_no_hint_over_the_drawing(report):
    dot = report.locator("#ego-view .pick").first
    dot.hover()
    assert report.locator(".tip").is_visible()
    dot.click()
    assert report.locator(".tip").is_hidden()
