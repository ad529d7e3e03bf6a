"""The Template class: construction, comparison, conversion."""

from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

from grape_gnn.errors import TemplateError
from grape_gnn.template import Template

TAILED = Template("0-1 0-2 1-2 0-3", name="tailed triangle")


def test_properties() -> None:
    assert TAILED.num_nodes == 4
    assert TAILED.roles == ((0,), (1, 2), (3,))
    assert TAILED.role_of == (0, 1, 1, 2)
    assert TAILED.num_roles == 3
    assert TAILED.num_automorphisms == 2
    assert TAILED.automorphisms == ((0, 1, 2, 3), (0, 2, 1, 3))
    assert not TAILED.has_labels


def test_from_pairs_arrays_and_templates() -> None:
    assert Template([(1, 0), (1, 2)]) == Template("0-1 1-2")
    assert Template(np.array([[0, 1], [1, 2]])) == Template("0-1 1-2")
    with pytest.raises(TemplateError, match=r"template \[\[0, 0\]\] has the self-loop"):
        Template(np.array([[0, 0]]))
    assert Template([(1, 0), (0, 1)], directed=True) == Template("0<>1")
    again = Template(TAILED)
    assert again == TAILED
    assert again.name == "tailed triangle"
    assert Template(TAILED, labels={3: "x"}, name="other").text == "0-1 0-2 0-3 1-2 3:x"


def test_labels_take_part_in_roles_and_equality() -> None:
    labelled = Template("0-1 0-2 1:a")
    assert labelled.roles == ((0,), (1,), (2,))
    assert labelled != Template("0-1 0-2")
    assert labelled == Template([(0, 1), (0, 2)], labels=[None, "a", None])
    assert labelled == Template([(0, 1), (0, 2)], labels={1: np.str_("a")})
    assert Template("0-1 0-2 1:a 2:a").roles == ((0,), (1, 2))
    assert Template("0-1 1:1") != Template('0-1 1:"1"')
    assert labelled.is_isomorphic(Template("0-1 0-2 2:a"))
    assert not labelled.is_isomorphic(Template("0-1 0-2 2:b"))


def test_equality_looks_at_numbering_and_direction_not_name() -> None:
    assert TAILED.with_name(None) == TAILED
    assert TAILED.with_name(None).name is None
    assert hash(TAILED) == hash(TAILED.with_name("x"))
    assert Template("0-1 1-2") != Template("0-2 2-1")
    assert Template("0-1") != Template("0<>1")
    assert not Template("0-1").is_isomorphic(Template("0<>1"))
    assert TAILED != "0-1 0-2 1-2 0-3"


def test_immutable() -> None:
    with pytest.raises(AttributeError, match="a Template is immutable: build a new one"):
        TAILED.name = "x"
    with pytest.raises(AttributeError, match="immutable"):
        del TAILED.edges


def test_repr_is_complete() -> None:
    assert repr(TAILED) == "Template('0-1 0-2 0-3 1-2', name='tailed triangle')"
    assert eval(repr(TAILED)) == TAILED


def test_pickle_and_copy() -> None:
    assert TAILED.roles
    for same in (pickle.loads(pickle.dumps(TAILED)), copy.deepcopy(TAILED)):
        assert same == TAILED
        assert same.name == TAILED.name
        assert same.canonical == TAILED.canonical


