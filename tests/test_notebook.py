"""What notebooks show: escaped, small, and without colours that vanish in the dark."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import grape_gnn as grape
from grape_gnn.comparison import comparison_table
from grape_gnn.notebook import html_table
from grape_gnn.training.results import RunResult

NASTY = "<script>alert(1)</script>"


class Balance(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen, self.words = [], set(), ""

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += f"{data} "


def shown(thing):
    """Return the words that a notebook shows, after a check of their form."""
    text = thing._repr_html_()
    page = Balance()
    page.feed(text)
    assert page.open == []
    assert "script" not in page.seen
    assert len(text) < 20_000
    # Text has the notebook's colour, and nothing has a background of its own.
    assert not re.search(r"(?<!-)color:|background: (?!none)", text)
    return page.words


@pytest.fixture
def graph():
    names = [NASTY, "bob", "cat", "dan"]
    return grape.Graph.from_edges(
        [0, 0, 1, 2], [1, 2, 2, 3], names=names, y=["red", NASTY, None, "red"]
    )


def test_graphs(graph):
    words = shown(graph)
    assert "nodes 4 edges (undirected) 4 " in words
    assert f"red: 2, {NASTY}: 1" in words
    assert "1 missing" in words
    shown(grape.Graph.from_edges([], [], 0))


def test_lists_of_templates():
    found = grape.templates("social")
    assert found == [grape.template(t.name) for t in found]
    assert isinstance(found, list)
    words = shown(found)
    assert "5 templates" in words
    assert "tailed-triangle" in words
    assert NASTY in shown(grape.templates([grape.Template("0-1", name=NASTY)]))


def test_role_matches(graph):
    roles = grape.match(graph, "edge,triangle", engine="enumerate")
    words = shown(roles)
    assert "triangle" in words
    assert "non-induced, weighting count" in words
    assert roles[1].num_instances == 3
    lazy = grape.match(graph, "3-path", engine="algebra")
    assert lazy[0].num_instances is None
    assert "not counted yet" in shown(lazy)  # looking at it does not start the counting
    assert lazy[0].num_instances is None


def test_models():
    data = grape.datasets.load("social-like", num_nodes=100)
    model = grape.GrapeClassifier("edge,triangle", epochs=3, hidden=8)
    assert "not fitted yet" in shown(model)
    words = shown(model.fit(data))
    assert "edge, triangle" in words
    assert "3, number" in words
    assert "hidden=8" in words
    assert "validation accuracy" in words
    assert model._repr_mimebundle_()["text/html"] == model._repr_html_()
    numbers = grape.Graph.from_edges(*data.edge_array().T, y=1.5 * data.degrees)
    words = shown(grape.GrapeRegressor("edge,triangle", epochs=3).fit(numbers))
    assert re.search(r"validation RMSE +\d", words)  # an error is positive
    assert "templates=" not in words


def test_comparison_tables():
    runs = [
        RunResult(name, NASTY, "original", seed, {}, 0, 1, 0.8, test, 1.0)
        for name, tests in {"gcn": (0.80, 0.82), "grape": (0.83, 0.86)}.items()
        for seed, test in enumerate(tests)
    ]
    words = shown(comparison_table(runs))
    assert "grape (first)" in words
    assert "84.50 ± 2.12" in words
    assert NASTY in words
    shown(comparison_table([]))


def test_wide_tables_scroll_and_facts_stand_together():
    wide = html_table("", ["one"] * 20, [[1] * 20])
    assert "overflow-x: auto" in wide
    assert "text-align: right" in wide
    assert "text-align: right" not in html_table("", (), [("nodes", 3), ("names", "x" * 90)])


def test_everything_is_escaped():
    text = html_table(NASTY, [NASTY], [[NASTY]], NASTY)
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 4
