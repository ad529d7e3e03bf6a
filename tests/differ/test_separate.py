"""The smallest template that tells two graphs, or two nodes, apart."""

from __future__ import annotations

import itertools
import time
from collections import Counter

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.differ import search
from grape_gnn.errors import BudgetExceededError, CountOverflowError
from grape_gnn.template import all_templates
from grape_gnn.testing import gnp
from grape_gnn.testing.brute_force import brute_force_roles
from grape_gnn.testing.look_alikes import permuted, rings


def profiles(graph, template):
    """Return for every ego and role the sorted counts, by brute force."""
    matrices = brute_force_roles(graph, template)[1:]
    return [
        [tuple(sorted(matrix[ego][matrix[ego] > 0].tolist())) for matrix in matrices]
        for ego in range(graph.num_nodes)
    ]


def regular(seed, directed):
    """Return a random graph whose nodes all have the same degree: the edge tells nothing."""
    if not directed:
        return grape.Graph.from_networkx(nx.random_regular_graph(3, 8, seed=seed))
    rng = np.random.default_rng(seed)
    steps = rng.choice(np.arange(1, 7), 2, replace=False)
    order = rng.permutation(7)
    heads = np.concatenate([order[(np.arange(7) + step) % 7] for step in steps])
    return grape.Graph.from_edges(np.tile(order, 2), heads, directed=True, num_nodes=7)


def differs(template, first, second):
    """Whether a template's counts differ: the multisets of some role, over the given egos."""
    return any(
        Counter(ego[role] for ego in first) != Counter(ego[role] for ego in second)
        for role in range(template.num_roles - 1)
    )


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_the_template_is_the_first_that_differs(seed, directed):
    first, second = (regular(2 * seed + k, directed) for k in (0, 1))
    largest = 3 if directed else 4
    found = grape.separate(first, second, size=largest)
    for template in [t for k in range(2, largest + 1) for t in all_templates(k, directed)]:
        both = profiles(first, template), profiles(second, template)
        if differs(template, *both):
            assert found.template.is_isomorphic(template)
            assert found.minimal
            return
    assert found.template is None or found.evidence.by == "role colours"


@pytest.mark.parametrize("seed", range(6))
def test_the_template_is_the_first_that_tells_nodes_apart(seed):
    graph = gnp(7, 0.4, seed)
    templates = [t for size in (2, 3, 4) for t in all_templates(size)]
    counted = {t: profiles(graph, t) for t in templates}
    for u, v in itertools.combinations(range(7), 2):
        found = grape.why_different(graph, u, v, size=4)
        first = next((t for t in templates if counted[t][u] != counted[t][v]), None)
        if first is None:
            assert found.template is None or found.evidence.by == "role colours"
        else:
            assert found.template.is_isomorphic(first)
            assert found.minimal


@pytest.mark.parametrize("directed", [False, True])
def test_copies_are_isomorphic_and_the_map_proves_it(directed):
    for seed in range(60):
        graph = gnp(3 + seed % 12, (seed % 7) / 8, seed, directed=directed)
        copy = permuted(graph, seed)
        found = grape.separate(graph, copy)
        assert found.isomorphic
        assert found.template is None
        assert "isomorphic: no template can" in found.title
        image = np.array([found.mapping[v] for v in range(graph.num_nodes)])
        moved = image[graph.edge_array()]
        wanted = {tuple(pair) for pair in copy.edge_array().tolist()}
        assert {tuple(p if directed else sorted(p)) for p in moved.tolist()} == wanted


@pytest.mark.parametrize("seed", range(5))
def test_one_orbit_exactly_if_no_template_can(seed):
    graph = gnp(7, 0.35, 100 + seed)
    skeleton = graph.to_networkx()
    for u, v in itertools.combinations(range(7), 2):
        marked = [skeleton.copy(), skeleton.copy()]
        marked[0].nodes[u]["ego"] = marked[1].nodes[v]["ego"] = True
        alike = nx.is_isomorphic(*marked, node_match=lambda a, b: a.get("ego") == b.get("ego"))
        found = grape.why_different(graph, u, v)
        assert (found.isomorphic, found.found) == (alike, not alike)
        if alike:
            assert found.mapping[u] == v
            assert "in one orbit" in found.title


