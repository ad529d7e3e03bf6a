"""Laws that hold for any graph and template, on inputs found by hypothesis."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grape_gnn.graph import Graph
from grape_gnn.roles import ENGINES, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import template as named_template
from grape_gnn.testing import Case, disagreement, random_template

QUICK = settings(max_examples=40, deadline=None)
engines = pytest.mark.parametrize("engine", ENGINES)


@st.composite
def graphs(draw: st.DrawFn, directed: bool, max_nodes: int = 8) -> Graph:
    n = draw(st.integers(0, max_nodes))
    pairs = [(a, b) for a in range(n) for b in range(n) if (a != b if directed else a < b)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    y = draw(st.lists(st.integers(-1, 1), min_size=n, max_size=n))
    src, dst = [a for a, _ in chosen], [b for _, b in chosen]
    return Graph.from_edges(
        np.array(src, np.int64),
        np.array(dst, np.int64),
        num_nodes=n,
        directed=directed,
        y=np.array(y, np.int64),
        label_names=(0, 1),
    )


@st.composite
def inputs(draw: st.DrawFn, max_template: int = 5) -> tuple[Graph, Template]:
    directed = draw(st.booleans())
    template = random_template(
        draw(st.integers(0, 10**6)),
        max_nodes=draw(st.integers(2, max_template)),
        directed=directed,
        labels=draw(st.sampled_from([0, 0, 2])),
    )
    return draw(graphs(directed)), template


def dense(graph: Graph, template: Template, **options: object) -> list[np.ndarray]:
    return [role.to_scipy().toarray() for role in match(graph, [template], **options)[0]]


@engines
@given(pair=inputs(), weighting=st.sampled_from(["count", "set"]))
@QUICK
def test_equals_brute_force(engine, pair, weighting):
    assert disagreement(Case(*pair, engine, weighting)) is None


@given(pair=inputs(max_template=6), weighting=st.sampled_from(["count", "set"]))
@QUICK
def test_induced_equals_brute_force(pair, weighting):
    assert disagreement(Case(*pair, "enumerate", weighting, induced=True)) is None


@engines
@given(pair=inputs(), seed=st.integers(0, 1000))
@QUICK
def test_relabelling_the_graph_permutes_the_result(engine, pair, seed):
    graph, template = pair
    new = np.random.default_rng(seed).permutation(graph.num_nodes)
    edges = graph.edge_array()
    renamed = Graph.from_edges(
        new[edges[:, 0]],
        new[edges[:, 1]],
        num_nodes=graph.num_nodes,
        directed=graph.directed,
        y=graph.y[np.argsort(new)],
        label_names=graph.label_names,
    )
    before = dense(graph, template, engine=engine)
    after = dense(renamed, template, engine=engine)
    for old, permuted in zip(before, after, strict=True):
        np.testing.assert_array_equal(permuted[np.ix_(new, new)], old)


@engines
@given(pair=inputs())
@QUICK
def test_renumbering_the_template_reorders_the_roles(engine, pair):
    graph, template = pair
    order = [0, *range(template.num_nodes - 1, 0, -1)]
    other = template.relabel(order)
    ours, theirs = dense(graph, template, engine=engine), dense(graph, other, engine=engine)
    for j, role in enumerate(template.roles):
        same = next(k for k, r in enumerate(other.roles) if order.index(role[0]) in r)
        np.testing.assert_array_equal(ours[j], theirs[same])


@engines
@given(pair=inputs())
@QUICK
def test_an_isolated_node_changes_nothing(engine, pair):
    graph, template = pair
    edges = graph.edge_array()
    larger = Graph.from_edges(
        edges[:, 0],
        edges[:, 1],
        num_nodes=graph.num_nodes + 1,
        directed=graph.directed,
        y=np.append(graph.y, 0),
        label_names=graph.label_names,
    )
    before, after = (dense(g, template, engine=engine) for g in (graph, larger))
    for small, large in zip(before[1:], after[1:], strict=True):
        np.testing.assert_array_equal(large[:-1, :-1], small)
        assert not large[-1].any()
        assert not large[:, -1].any()


@engines
@given(pair=inputs())
@QUICK
def test_each_instance_fills_each_role_once_per_member(engine, pair):
    graph, template = pair
    result = match(graph, [template], engine=engine)[0]
    for j, role in enumerate(template.roles[1:], start=1):
        expected = np.asarray(result.totals) * len(role)
        np.testing.assert_array_equal(np.asarray(result[j].row_sums()).ravel(), expected)


@engines
@given(graph=graphs(directed=False, max_nodes=10))
@QUICK
def test_identities_of_well_known_counts(engine, graph):
    def totals(name: str) -> np.ndarray:
        return np.asarray(match(graph, [named_template(name)], engine=engine)[0].totals)

    degrees = graph.degrees
    np.testing.assert_array_equal(totals("edge"), degrees)
    assert totals("edge").sum() == 2 * graph.num_edges
    wedges = sum(math.comb(d, 2) for d in degrees.tolist())
    assert totals("S2").sum() in (wedges, 2 * wedges)  # once per centre, or once per end
    assert totals("triangle").sum() % 3 == 0
    assert totals("S5").sum() % 4 == 0


@engines
@given(pair=inputs())
@QUICK
def test_anchors_of_one_orbit_give_transposed_roles(engine, pair):
    """Instances anchored at b are those anchored at a, seen from b."""
    graph, template = pair
    b = template.num_nodes - 1
    order = [b, *(k for k in range(template.num_nodes) if k != b)]
    other = template.relabel(order)
    ours, theirs = (match(graph, [t], engine=engine)[0] for t in (template, other))
    maps = sum(ours.totals.tolist()) * template.num_automorphisms
    assert maps == sum(theirs.totals.tolist()) * other.num_automorphisms
    role_b = next(j for j, r in enumerate(template.roles) if b in r)
    role_a = next(j for j, r in enumerate(other.roles) if order.index(0) in r)
    pairs = ours[role_b].to_scipy().toarray() * template.num_automorphisms
    back = theirs[role_a].to_scipy().toarray() * other.num_automorphisms
    np.testing.assert_array_equal(
        pairs * len(other.roles[role_a]), back.T * len(template.roles[role_b])
    )
