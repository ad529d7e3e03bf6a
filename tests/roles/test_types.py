"""What templates ask for: types of nodes and edges, labels where nodes have no types."""

from __future__ import annotations

import warnings

import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import GrapeWarning
from grape_gnn.graph import Graph
from grape_gnn.graph.typed import types_of_edges
from grape_gnn.graphs import GraphSet
from grape_gnn.roles import ENGINES
from grape_gnn.template import Template
from grape_gnn.testing import brute_force_roles, random_template, typed

# Formic acid without its hydrogens, and methane's carbon: O=C-O.
ACID = Graph.from_edges(
    [0, 1], [1, 2], types=["O", "C", "O"], edge_types=["double", "single"], y=["a", "b", "a"]
)


def totals(graph, text, **settings):
    return grape.match(graph, Template(text), **settings)[0].totals.tolist()


@pytest.mark.parametrize("engine", ENGINES)
def test_types_of_nodes_and_edges(engine):
    assert totals(ACID, "0-1=double", engine=engine) == [1, 1, 0]
    assert totals(ACID, "0-1=double 1:O", engine=engine) == [0, 1, 0]
    assert totals(ACID, "0-1=double 1-2=single", engine=engine) == [1, 0, 0]
    assert totals(ACID, "0-1 1:C", engine=engine) == [1, 0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_type_that_the_graph_lacks_is_no_instance(engine):
    with pytest.warns(GrapeWarning, match=r"asks for the node type 'X', which no node.*'C', 'O'"):
        assert totals(ACID, "0-1 1:X", engine=engine) == [0, 0, 0]
    with pytest.warns(GrapeWarning, match="asks for the edge type 'triple'.*'double', 'single'"):
        assert totals(ACID, "0-1=triple", engine=engine) == [0, 0, 0]
    with pytest.warns(GrapeWarning, match="asks for the edge type"):
        assert totals(ACID, "0-1=triple 0-2=quadruple", engine=engine) == [0, 0, 0]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_graph_without_any_types_has_no_instance(engine):
    plain = Graph.from_edges([0, 1], [1, 2])
    with pytest.warns(GrapeWarning, match="its nodes have no types"):
        assert totals(plain, "0-1 1:O", engine=engine) == [0, 0, 0]
    with pytest.warns(GrapeWarning, match="its edges have no types"):
        assert totals(plain, "0-1=double 1-2", engine=engine) == [0, 0, 0]


def test_labels_take_the_place_of_types_that_are_not_there():
    path = Graph.from_edges([0, 1], [1, 2], y=["a", "b", "a"])
    assert totals(path, "0-1 1:b") == [1, 0, 1]
    with pytest.warns(GrapeWarning, match="'b', which no node"):
        assert totals(ACID, "0-1 1:b") == [0, 0, 0]  # types are there: labels are not asked


@pytest.mark.parametrize("seed", range(20))
def test_instances_and_sets_of_an_ego(seed):
    graph = typed(8, 0.6, seed)
    template = random_template(seed, max_nodes=4, labels=2, edge_types=2)
    found = list(grape.instances(graph, template))
    assert len(found) == grape.match(graph, template)[0].totals.sum()
    kinds = dict(zip(map(tuple, graph.edge_array().tolist()), types_of_edges(graph), strict=True))
    for instance in found:
        for (a, b), asked in template.type_of_edge.items():
            assert kinds[tuple(sorted((instance[a], instance[b])))] == asked


@pytest.mark.parametrize("seed", range(6))
def test_samples_are_of_the_right_type(seed):
    graph = typed(9, 0.8, seed)
    template = Template("0-1=0 1-2=1 0-3")
    exact = brute_force_roles(graph, template)
    sampled = grape.match(graph, template, sample=3, seed=seed)[0]
    assert sampled.sampled
    for role, counts in zip(sampled, exact, strict=True):
        assert not (role.to_scipy().toarray()[counts == 0]).any()
    whole = grape.match(graph, template, sample=10**6)[0]
    for role, counts in zip(whole, exact, strict=True):
        assert np.array_equal(role.to_scipy().toarray(), counts)


def test_instances_grow_from_those_of_typed_parents():
    graph = typed(12, 0.5, seed=1)
    store = grape.InstanceStore(graph)
    chain = ["0-1=0", "0-1=0 1-2", "0-1=0 1-2 0-2=1", "0-1=0 1-2 0-2=1 2-3=0"]
    for text in chain:
        template = Template(text)
        output = store.roles(template)
        for matrix, counts in zip(
            output.matrices, brute_force_roles(graph, template)[1:], strict=True
        ):
            assert np.array_equal(matrix.toarray(), counts)
    assert (store.statistics.fresh, store.statistics.derived) == (1, 3)


def test_a_set_of_graphs():
    molecules = []
    for bonds in (["double", "single"], ["single", "single"], [None, None]):
        one = nx.path_graph(3)
        for edge, bond in zip(one.edges, bonds, strict=True):
            if bond is not None:
                one.edges[edge]["type"] = bond
        molecules.append(one)
    graphs = GraphSet.of(molecules)
    template = Template("0-1=double 1-2=single")
    found = grape.match(graphs, template)
    assert [found.of(k)[0].totals.tolist() for k in range(3)] == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = grape.match(graphs[0], template)[0]
    assert alone.totals.tolist() == [1, 0, 0]


def test_files_of_roles_keep_types(tmp_path):
    roles = grape.match(ACID, Template("0-1=double 1:O"))
    roles.save(tmp_path / "roles.npz")
    again = grape.load_roles(tmp_path / "roles.npz")
    assert again[0].template == roles[0].template
    assert again.graph.edge_types.tolist() == ACID.edge_types.tolist()


def test_plans_are_explained_in_terms_of_types():
    text = str(grape.explain_plan(ACID, Template("0-1=double 1-2=single")))
    assert "A[double]·A[single]" in text
    assert "the adjacency matrix of the edges of type 'double'" in text


def test_half_typed_templates_do_not_shadow_each_other():
    graph = typed(10, 0.7, seed=2)
    wanted = [Template(text) for text in ("0-1 1-2", "0-1=0 1-2", "0-1 1-2=0", "0-1=0 1-2=1")]
    for template, roles in zip(wanted, grape.match(graph, wanted, engine="algebra"), strict=True):
        for role, counts in zip(roles, brute_force_roles(graph, template), strict=True):
            assert np.array_equal(role.to_scipy().toarray(), counts)
            assert np.array_equal(role @ np.eye(10), counts)
            assert np.allclose(role @ np.eye(10, dtype=np.float32), counts)
            assert np.array_equal(role.T @ np.eye(10), counts.T)