def test_counts_can_be_recounted():
    first, second = rings(6), rings(3, 3)
    found = grape.separate(first, second)
    assert (found.evidence.by, found.evidence.totals) == ("instances", (0, 6))
    assert found.evidence.counts == {1: (0, 6), 0: (6, 0)}
    for graph, total in zip((first, second), found.evidence.totals, strict=True):
        assert grape.count_instances(graph, found.template).sum() == total
    assert found.where() == (list(range(6)), list(range(6)))
    assert 'grape.count_instances(graph, "0-1 0-2 1-2")' in str(found)


def test_role_counts_can_be_recounted():
    ladder = grape.Graph.from_networkx(nx.circular_ladder_graph(6))
    moebius = grape.Graph.from_networkx(nx.circulant_graph(12, [1, 6]))
    found = grape.separate(ladder, moebius)
    assert (found.template.name, found.evidence.by, found.evidence.role) == (
        "4-path", "role counts", 3,
    )  # fmt: skip
    seen = []
    for graph in (ladder, moebius):
        matrix = grape.match(graph, "4-path")[0][3].to_scipy().toarray()
        rows = [tuple(sorted(Counter(row[row > 0].tolist()).items())[::-1]) for row in matrix]
        seen.append(Counter(rows))
    assert found.evidence.counts == {
        profile: (seen[0][profile], seen[1][profile]) for profile in seen[0] + seen[1]
    }
    assert "role 3: 2 members 3 times, 1 member 2 times, 4 members once: 0 egos in" in str(found)


def test_equal_totals_may_differ_ego_by_ego():
    """Two 3-stars, or a 2- and a 4-star of as many nodes and edges: equal edges, other degrees."""
    first = grape.Graph.from_edges([0, 1, 2], [1, 2, 3])
    second = grape.Graph.from_edges([0, 0, 0], [1, 2, 3])
    found = grape.separate(first, second)
    assert (found.template.name, found.evidence.by) == ("edge", "instances per ego")
    assert found.evidence.totals == (6, 6)
    assert found.evidence.counts == {3: (0, 1), 2: (2, 0), 1: (2, 3)}


def test_graphs_of_other_sizes_differ_in_the_edge():
    found = grape.separate(rings(5), rings(6))
    assert (found.template.name, found.evidence.totals) == ("edge", (10, 12))
    lonely = [grape.Graph.from_edges([], [], num_nodes=n) for n in (2, 3)]
    assert grape.separate(*lonely).evidence.counts == {0: (2, 3)}


@pytest.mark.parametrize("where", ["node", "edge"])
def test_types_that_are_not_looked_at_are_said(where):
    plain, typed = nx.path_graph(3), nx.path_graph(3)
    getattr(nx, f"set_{where}_attributes")(typed, "C", "type")
    said = "by structure alone: labels and types were not looked at"
    assert said in str(grape.separate(plain, typed))
    assert said in str(grape.why_different(typed, 0, 2))
    assert said not in str(grape.separate(plain, plain))


def test_no_graph_at_all_is_isomorphic_to_itself():
    nothing = grape.Graph.from_edges([], [], num_nodes=0)
    assert grape.separate(nothing, nothing).isomorphic


def test_a_large_cycle_is_found_and_proven_smallest():
    found = grape.separate(rings(14), rings(7, 7))
    assert (found.template.name, found.evidence.totals, found.minimal) == ("7-cycle", (0, 14), True)


def test_refined_colours_are_the_last_resort():
    """No count of the edge differs, but the degrees of the neighbours do."""
    first = grape.Graph.from_edges([0, 1, 2, 4, 4], [1, 2, 3, 5, 6])
    second = grape.Graph.from_edges([0, 1, 2, 3, 5], [1, 2, 3, 4, 6])
    found = grape.separate(first, second, size=2)
    assert (found.template.name, found.evidence.by) == ("edge", "role colours")
    assert 'recount: grape.role_colours([first, second], "0-1")' in str(found)
    assert grape.role_colours([first, second], found.template).num_classes == 2
    assert grape.separate(first, second).evidence.by != "role colours"


def test_colours_have_a_share_of_the_time():
    """Far from the ends of a path no template of eight nodes differs, and not all are counted."""
    path = grape.Graph.from_networkx(nx.path_graph(40))
    found = grape.why_different(path, 19, 15, time="1s")
    assert not found.exhausted
    assert found.title == "role colours by edge tell 19 from 15"
    colours = grape.role_colours(path, "edge").nodes[0]
    assert f"around 19: colour {colours[19]}" in str(found)
    assert f"around 15: colour {colours[15]}" in str(found)
    open_ = grape.why_different(rings(20, 21), 0, 20, size=7, time="1s")
    assert "they are not in one orbit: another template can tell them apart" in str(open_)


