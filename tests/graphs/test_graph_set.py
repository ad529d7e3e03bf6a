"""Sets of graphs: what is put together comes apart again, and is matched as if each were alone."""

from __future__ import annotations

import pickle

import igraph
import networkx as nx
import numpy as np
import pytest

import grape_gnn as grape
from grape_gnn.errors import GraphError, GraphFileError, RolesFileError
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.roles.set_result import SetMatches


def random_set(count: int = 12, seed: int = 0, directed: bool = False) -> GraphSet:
    random = np.random.default_rng(seed)
    graphs = []
    for _ in range(count):
        n = int(random.integers(0, 9))
        graph = nx.gnp_random_graph(n, 0.4, int(random.integers(1000)), directed)
        kinds = {v: str(random.choice(["C", "N", "O"])) for v in graph}
        nx.set_node_attributes(graph, kinds, "type")
        graphs.append(graph)
    return GraphSet.of(graphs, y=random.normal(size=count))


def test_every_graph_comes_out_as_it_went_in():
    sources = [nx.cycle_graph(5), nx.empty_graph(3), nx.empty_graph(0), nx.star_graph(4)]
    graphs = GraphSet.of(sources, y=["ring", "none", None, "star"], names=list("abcd"))
    assert graphs.index_of("c") == 2
    with pytest.raises(GraphError, match="no graph is called '2'; names look like 'a', 'b', 'c'"):
        graphs.index_of("2")
    assert [sorted(map(sorted, source.edges)) for source in sources] == [
        graph.edge_array().tolist() for graph in graphs
    ]
    assert graphs.sizes.tolist() == [5, 3, 0, 5]
    assert graphs.labelled.tolist() == [True, True, False, True]
    assert graphs.name_of(3) == "d"
    assert graphs[-1].num_edges == 4
    with pytest.raises(IndexError, match="there are 4"):
        graphs[4]


@pytest.mark.parametrize("which", [slice(2, 9, 3), [5, 1, 1, -1], np.arange(12) % 2 == 0, []])
@pytest.mark.parametrize("directed", [False, True])
def test_some_graphs_are_a_set(which, directed):
    graphs = random_set(directed=directed)
    some = graphs[which]
    numbers = np.arange(12)[which] if len(np.atleast_1d(which)) else []
    assert len(some) == len(numbers)
    for part, number in zip(some, numbers, strict=True):
        whole = graphs[int(number)]
        assert np.array_equal(part.indptr, whole.indptr)
        assert np.array_equal(part.indices, whole.indices)
        assert np.array_equal(part.in_indices, whole.in_indices)
        assert np.array_equal(part.y, whole.y)
    assert np.array_equal(some.y, graphs.y[np.asarray(numbers, int)])


@pytest.mark.parametrize("engine", ["auto", "algebra", "enumerate", "incremental"])
@pytest.mark.parametrize("weighting", ["count", "set"])
def test_matching_the_set_is_matching_every_graph(engine, weighting):
    graphs = random_set(15, seed=3)
    templates = ["edge", "4-path", "4-cycle", "0-1 1-2 1:N", "0-1 0-2 0:C 2:O"]
    if weighting == "set" and engine == "algebra":
        templates = ["edge", "0-1 1-2 1:N"]
    roles = grape.match(graphs, templates, engine=engine, weighting=weighting)
    assert isinstance(roles, SetMatches)
    for number, graph in enumerate(graphs):
        alone = grape.match(graph, templates, engine="enumerate", weighting=weighting)
        for ours, theirs in zip(roles.of(number), alone, strict=True):
            assert np.array_equal(ours.totals, theirs.totals)
            for one, other in zip(ours, theirs, strict=True):
                assert np.array_equal(one.to_scipy().toarray(), other.to_scipy().toarray())


def test_some_matches_are_those_of_some_graphs():
    graphs = random_set(9, seed=4)
    roles = grape.match(graphs, "edge,3-path,triangle")
    some = roles.some([7, 2])
    again = grape.match(graphs[[7, 2]], "edge,3-path,triangle")
    for one, other in zip(some.operators(), again.operators(), strict=True):
        assert np.array_equal(one.to_scipy().toarray(), other.to_scipy().toarray())
    assert np.array_equal(roles.totals_by_graph()[[7, 2]], some.totals_by_graph())


