"""Types of nodes and edges from columns of tables, which templates then ask for."""

from __future__ import annotations

import networkx as nx
import pytest

import grape_gnn as grape
from grape_gnn import read_graph
from grape_gnn.errors import GrapeWarning, GraphError

BONDS = "source,target,bond\nc1,o1,double\nc1,n1,single\nn1,h1,single\n"
ATOMS = "atom,element,charge\nc1,C,0.1\no1,O,-0.4\nn1,N,-0.3\nh1,H,\nx,N,0\n"


@pytest.fixture
def files(tmp_path):
    """Give a table of bonds and one of atoms, as CSV and as Parquet."""
    import pandas as pd

    for name, text in (("bonds", BONDS), ("atoms", ATOMS)):
        file = tmp_path / f"{name}.csv"
        file.write_text(text)
        pd.read_csv(file).to_parquet(file.with_suffix(".parquet"))
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_templates_ask_for_columns(files, suffix):
    graph = read_graph(
        files / f"bonds.{suffix}", nodes=files / f"atoms.{suffix}", types="element",
        edge_types="bond",
    )  # fmt: skip
    assert graph.type_names == ("C", "H", "N", "O")
    assert graph.edge_type_names == ("double", "single")
    assert [column.name for column in graph.columns] == ["charge"]
    counts = {
        text: int(grape.count_instances(graph, text).sum())
        for text in ("0-1=double 1:O", "0-1=single 1:O", "0-1=single 1:N", "0-1 1-2=single 0:O")
    }
    assert counts == {
        "0-1=double 1:O": 1, "0-1=single 1:O": 0, "0-1=single 1:N": 2, "0-1 1-2=single 0:O": 1,
    }  # fmt: skip
    assert graph.type_names[graph.types[graph.index_of("x")]] == "N"


def test_a_node_without_a_row_or_with_an_empty_cell_has_no_type(tmp_path):
    (tmp_path / "e.csv").write_text("source,target,kind\na,b,x\nb,c,\n")
    (tmp_path / "n.csv").write_text("name,type\na,1\nb,\n")
    graph = read_graph(
        tmp_path / "e.csv", nodes=tmp_path / "n.csv", types="type", edge_types="kind"
    )
    assert graph.types.tolist() == [0, -1, -1]
    assert graph.type_names == (1,)  # a column of whole numbers, as for labels
    assert graph.edge_types.tolist() == [0, 0, -1, -1]


def test_columns_without_names_go_by_number(tmp_path):
    (tmp_path / "e.tsv").write_text("7\tdouble\t9\n9\tsingle\t8\n")
    graph = read_graph(tmp_path / "e.tsv", source="1", target="3", edge_types="2")
    assert graph.edge_type_names == ("double", "single")
    assert graph.edge_array().tolist() == [[0, 2], [1, 2]]
    assert grape.count_instances(graph, "0-1=single")[:, 0].tolist() == [0, 1, 1]


def test_edges_of_weight_0_take_their_types_along(tmp_path):
    (tmp_path / "e.csv").write_text("source,target,w,kind\n0,1,1,a\n1,2,0,b\n2,3,1,c\n")
    with pytest.warns(GrapeWarning, match="weight 0"):
        graph = read_graph(tmp_path / "e.csv", weight="w", edge_types="kind")
    assert graph.edge_type_names == ("a", "c")


def test_directed_edges_keep_the_type_of_each_arc(tmp_path):
    (tmp_path / "e.csv").write_text("source,target,kind\na,b,likes\nb,a,knows\n")
    graph = read_graph(tmp_path / "e.csv", directed=True, edge_types="kind")
    assert grape.count_instances(graph, "0>1=likes")[:, 0].tolist() == [1, 0]
    assert grape.count_instances(graph, "0<1=knows")[:, 0].tolist() == [1, 0]


def test_types_in_graphml(tmp_path):
    source = nx.Graph()
    source.add_edge("a", "b", bond="double")
    nx.set_node_attributes(source, {"a": "C", "b": "O"}, "element")
    nx.write_graphml(source, tmp_path / "m.graphml")
    graph = read_graph(tmp_path / "m.graphml", types="element", edge_types="bond")
    assert (graph.type_names, graph.edge_type_names) == (("C", "O"), ("double",))
    with pytest.raises(GraphError, match="no edge has the attribute 'order'"):
        read_graph(tmp_path / "m.graphml", edge_types="order")


def test_a_converted_graph_has_its_types(files):
    made = grape.convert(
        files / "bonds.csv", files / "m.grape", nodes=files / "atoms.csv", types="element",
        edge_types="bond",
    )  # fmt: skip
    assert grape.count_instances(made, "0-1=double 0:C 1:O").sum() == 1
    with pytest.raises(GraphError, match="no types are asked for"):
        grape.convert(files / "bonds.csv", files / "n.grape", edge_types="bond", x=files / "x.npy")


def test_a_column_of_types_is_never_left_out_in_silence(files):
    with pytest.warns(GrapeWarning, match="ignored 'bond'; edge_types='bond' makes it the types"):
        read_graph(files / "bonds.csv", source="source", target="target")
    with pytest.warns(GrapeWarning, match="ignored 'bond'; edge_types='bond' makes"):
        read_graph(files / "bonds.parquet")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"types": "element"}, "types needs a node table"),
        ({"edge_types": "order"}, "has no column 'order'"),
        ({"edge_types": "target"}, "both an end and the type"),
        ({"edge_types": "bond", "weight": "bond"}, "both the weight and the type"),
        ({"nodes": "atoms.csv", "types": "colour"}, "has no column 'colour'"),
        ({"nodes": "atoms.csv", "types": "element", "label": "element"}, "both the label"),
        ({"nodes": "atoms.csv", "types": "element", "ignore": ["element"]}, "to be ignored"),
    ],
)
@pytest.mark.filterwarnings("ignore::grape_gnn.errors.GrapeWarning")
def test_what_cannot_be_is_one_line(files, options, complaint):
    if "nodes" in options:
        options = {**options, "nodes": files / options["nodes"]}
    with pytest.raises(GraphError, match=complaint):
        read_graph(files / "bonds.csv", **options)


def test_data_frames(files):
    import pandas as pd

    bonds, atoms = pd.read_csv(files / "bonds.csv"), pd.read_csv(files / "atoms.csv")
    graph = grape.Graph.from_pandas(bonds, atoms, types="element", edge_types="bond")
    assert grape.count_instances(graph, "0-1=double 1:O").sum() == 1