def test_relabel_moves_the_anchor() -> None:
    assert TAILED.relabel([3, 0, 1, 2]) == Template("0-1 1-2 1-3 2-3")
    with pytest.raises(TemplateError, match=r"order \[0, 0, 1, 2\] does not list each node"):
        TAILED.relabel([0, 0, 1, 2])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"edges": 5}, r"cannot make a template from 5: give text such as '0-1 1-2'"),
        ({"edges": []}, r"template \[\] has no edge"),
        ({"edges": [(0, 1, 2)]}, r"has \(0, 1, 2\) where an edge is expected"),
        ({"edges": [(0, 1.7)]}, r"has \(0, 1.7\) where an edge is expected"),
        ({"edges": [3]}, r"has 3 where an edge is expected"),
        ({"edges": [(0, -1)]}, r"negative node in the edge \(0, -1\)"),
        ({"edges": "0-1", "directed": True}, r"'0-1' is undirected, but directed=True"),
        ({"edges": "0>1", "directed": False}, r"'0>1' is directed, but directed=False"),
        ({"edges": "0-1 1:a", "labels": {1: "b"}}, r"labels in its text and in labels="),
        ({"edges": "0-1", "labels": ["a"]}, r"has 2 nodes but 1 labels were given"),
        ({"edges": "0-1", "labels": "a"}, r"labels='a'.*pass a mapping such as \{1: 'a'\}"),
        ({"edges": "0-1", "labels": {2: "a"}}, r"gives a label to node 2"),
        ({"edges": "0-1", "labels": {1: 0.5}}, r"asks for the label 0.5: a label is text or a"),
        ({"edges": "0-1", "labels": {1: True}}, r"asks for the label True"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template(**arguments)


def test_from_adjacency_decides_on_direction() -> None:
    path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert Template.from_adjacency(path) == Template("0-1 1-2")
    assert Template.from_adjacency(path, directed=True) == Template("0<>1 1<>2")
    assert Template.from_adjacency([[0, 1], [0, 0]]) == Template("0>1")
    assert Template.from_adjacency(sparse.csr_array(path)) == Template("0-1 1-2")
    assert Template.from_adjacency(path, labels={2: "a"}, name="p").labels[2] == "a"


@pytest.mark.parametrize(
    ("matrix", "directed", "message"),
    [
        ([[0, 1]], None, r"shape \(1, 2\) is not square"),
        ([[0, 2], [2, 0]], None, r"entries other than 0 and 1: templates have no edge weights"),
        ([[0, np.nan], [1, 0]], None, r"entries other than 0 and 1"),
        ([[0, 1], [0, 0]], False, r"not symmetric: pass directed=True"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], None, r"node 2 of the adjacency matrix.*no edge"),
        ([[1, 1], [1, 0]], None, r"self-loop 0-0"),
        (np.ones((9, 9)), None, r"adjacency matrix of 9 nodes: a template has at most 8"),
        ([], None, r"is not square"),
        ([[0, 1], [1]], None, r"has rows of different lengths"),
    ],
)
def test_bad_adjacency(matrix: object, directed: bool | None, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template.from_adjacency(matrix, directed)


def test_networkx() -> None:
    graph = nx.Graph([("a", "b"), ("b", "c")], name="mine")
    graph.nodes["c"]["label"] = "physics"
    template = Template.from_networkx(graph, anchor="b")
    assert repr(template) == "Template('0-1 0-2 2:physics', name='mine')"
    assert Template.from_networkx(nx.DiGraph([(5, 4)]), anchor=4) == Template("0<1")
    back = TAILED.to_networkx()
    assert nx.get_node_attributes(back, "role") == {0: 0, 1: 1, 2: 1, 3: 2}
    assert Template("0>1").to_networkx().is_directed()


@pytest.mark.parametrize(
    ("graph", "anchor", "message"),
    [
        (nx.path_graph(3), 7, r"the anchor 7 is not a node of the networkx graph: its nodes are"),
        (nx.path_graph(9), 0, r"networkx graph has 9 nodes: a template has at most 8"),
        (nx.empty_graph(1), 0, r"node 0 of the networkx graph has no edge"),
        (nx.Graph([(0, 1), (2, 3)]), 0, r"is disconnected"),
        (nx.MultiGraph([(0, 1), (0, 1)]), 0, r"has the edge 0-1 twice"),
    ],
)
def test_bad_networkx(graph: nx.Graph, anchor: object, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template.from_networkx(graph, anchor)


def test_types_of_edges() -> None:
    star = Template("0-1=double 0-2", name="star")
    assert star.edge_types == ("double", None)
    assert star.type_of_edge == {(0, 1): "double"}
    assert star.has_edge_types
    assert not Template("0-1 0-2").has_edge_types
    assert star == Template([(2, 0), (1, 0)], edge_types={(1, 0): "double"})
    assert star == Template("0-1 0-2", edge_types={(0, 1): "double", (0, 2): None})
    assert star == Template(star)
    assert star != Template("0-1 0-2=double")
    assert star != Template("0-1 0-2")
    assert hash(star) == hash(Template("0-2 1-0=double"))


def test_symmetries_keep_the_types_of_edges() -> None:
    assert Template("0-1=a 0-2=a").roles == ((0,), (1, 2))
    assert Template("0-1=a 0-2=b").roles == ((0,), (1,), (2,))
    assert Template("0-1=a 0-2").roles == ((0,), (1,), (2,))
    assert Template("0-1 0-2 1-2=a").roles == ((0,), (1, 2))
    assert Template("0<>1=a 0<>2=a").num_automorphisms == 2
    assert Template("0<1=a 0>1=b 0<>2=a").num_automorphisms == 1
    assert Template("0-1=1 0-2=1").num_automorphisms == 2
    assert Template('0-1=1 0-2="1"').num_automorphisms == 1
    ring = Template("0-1=a 1-2=b 2-3=a 0-3=b")
    assert ring.roles == ((0,), (1,), (2,), (3,))


def test_canonical_form_with_types_of_edges() -> None:
    assert Template("0-1=a 0-2=b").is_isomorphic(Template("0-1=b 0-2=a"))
    assert Template("0-1=a 1-2=b").canonical != Template("0-1=b 1-2=a").canonical
    assert Template("0-1=a 1-2=b").canonical != Template("0-1 1-2=b").canonical
    assert Template("0-1=a 1-2").relabel([1, 0, 2]) == Template("0-1=a 0-2")
    assert Template("0>1=a 1>0=b").relabel([1, 0]) == Template("0>1=b 0<1=a")


def test_family_keeps_the_types_of_edges() -> None:
    assert [t.text for t in Template("0-1=a").children()] == ["0-1=a 0-2", "0-1=a 1-2"]
    parents = {t.text for t in Template("0-1=a 0-2=b 1-2").parents()}
    assert parents == {"0-1=a 0-2=b", "0-1=a 1-2", "0-2=b 1-2"}
    assert [t.text for t in Template("0-1=a 0-2=b").parents()] == ["0-1=a", "0-1=b"]


@pytest.mark.parametrize(
    ("types", "message"),
    [
        ({(0, 2): "a"}, r"gives a type to the edge 0-2, which it does not have"),
        (["a"], r"edge_types=\['a'\] of template '0-1' is no mapping: pass one from edge to type"),
        ({(0, 1): 1.5}, r"asks for the type 1.5: a type is text or a whole number"),
        ({0: "a"}, r"has 0 where an edge is expected"),
    ],
)
def test_bad_types_of_edges(types: object, message: str) -> None:
    with pytest.raises(TemplateError, match=message):
        Template("0-1", edge_types=types)  # type: ignore[arg-type]


def test_types_of_edges_are_given_once() -> None:
    with pytest.raises(TemplateError, match="in its text and in edge_types="):
        Template("0-1=a", edge_types={(0, 1): "b"})


def test_networkx_with_types_of_edges() -> None:
    graph = nx.Graph([("c", "o", {"type": "double"}), ("c", "h")])
    template = Template.from_networkx(graph, "c")
    assert template == Template("0-1=double 0-2")
    assert template.to_networkx().edges[0, 1] == {"type": "double"}
    assert Template.from_networkx(template.to_networkx(), 0) == template