def test_a_type_that_no_graph_has_means_no_instance():
    graphs = random_set()
    for engine in ("auto", "enumerate", "algebra", "incremental", "esu"):
        with pytest.warns(grape.GrapeWarning, match="'Xe', which no node of the graph has"):
            roles = grape.match(graphs, "0-1 1:Xe", engine=engine)
        assert not roles[0].totals.any()
        assert roles[0][1].to_scipy().nnz == 0


def test_results_are_saved_once_and_slice_after_loading(tmp_path):
    graphs = random_set(6, seed=5)
    grape.match(graphs, "edge,3-path").save(tmp_path / "roles.npz")
    loaded = grape.load_roles(tmp_path / "roles.npz")
    assert isinstance(loaded, SetMatches)
    assert len(loaded.graphs) == 6
    alone = grape.match(graphs[4], "3-path")
    ours = loaded.of(4)[1][2].to_scipy().toarray()
    assert np.array_equal(ours, alone[0][2].to_scipy().toarray())


def test_a_set_survives_its_file_and_pickle(tmp_path):
    graphs = random_set(6, seed=6)
    graphs.save(tmp_path / "set.npz")
    for copy in (read_graphs(tmp_path / "set.npz"), pickle.loads(pickle.dumps(graphs))):
        assert repr(copy) == repr(graphs)
        assert np.array_equal(copy.y, graphs.y)
        assert np.array_equal(copy.ptr, graphs.ptr)
        assert np.array_equal(copy.union.indices, graphs.union.indices)
        assert copy.node_types == graphs.node_types


def test_a_damaged_file_is_refused(tmp_path):
    from grape_gnn.files.array_file import write_arrays
    from grape_gnn.graph.npz import graph_members

    graphs = GraphSet.of([nx.path_graph(3), nx.path_graph(2)])
    members = graph_members(graphs.union)
    for ptr in ([0, 2, 5], [0, 3], [3, 0, 5], [0.0, 3.0, 5.0]):
        write_arrays(tmp_path / "set.npz", "graphs", 1, {**members, "ptr": np.array(ptr)})
        with pytest.raises(GraphFileError, match="damaged contents"):
            read_graphs(tmp_path / "set.npz")
    roles = grape.match(graphs, "edge")
    object.__setattr__(graphs, "ptr", np.array([0, 2, 5]))
    roles.save(tmp_path / "roles.npz")
    with pytest.raises(RolesFileError, match="from one graph to another"):
        grape.load_roles(tmp_path / "roles.npz")


def test_igraph_and_mixed_lists():
    ring = igraph.Graph.Ring(4)
    ring.vs["type"] = ["C", "C", "C", "O"]
    ring.es["type"] = ["single", "double", "single", "single"]
    ring["y"] = 1.5
    path = nx.path_graph(2)
    path.graph["y"] = 0.5
    graphs = GraphSet.of([ring, path])
    assert graphs.node_types == ("C", "O")
    assert graphs.union.types.tolist() == [0, 0, 0, 1, -1, -1]
    assert graphs.y.tolist() == [1.5, 0.5]
    assert graphs.edge_type_names == ("double", "single")
    # Rows of the ring: 0: 1 3, 1: 0 2, 2: 1 3, 3: 0 2; the edge 1-2 is double.
    assert graphs.edge_types.tolist() == [1, 1, 1, 0, 0, 1, 1, 1, -1, -1]


def test_refusals():
    with pytest.raises(GraphError, match="expected a list of graphs"):
        GraphSet.of("molecules.txt")
    with pytest.raises(GraphError, match="graph number 1 is directed"):
        GraphSet.of([nx.path_graph(2), nx.path_graph(2, nx.DiGraph)])
    with pytest.raises(GraphError, match="2 graphs"):
        GraphSet.of([nx.path_graph(2)] * 2, y=[1, 2, 3])
    with pytest.raises(GraphError, match="no node of a graph has the attribute 'kind'"):
        GraphSet.of([nx.path_graph(2)], types="kind")
    with pytest.raises(GraphError, match="table of nodes"):
        GraphSet.of([grape.Graph.from_networkx(nx.karate_club_graph(), features=["club"])])


