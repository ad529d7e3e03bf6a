"""Drawing one's own template: by clicking, and what the page finds is what the library finds."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.report import write_report
from grape_gnn.report.graph_data import pack_edges
from grape_gnn.report.match_plan import match_plan
from grape_gnn.report.roles_page import roles_page
from grape_gnn.template.family import all_templates

COUNT = """([edges, size, directed, nodes, arcs, egos]) => {
    const graph = unpackGraph(edges, size, directed), mine = planTemplate(nodes, arcs, directed);
    return [mine, egos.map((ego) => countRoles(graph, [], mine.plan, mine.roles.length, ego, 1e9)
        .counts.map((counts) => {
            const members = {};
            counts.forEach((count, node) => { if (count > 0) members[node] = count; });
            return members;
        }))];
}"""


@pytest.fixture
def planner(window):
    """Give a page with the matcher and the planner alone."""
    folder = files("grape_gnn.report") / "templates"
    window.page.set_content("<p>planner</p>")
    for name in ("matcher.js", "sketch_plan.js"):
        window.page.add_script_tag(content=(folder / name).read_text(encoding="utf-8"))
    return window.page


def random_graph(seed, directed, nodes=11, share=0.35):
    rng = np.random.default_rng(seed)
    pairs = np.argwhere(rng.random((nodes, nodes)) < share)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]] if directed else pairs[pairs[:, 0] < pairs[:, 1]]
    return grape.Graph.from_edges(*pairs.T, nodes, directed=directed)


def check(page, graph, template, rng):
    """Renumber a template as a reader might draw it, and compare plan and counts."""
    order = [0, *(1 + rng.permutation(template.num_nodes - 1)).tolist()]
    drawn = [[order[a], order[b]] for a, b in template.edges]
    rng.shuffle(drawn)
    egos = [0, 3, graph.num_nodes - 1]
    given = [pack_edges(graph), graph.num_nodes, graph.directed, template.num_nodes, drawn, egos]
    mine, counts = page.evaluate(COUNT, given)
    read = grape.Template(mine["text"])
    assert read.canonical == template.canonical
    assert mine["roles"] == [list(role) for role in read.roles]
    assert mine["plan"] == match_plan(read)
    for ego, found in zip(egos, counts, strict=True):
        wanted = grape.ego_role_counts(graph, read, ego)
        assert [{int(k): n for k, n in one.items()} for one in found] == wanted, mine["text"]


@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_small_template_is_matched_as_by_the_library(planner, size):
    rng = np.random.default_rng(size)
    for template in all_templates(size):
        check(planner, random_graph(size, directed=False), template, rng)
    for template in all_templates(min(size, 3), directed=True):
        check(planner, random_graph(size, directed=True, nodes=8), template, rng)


@pytest.mark.parametrize("name", ["house", "5-clique", "bull", "5-star", "6-cycle", "6-path"])
def test_larger_templates_too(planner, name):
    rng = np.random.default_rng(0)
    check(planner, random_graph(4, directed=False), grape.template(name), rng)


def test_what_does_not_hang_together_has_no_plan(planner):
    assert planner.evaluate("planTemplate(3, [[0, 1]], false)") is None
    assert planner.evaluate("planTemplate(1, [], false)") is None


# ------------------------------------------------------------------ by clicking


@pytest.fixture
def report(window, social_run, tmp_path):
    file = write_report(social_run.path, tmp_path / "social.html", node=5)
    page = window.show(file).page
    page.click("#sketch-open")
    return page


def click_canvas(page, x, y):
    box = page.locator("#sketch-canvas").bounding_box()
    page.mouse.click(box["x"] + x * box["width"] / 320, box["y"] + y * box["height"] / 190)


def spot(page, number):
    page.locator(f"[data-spot='{number}']").click()


def members(page):
    rows = page.locator("#ego-members tr:has(button)").all()
    return {
        row.locator("button").inner_text(): row.locator("td").nth(2).inner_text() for row in rows
    }


def expected(graph, template, node):
    counts = grape.ego_role_counts(graph, template, node)
    found = {}
    for role, one in enumerate(counts[1:], start=1):
        for who, count in one.items():
            found.setdefault(str(who), []).append(f"{role}: {count:,}")
    return {who: "  ".join(words) for who, words in found.items()}


def test_a_template_is_drawn_by_clicking_and_matched(report, social_run):
    graph = social_run.graph()
    assert report.inner_text("#sketch-words").startswith("Click beside the anchor")
    click_canvas(report, 60, 150)
    assert report.inner_text("#sketch-words").startswith("Join the nodes")
    spot(report, 0)
    spot(report, 1)
    assert report.inner_text("#sketch-words") == "0-1"
    spot(report, 1)
    click_canvas(report, 260, 150)  # a new node is joined to the chosen one
    assert report.inner_text("#sketch-words") == "0-1 1-2"
    assert members(report).keys() == expected(graph, "0-1 1-2", 5).keys()
    spot(report, 2)
    spot(report, 0)
    assert report.inner_text("#sketch-words") == "0-1 0-2 1-2"
    found = {who: words.split() for who, words in members(report).items()}
    wanted = {who: words.split() for who, words in expected(graph, "0-1 0-2 1-2", 5).items()}
    assert found == wanted
    assert "of your template around 5" in report.inner_text("#ego-note")
    # Another ego keeps the template.
    report.fill("#ego-name", "77")
    report.press("#ego-name", "Enter")
    assert members(report).keys() == expected(graph, "0-1 0-2 1-2", 77).keys()
    # Clicking a pair again takes the edge away; another template closes the canvas.
    spot(report, 0)
    spot(report, 2)
    assert report.inner_text("#sketch-words") == "0-1 1-2"
    report.click("[data-template='0']")
    assert report.is_hidden("#sketch")
    report.click("#sketch-open")
    assert report.inner_text("#sketch-words") == "0-1 1-2"


def pressed(page):
    return page.locator("[data-template][aria-pressed='true']").all_inner_texts()


def test_a_template_that_hangs_loose_leaves_the_ego_alone(report):
    """The picture of the template before would be taken for what is drawn."""
    assert pressed(report) == ["Draw your own"]
    assert report.locator("#ego-view [data-node]").count() == 1
    assert report.inner_text("#ego-note") == "Your template has no edge yet."
    click_canvas(report, 60, 150)
    assert report.inner_text("#ego-note") == "Your template does not hang together yet."
    spot(report, 0)
    spot(report, 1)
    assert report.locator("#ego-view [data-node]").count() > 1
    spot(report, 0)
    spot(report, 1)  # the edge is gone again
    assert members(report) == {}
    assert report.locator("#ego-roles label").count() == 0
    report.click("#ego-random")
    assert report.locator("#ego-view [data-node]").count() == 1
    assert pressed(report) == ["Draw your own"]
    report.click("[data-template='0']")
    assert [text.split()[-1] for text in pressed(report)] == ["edge"]
    assert report.locator("#ego-view [data-node]").count() > 1


def test_the_anchor_can_be_another_node(report, social_run):
    click_canvas(report, 60, 150)
    spot(report, 0)
    spot(report, 1)
    spot(report, 1)
    click_canvas(report, 260, 150)  # a path with the anchor at its end
    spot(report, 1)
    report.click("#sketch-anchor")
    assert report.inner_text("#sketch-words") == "0-1 0-2"
    assert members(report).keys() == expected(social_run.graph(), "0-1 0-2", 5).keys()
    assert report.locator("#ego-roles label").count() == 1  # both ends play one role
    spot(report, 2)
    report.click("#sketch-remove")
    assert report.inner_text("#sketch-words") == "0-1"
    report.click("#sketch-clear")
    assert report.locator("#sketch-canvas .spot").count() == 1


def test_six_nodes_are_the_most_and_keys_work(report):
    for _ in range(7):
        report.click("#sketch-add")
    assert report.locator("#sketch-canvas .spot").count() == 6
    assert report.is_visible("#sketch-full")
    report.locator("[data-spot='0']").focus()
    report.keyboard.press("Enter")
    report.locator("[data-spot='1']").focus()
    report.keyboard.press("Enter")
    assert report.locator("#sketch-canvas .tie").count() == 1


def test_arcs_on_directed_graphs(window, nasty_run, tmp_path):
    file = write_report(nasty_run.path, tmp_path / "nasty.html")
    page = window.show(file).page
    page.click("#sketch-open")
    click_canvas(page, 60, 150)
    spot(page, 1)
    spot(page, 0)
    assert page.inner_text("#sketch-words") == "1>0"
    assert page.locator("#sketch-canvas polygon").count() == 1
    name = page.evaluate("document.getElementById('ego-title').textContent")
    counts = grape.ego_role_counts(nasty_run.graph(), "1>0", name)
    assert page.locator("#ego-members button").count() == len(counts[1])


def test_a_search_that_is_cut_off_says_so(window, tmp_path):
    graph = random_graph(1, directed=False, nodes=120, share=0.6)
    file = tmp_path / "dense.html"
    file.write_text(roles_page("dense", graph, grape.templates("edge"), 0), encoding="utf-8")
    page = window.show(file).page
    page.click("#sketch-open")
    for number in range(5):
        spot(page, number)
        click_canvas(page, 40 + 55 * number, 30 + 130 * (number % 2))
    assert page.inner_text("#sketch-words") == "0-1 1-2 2-3 3-4 4-5"
    assert "the counts are lower bounds" in page.inner_text("#ego-note")


def test_of_a_large_graph_nothing_can_be_drawn(window, social_run, tmp_path, monkeypatch):
    monkeypatch.setattr("grape_gnn.report.ego_data.MOST_BYTES", 10)
    monkeypatch.setattr("grape_gnn.report.ego_data.graph_fits", lambda *_: False)
    page = window.show(write_report(social_run.path, tmp_path / "large.html")).page
    assert page.is_hidden("#sketch-open")


# ------------------------------------------------------------------ any template, odd graphs

PLACES = [(160, 95), (60, 40), (260, 40), (60, 150), (260, 150)]


def click_together(page, template):
    """Draw a template node by node and edge by edge; the anchor is there from the start."""
    for place in PLACES[1 : template.num_nodes]:
        click_canvas(page, *place)
    for a, b in template.edges:
        spot(page, a)
        spot(page, b)


def random_templates(rng, directed, wanted):
    every = [t for size in (3, 4, 5 if not directed else 4) for t in all_templates(size, directed)]
    return [every[k] for k in rng.choice(len(every), wanted, replace=False)]


@pytest.mark.parametrize("directed", [False, True])
def test_random_templates_clicked_together_give_the_sets_of_the_library(window, tmp_path, directed):
    rng = np.random.default_rng(11)
    graph = random_graph(21, directed=directed, nodes=16, share=0.3)
    file = tmp_path / "page.html"
    basic = grape.templates("to" if directed else "edge")
    file.write_text(roles_page("random", graph, basic, 3), encoding="utf-8")
    page = window.show(file).page
    page.click("#sketch-open")
    for template in random_templates(rng, directed, 8):
        click_together(page, template)
        drawn = grape.Template(page.inner_text("#sketch-words"))
        assert drawn.canonical == template.canonical
        sets = grape.ego_ae_sets(graph, drawn, 3)
        found = [set() for _ in sets]
        for who, words in members(page).items():
            for role in words.split()[::2]:
                found[int(role.rstrip(":"))].add(int(who))
        assert found[1:] == [set(one) for one in sets[1:]], drawn.text
        page.click("#sketch-clear")


@pytest.mark.parametrize(
    "graph",
    [
        grape.Graph.from_edges([], [], 1),
        grape.Graph.from_edges([], [], 4, names=["<b>x</b>", '"', "'", "</script>"]),
        grape.Graph.from_edges([0, 0], [1, 2], names=["<img src=x>", "a \"b\" 'c'", "&amp;"]),
        grape.Graph.from_edges(np.arange(60_000), np.arange(1, 60_001)),
    ],
    ids=["one node", "no edges", "hostile names", "many nodes"],
)
def test_odd_graphs_can_be_drawn_on(window, tmp_path, graph):
    ego = graph.name_of(0)
    file = tmp_path / "odd.html"
    file.write_text(
        roles_page("odd <graph>", graph, grape.templates("edge"), ego), encoding="utf-8"
    )
    page = window.show(file).page
    page.click("#sketch-open")
    click_together(page, grape.template("3-star"))
    assert page.inner_text("#sketch-words") == "0-1 0-2"
    counts = grape.ego_role_counts(graph, "3-star", ego)
    assert set(members(page)) == {str(name) for name in counts[1]}
    assert page.evaluate("document.getElementById('ego-title').textContent") == str(ego)
    assert page.locator("main img, main script").count() == 0
