"""Names in a figure, as a browser measures them."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest

import grape_gnn as grape
from grape_gnn import Graph
from grape_gnn.drawing import ego_figure
from grape_gnn.report.roles_page import roles_page
from grape_gnn.testing import gnp

NAMES = ["Ann", "Wilhelmina Mammoth", "日本語の名前", "<script>", "a&b", "ill", "W" * 40, "x"]
BOXES = """() => [...document.querySelectorAll('text.name')].map((t) => {
    const b = t.getBBox();
    return [b.x, b.y + 1.5, b.x + b.width, b.y + b.height - 1.5]; })"""


def test_names_do_not_touch(window):
    """What Chromium measures stays apart; lines of text have room above and below the letters."""
    novel = Graph.from_networkx(nx.les_miserables_graph())
    odd = Graph.from_edges(*gnp(8, 0.6, seed=1).edge_array().T, 8, names=NAMES)
    figures = [ego_figure(novel, name, "Fantine") for name in ("3-path", "triangle")]
    for figure in [*figures, ego_figure(odd, "3-path", NAMES[0])]:
        window.page.set_content(figure)
        measured = window.page.evaluate(BOXES)
        assert len(measured) > 5
        for one, two in itertools.combinations(measured, 2):
            apart = one[2] <= two[0] or two[2] <= one[0] or one[3] <= two[1] or two[3] <= one[1]
            assert apart


@pytest.mark.parametrize("size", [3, 5])
def test_no_line_between_members_is_hidden_by_the_ego(window, tmp_path, size):
    pairs = itertools.combinations(range(size), 2)
    graph = grape.Graph.from_edges(*zip(*pairs, strict=True))
    file = tmp_path / "clique.html"
    file.write_text(roles_page("clique", graph, grape.templates("triangle"), 0), encoding="utf-8")
    page = window.show(file).page
    where = "(n) => [n.getAttribute('cx'), n.getAttribute('cy')].map(Number)"
    at = {
        dot.get_attribute("data-node"): dot.locator("circle").last.evaluate(where)
        for dot in page.locator("#ego-view [data-node]").all()
    }
    ego = at.pop("0")
    assert len(at) == size - 1
    for one, two in itertools.combinations(at.values(), 2):
        (x, y), (u, v) = ([end[0] - ego[0], end[1] - ego[1]] for end in (one, two))
        assert abs(x * v - y * u) > 1000