def test_datasets_of_pyg_are_lists_of_graphs(tmp_path):
    pytest.importorskip("torch_geometric")
    import torch
    from torch_geometric.data import Data
    from torch_geometric.datasets import TUDataset

    raw = tmp_path / "TOY" / "raw"
    raw.mkdir(parents=True)
    for name, text in {
        "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
        "graph_indicator": "1\n1\n1\n2\n2\n",
        "graph_labels": "0\n1\n",
        "node_labels": "0\n1\n0\n2\n2\n",
        "edge_labels": "0\n0\n1\n1\n0\n0\n",
    }.items():
        (raw / f"TOY_{name}.txt").write_text(text)
    graphs = GraphSet.of(TUDataset(str(tmp_path), "TOY"))
    assert [graph.num_edges for graph in graphs] == [2, 1]
    assert graphs.union.x.argmax(axis=1).tolist() == [0, 1, 0, 2, 2]
    assert graphs.edge_types.tolist() == [0, 0, 1, 1, 0, 0]
    assert graphs.y.tolist() == [0, 1]
    # As ZINC has it: types of atoms and bonds as whole numbers, a number to predict.
    ends = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    zinc = Data(
        torch.tensor([[0], [5], [0]]), ends, torch.tensor([1, 1, 2, 2]), torch.tensor([0.5])
    )
    graphs = GraphSet.of([zinc, zinc])
    assert graphs.node_types == (0, 5)
    assert graphs.edge_type_names == (1, 2)
    assert graphs.task == "regression"
    arrow = Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2)
    lonely = Data(edge_index=torch.empty(2, 0, dtype=torch.int64), num_nodes=1)
    assert GraphSet.of([lonely, arrow]).directed
    arrow.edge_attr = torch.tensor([[0.25, 0.5]])
    assert GraphSet.of([arrow]).edge_features.values.tolist() == [[0.25, 0.5]]
    arrow.y = torch.tensor([1, 2])
    arrow.edge_attr = None
    with pytest.raises(GraphError, match=r"graph number 0: data\.y has a value for every node"):
        GraphSet.of([arrow])
    assert GraphSet.of([arrow], y=[3]).y.tolist() == [0]  # as the message says
    arrow.y = torch.tensor([[0.5, 2.5, 1.0]])
    with pytest.raises(GraphError, match="has 3 numbers, and one is learnt at a time"):
        GraphSet.of([arrow])
    arrow.y = torch.tensor([[0.0, 1.0]])  # as many labels as nodes
    assert GraphSet.of([arrow]).y.tolist() == [[0, 1]]


def test_batches_loaders_and_subsets_of_pyg_are_their_graphs():
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from torch_geometric.data import Batch, Data
    from torch_geometric.loader import DataLoader

    ends = torch.tensor([[0, 1], [1, 0]])
    single = [Data(edge_index=ends, num_nodes=2 + k, y=torch.tensor([k])) for k in range(5)]
    for source in (
        Batch.from_data_list(single),
        DataLoader(single, batch_size=2),
        torch.utils.data.Subset(single, range(5)),
    ):
        graphs = GraphSet.of(source)
        assert graphs.sizes.tolist() == [2, 3, 4, 5, 6]
        assert graphs.y.tolist() == [0, 1, 2, 3, 4]


def test_a_graph_without_a_target_or_nodes_is_a_graph():
    named = nx.path_graph(3)
    named.graph["y"] = "chain"
    graphs = GraphSet.of([named, nx.cycle_graph(3)])
    assert graphs.labelled.tolist() == [True, False]
    nx.set_node_attributes(named, [1.0, 2.0], "x")
    assert GraphSet.of([nx.Graph(), named]).union.x.shape == (3, 2)
    with pytest.raises(GraphError, match="graph number 2 has 0 features per node, graph number 1"):
        GraphSet.of([nx.Graph(), named, nx.cycle_graph(3)])
    with pytest.raises(GraphError, match="got Graph: put a single graph into a list"):
        GraphSet.of(named)


@pytest.mark.parametrize("library", ["networkx", "igraph"])
def test_attributes_of_edges_are_not_ignored_in_silence(library):
    ring = nx.cycle_graph(4)
    nx.set_edge_attributes(ring, 1.5, "weight")
    nx.set_edge_attributes(ring, "double", "bond")
    if library == "igraph":
        ring = pytest.importorskip("igraph").Graph.from_networkx(ring)
    with pytest.warns(grape.GrapeWarning, match="attributes 'bond', 'weight', which are left out"):
        grape.GraphSet.of([ring, ring])
    with pytest.warns(grape.GrapeWarning, match="attributes 'weight', which are left out"):
        assert grape.GraphSet.of([ring], edge_types="bond").edge_type_names == ("double",)


def test_a_wrong_number_of_targets():
    with pytest.raises(GraphError, match="y has 2 targets for 3 graphs: give one per graph"):
        grape.GraphSet.of([nx.path_graph(2)] * 3, y=[1, 0])
