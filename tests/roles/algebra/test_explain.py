"""Plans in words, costs, and the choice between the engines."""

from __future__ import annotations

import pytest

from grape_gnn.graph import Graph
from grape_gnn.roles import match
from grape_gnn.roles.algebra import choose_engine, explain_plan
from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.cost import CostModel
from grape_gnn.roles.algebra.notation import Notation
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template
from grape_gnn.template.zoo import template
from grape_gnn.testing import gnp

GRAPH = gnp(200, 0.2, seed=0)
COUNT = MatchSettings()


def test_the_number_of_instances_is_exact():
    total = int(match(GRAPH, "house", engine="enumerate")[0].totals.sum())
    assert f"enumeration would visit {total:,} instances" in explain_plan(GRAPH, "house")


def test_every_template_and_role_is_explained():
    text = explain_plan(GRAPH, "social")
    for name in ("edge", "3-path", "triangle", "4-clique", "tailed-triangle"):
        assert f"\n{name}  " in f"\n{text}"
    assert text.count("engine: algebra") == 5
    assert "where A = the adjacency matrix" in text


def test_pairs_and_memory_are_announced():
    text = explain_plan(GRAPH, "4-cycle")
    assert "role 2 (node 3): ((A·A)∘(A·A) − A·A − diag(d∘d) + D) / 2" in text
    assert "needs pairs of nodes that are not adjacent: up to" in text


def test_trees_announce_that_pairs_are_never_stored():
    text = explain_plan(GRAPH, "5-path")
    assert "computed row by row at every product, never stored" in text
    assert "MB" not in text


def test_induced_roles_are_explained_as_far_as_the_algebra_goes():
    text = explain_plan(GRAPH, "3-path", induced=True)
    total = int(match(GRAPH, "3-path", engine="enumerate", induced=True)[0].totals.sum())
    assert f"enumeration would visit {total:,} instances" in text
    assert "role 2 (node 2): −T + A·A − D" in text
    long = explain_plan(GRAPH, "0-1 1-2 2-3 3-4 4-5", induced=True)
    assert "at most about" in long
    assert "engine: enumerate" in long.splitlines()[-1]  # no roles, and no legend


def test_directed_labelled_and_searched_blocks_have_names():
    notation = Notation()
    combination = compile_role(Template("0>1 1>2 2<>0"), 1)
    assert "B" in notation.operator(combination)
    assert notation.legend["B"] == "A∘Aᵀ, the pairs with arcs both ways"
    labelled = Template([(0, 1)], labels=[None, "x"])
    assert notation.operator(compile_role(labelled, 1)) == "A·diag([label = 'x'])"
    wheel = Template("0-1 0-2 0-3 0-4 1-2 2-3 3-4 1-4")
    text = notation.operator(compile_role(wheel, 1))
    assert text.startswith("(A∘S1")
    assert notation.legend["S1"].startswith("sum by search over a block of 5 nodes")


def test_auto_prefers_the_algebra_for_trees_and_edge_values():
    model = CostModel(GRAPH)
    for name in ("3-path", "4-path", "tailed-triangle", "triangle"):
        assert choose_engine(model, template(name), COUNT) == "algebra"


def test_auto_enumerates_what_the_algebra_cannot_or_should_not_do():
    model = CostModel(GRAPH)
    path, star = template("3-path"), template("4-star")
    induced = CostModel(GRAPH, induced=True)  # a search of milliseconds
    assert choose_engine(induced, path, MatchSettings(induced=True)) == "enumerate"
    assert choose_engine(model, path, MatchSettings(weighting="set")) == "enumerate"
    assert choose_engine(model, star, MatchSettings(weighting="set")) == "algebra"
    # A search over five nodes is no better than the enumeration of six.
    octahedron = Template("0-1 0-2 0-3 0-4 1-2 2-3 3-4 1-4 5-1 5-2 5-3 5-4")
    assert choose_engine(model, octahedron, COUNT) == "enumerate"


def test_the_choice_says_what_the_engines_cost():
    text = explain_plan(GRAPH, "0-1 0-2 0-3 0-4 1-2 2-3 3-4 1-4 5-1 5-2 5-3 5-4")
    assert "  engine: enumerate (visit template nodes 0" in text
    assert "; with one product about " in text
    assert " by the algebra, " in text


def test_costs_grow_with_the_graph_and_shared_parts_are_paid_once():
    small, large = CostModel(gnp(50, 0.2, seed=0)), CostModel(gnp(200, 0.2, seed=0))
    triangles = [matrix for _, matrix in compile_role(template("triangle"), 1).terms]
    assert small.prepare(triangles).seconds < large.prepare(triangles).seconds
    assert large.prepare(triangles * 2) == large.prepare(triangles)


@pytest.mark.parametrize("nodes", [0, 3])
def test_graphs_without_edges(nodes):
    text = explain_plan(Graph.from_edges([], [], num_nodes=nodes), "house")
    assert "enumeration would visit 0 instances" in text