def test_given_templates_are_tried_in_order():
    found = grape.separate(rings(6), rings(3, 3), templates="6-cycle,4-path,edge")
    assert found.template.name == "4-path"
    found = grape.separate(rings(8), rings(4, 4), templates=["edge", "triangle"])
    assert "none of 2 templates differs" in found.title
    assert "they are not isomorphic: another template can tell them apart" in str(found)


def test_no_time_is_said():
    found = grape.separate(rings(14), rings(7, 7), time=0)
    assert found.title == "first graph and second graph: none found within 0 s"
    assert "templates counted: none" in str(found)


def test_the_budget_is_kept():
    """Two strongly regular graphs of 16 nodes need more time than that for eight nodes."""
    rook = nx.line_graph(nx.complete_bipartite_graph(5, 5))
    start = time.process_time()
    found = grape.why_different(
        grape.Graph.from_networkx(nx.convert_node_labels_to_integers(rook)), 0, 1, time="1s"
    )
    assert found.isomorphic
    big = [gnp(400, 0.1, 0), gnp(400, 0.1, 0)]
    assert grape.separate(*big, time="1s").isomorphic in (True, None)
    assert time.process_time() - start < 30


def test_an_answer_that_is_not_proven_smallest(monkeypatch):
    real = search.compare

    def compare(graph, template, groups, settings):
        if template.num_nodes == 6 and template.name is None:
            raise BudgetExceededError("time", "over")
        return real(graph, template, groups, settings)

    monkeypatch.setattr(search, "compare", compare)
    found = grape.separate(rings(14), rings(7, 7))
    assert (found.template.name, found.minimal) == ("7-cycle", False)
    assert "whether it is the smallest is open" in str(found)


def test_counts_that_do_not_fit_leave_the_question_open(monkeypatch):
    real = search.compare

    def compare(graph, template, groups, settings):
        if template.name == "3-path":
            raise CountOverflowError("too many")
        return real(graph, template, groups, settings)

    monkeypatch.setattr(search, "compare", compare)
    found = grape.separate(rings(6), rings(3, 3))
    assert (found.template.name, found.minimal) == ("triangle", False)


def test_directed_rings():
    one = grape.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True)
    two = grape.Graph.from_edges([0, 1, 0], [1, 2, 2], directed=True)
    found = grape.separate(one, two)
    assert (found.template.text, found.minimal) == ("0<1", True)
    assert grape.separate(one, permuted(one, 3)).isomorphic


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: grape.separate(g, g, size=9), "size=9 must be at most 8"),
        (lambda g: grape.separate(g, g, size=1), "size=1 must be at least 2"),
        (lambda g: grape.separate(g, g, time="soon"), "cannot read 'soon' as a duration"),
        (lambda g: grape.separate(g, g, templates="0-1 1:x"), "asks for labels"),
        (lambda g: grape.separate(g, g, templates="to"), "'0<1' is directed but the graph is"),
        (lambda g: grape.why_different(g, 0, 0), "0 and 0 are the same node: name two"),
        (lambda g: grape.why_different(g, 0, 77), "77"),
        (
            lambda g: grape.separate(g, grape.Graph.from_edges([0], [1], directed=True)),
            "graph 0 is undirected and graph 1 directed: convert one of them",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(grape.GrapeError, match=message):
        call(rings(5))


def test_json_has_the_proof():
    data = grape.separate(rings(6), rings(3, 3)).to_json()
    assert data["template"] == {"name": "triangle", "text": "0-1 0-2 1-2"}
    assert data["instances"] == [0, 6]
    assert data["counts"] == [{"value": 1, "egos": [0, 6]}, {"value": 0, "egos": [6, 0]}]
    assert (data["minimal"], data["isomorphic"], data["tried"]) == (True, False, {"2": 1, "3": 3})
    assert grape.separate(rings(3), rings(3)).to_json()["mapping"] == [[0, 0], [1, 1], [2, 2]]


@pytest.mark.parametrize(
    "found",
    [
        grape.separate(rings(6), rings(3, 3)),
        grape.separate(rings(6), rings(6)),
        grape.why_different(rings(6), 0, 3),
        grape.why_different(gnp(12, 0.3, 1), 0, 1),
        grape.separate(rings(4), grape.Graph.from_edges([], [], num_nodes=0)),
    ],
    ids=str,
)
def test_the_figure_is_a_document(found):
    from xml.etree import ElementTree

    root = ElementTree.fromstring(found.svg())
    words = "".join(root.itertext())
    assert found.title in words
    assert all(line in words for line in found.explanation())
