"""Colours of pairs: 2-FWL refinement of role profiles."""

from __future__ import annotations

import networkx as nx
import pytest

import grape_gnn as grape
from grape_gnn.testing import gnp
from grape_gnn.testing.look_alikes import SKIPS, cai_fuerer_immerman, permuted, rings, skip_links


def refined(graphs):
    """Refine pairs of all graphs together with tuples, no hashing; return the classes."""
    colours = [{(v, u): (v == u, g.has_edge(v, u)) for v in g for u in g} for g in graphs]
    while True:
        seen = [
            {(v, u): (c[v, u], tuple(sorted((c[v, w], c[w, u]) for w in g))) for v in g for u in g}
            for g, c in zip(graphs, colours, strict=True)
        ]
        numbers = {x: k for k, x in enumerate(sorted({x for s in seen for x in s.values()}))}
        before = len({x for c in colours for x in c.values()})
        colours = [{pair: numbers[x] for pair, x in s.items()} for s in seen]
        if len(numbers) == before:
            return [tuple(sorted(c.values())) for c in colours]


def test_the_edge_alone_is_the_folklore_test():
    graphs = [nx.gnm_random_graph(5, 5, seed=seed) for seed in range(30)]
    graphs += [nx.cycle_graph(6), nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(3))]
    found = grape.pair_colours(graphs, "edge").tolist()
    wanted = refined(graphs)
    for i in range(len(graphs)):
        for j in range(i):
            assert (found[i] == found[j]) == (wanted[i] == wanted[j])


@pytest.mark.parametrize("directed", [False, True])
def test_copies_are_of_one_class(directed):
    graphs = [
        gnp(3 + seed % 14, 0.1 + seed % 5 / 8, seed, directed=directed) for seed in range(100)
    ]
    copies = [permuted(graph, seed) for seed, graph in enumerate(graphs)]
    found = grape.pair_colours([*graphs, *copies], "from-to,to" if directed else "social")
    assert found[:100].tolist() == found[100:].tolist()
    assert found.max() > 60


def test_pairs_see_more_than_nodes():
    graphs = [skip_links(skip) for skip in SKIPS]
    assert grape.role_colours(graphs, "social").num_classes < 10
    assert len(set(grape.pair_colours(graphs, "edge").tolist())) == 10
    base = list(nx.complete_graph(4).edges)
    hard = [cai_fuerer_immerman(base, twisted=twisted) for twisted in (False, True)]
    assert grape.pair_colours(hard, "edge").tolist() == [0, 0]  # both strongly regular
    assert grape.role_colours(hard, "edge,3-path,4-path").num_classes == 1
    assert grape.pair_colours(hard, "edge,4-clique").tolist() == [0, 1]


def test_limits():
    with pytest.raises(grape.GrapeError, match="201 nodes has too many pairs to refine"):
        grape.pair_colours([rings(201)], "edge")
    assert grape.pair_colours([rings(6), rings(3, 3)], "edge", rounds=0).tolist() == [0, 1]
    assert grape.pair_colours([], "edge").tolist() == []
