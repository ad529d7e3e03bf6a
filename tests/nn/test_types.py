"""Types in training: edges of each type have weights of their own, labels are never asked for."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data

import grape_gnn as grape
from grape_gnn.errors import GrapeWarning, ModelError
from grape_gnn.graph import Graph
from grape_gnn.nn import RoleValues
from grape_gnn.products.means import RoleMeans
from grape_gnn.pyg import AddEgoRoles, EgoRoles, GRAPEConv
from grape_gnn.testing import typed

BONDS = Data(
    edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]),
    edge_attr=torch.tensor([[2], [2], [1], [1]]),
    num_nodes=3,
    x=torch.eye(3),
)


def test_every_role_next_to_the_ego_is_split_by_type():
    graph = typed(9, 0.6, seed=1)
    split = grape.by_edge_type("edge,triangle", [0, 1])
    assert [t.text for t in split] == [
        "0-1", "0-1=0", "0-1=1", "0-1 0-2 1-2", "0-1=0 0-2 1-2", "0-1=1 0-2 1-2",
    ]  # fmt: skip
    dense = np.zeros((9, 9), int)
    tails = np.repeat(np.arange(9), graph.degrees)
    dense[tails, graph.indices] = graph.edge_types + 2
    for name, typed_ones in (("edge", split[1:3]), ("triangle", split[4:])):
        whole = grape.match(graph, name)[0][1].to_scipy().toarray()
        for kind, template in enumerate(typed_ones):
            part = grape.match(graph, template)[0][template.role_of[1]].to_scipy().toarray()
            assert np.array_equal(part, np.where(dense == kind + 2, whole, 0))


def test_templates_with_types_are_not_split_again():
    again = grape.by_edge_type(["0-1=a", "0-1 1-2"], ["a"])
    assert [t.text for t in again] == ["0-1=a", "0-1 1-2", "0-1=a 1-2"]


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_a_layer_has_a_map_for_every_type_of_edge(preset):
    templates = grape.by_edge_type("edge", [1, 2])
    add, conv = AddEgoRoles(templates, preset), GRAPEConv(3, 4, templates, preset).eval()
    out = conv(BONDS.x, EgoRoles(add(BONDS.clone())))
    turned = BONDS.clone()
    turned.edge_attr = 3 - BONDS.edge_attr
    assert not torch.allclose(out, conv(BONDS.x, EgoRoles(add(turned))))
    both = Batch.from_data_list([add(BONDS.clone()), add(turned)])
    together = conv(both.x, EgoRoles(both), both.batch)
    assert torch.allclose(together[:3], out, atol=1e-6)


def test_edge_attr_is_not_left_out_in_silence():
    with pytest.warns(GrapeWarning, match=r"edge_attr is not used.*by_edge_type"):
        AddEgoRoles("edge")(BONDS.clone())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AddEgoRoles(grape.by_edge_type("edge", [1, 2]))(BONDS.clone())
        AddEgoRoles(grape.by_edge_type("edge", [7]))(BONDS.clone())  # no such bond: no member


def test_an_edge_index_has_no_types():
    conv = GRAPEConv(3, 4, ["0-1=1"], match=True)
    with pytest.raises(ModelError, match=r"edge_index, which has no types.*'0-1=1' asks"):
        conv(BONDS.x, BONDS.edge_index)


@pytest.mark.parametrize("made", [RoleValues, RoleMeans])
def test_labels_to_be_learnt_are_not_asked_for(made):
    path = Graph.from_edges([0, 1], [1, 2], y=["a", "b", "a"])
    found = grape.match(path, ["0-1 1:a"])
    with pytest.raises(ModelError, match="'0-1 1:a' asks for labels, which are what is learnt"):
        made(found)
    apart = Graph.from_edges([0, 1], [1, 2], y=["a", "b", "a"], types=["a", "b", "a"])
    made(grape.match(apart, ["0-1 1:a"]))


def test_a_classifier_never_asks_for_labels():
    graph = typed(30, 0.2, seed=1)
    bare = Graph.from_edges(
        *graph.edge_array().T, num_nodes=30, y=graph.y, label_names=graph.label_names
    )
    model = grape.GrapeClassifier(templates=["0-1", "0-1 1:0"], epochs=2)
    with pytest.raises(ModelError, match="asks for labels, which are what is learnt"):
        model.fit(bare)
    with pytest.warns(GrapeWarning, match="the 2 types of edges are not used"):
        model.fit(graph)  # its nodes have types
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the 2 types of edges are not used")
        grape.GrapeClassifier(templates=grape.by_edge_type("edge", [0, 1]), epochs=2).fit(graph)


def test_what_is_predicted_does_not_depend_on_hidden_labels():
    graph = typed(40, 0.15, seed=3)
    train = np.arange(40) < 20
    val = (np.arange(40) >= 20) & (np.arange(40) < 30)
    other = Graph.from_edges(
        *graph.edge_array().T, num_nodes=40, label_names=graph.label_names,
        y=np.where(np.arange(40) < 30, graph.y, 1 - np.maximum(graph.y, 0)),
        types=graph.types, edge_types=grape.graph.typed.types_of_edges(graph),
    )  # fmt: skip
    model = {"templates": ["0-1=0 1:1", "0-1 1-2=1 2:0"], "epochs": 3, "seed": 0}
    scores = [
        grape.GrapeClassifier(**model).fit(g, train_mask=train, val_mask=val).predict_proba(g)
        for g in (graph, other)
    ]
    assert np.array_equal(*scores)
