"""Files of many graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from grape_gnn.errors import GrapeWarning, GraphFileError
from grape_gnn.graphs import read_graphs

TEXT = """2
3 1
6 1 1
7 2 0 2
6 1 1
2 0
8 1 1
8 1 0
"""


def test_the_text_format(tmp_path):
    file = tmp_path / "two.txt"
    file.write_text(TEXT)
    graphs = read_graphs(file)
    assert graphs[0].edge_array().tolist() == [[0, 1], [1, 2]]
    assert graphs.node_types == (6, 7, 8)
    assert graphs.union.types.tolist() == [0, 1, 0, 2, 2]
    assert [graphs.label_names[code] for code in graphs.y] == [1, 0]


@pytest.mark.parametrize(
    ("labels", "wanted", "names"),
    [
        ((1, 0), [1, 0], (0, 1)),
        ((0.5, 2), [0.5, 2.0], None),
        (("yes", "no"), [1, 0], ("no", "yes")),
        ((-1, 1), [0, 1], ("-1", "1")),  # two classes, none missing
    ],
)
def test_labels_of_the_text_format(tmp_path, labels, wanted, names):
    file = tmp_path / "two.txt"
    file.write_text(f"2\n1 {labels[0]}\nC 0\n1 {labels[1]}\nN 0\n")
    graphs = read_graphs(file)
    assert (graphs.y.tolist(), graphs.label_names) == (wanted, names)
    assert graphs.node_types == ("C", "N")


def test_numbers_behind_the_neighbours_are_features(tmp_path):
    file = tmp_path / "one.txt"
    file.write_text("1\n2 0\n0 1 1 0.5 2\n0 1 0 1.5 3\n")
    assert read_graphs(file).union.x.tolist() == [[0.5, 2.0], [1.5, 3.0]]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "0 graphs end"),
        ("2\n3 1\n6 1 1\n", "a graph of 3 nodes, but 1 more lines"),
        ("1\n2 0\n0 2 1\n0 1 0\n", "2 neighbours and 1 numbers"),
        ("1\n2 0\n0 1 7\n0 1 0\n", "none of the 2 nodes"),
        ("1\n1 0\n0 0\n5 5\n", "1 graphs end in line 3 of 4"),
        ("a b\n", "2 numbers where there should be 1"),
        ("1\n2 0\n0 1 1 5\n0 1 0\n", "different numbers of features"),
    ],
)
def test_broken_text(tmp_path, text, complaint):
    (tmp_path / "bad.txt").write_text(text)
    with pytest.raises(GraphFileError, match=complaint):
        read_graphs(tmp_path / "bad.txt")


def write_tu(folder):
    folder.mkdir()
    parts = {
        "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
        "graph_indicator": "1\n1\n1\n2\n2\n",
        "graph_labels": "-1\n1\n",
        "node_labels": "6\n7\n6\n8\n8\n",
        "edge_labels": "0\n0\n1\n1\n2\n2\n",
        "node_attributes": "0.5, 1\n1, 1\n2, 1\n3, 1\n4, 1\n",
    }
    for name, text in parts.items():
        (folder / f"TOY_{name}.txt").write_text(text)
    return folder


def test_a_folder_of_the_tu_collection(tmp_path):
    graphs = read_graphs(write_tu(tmp_path / "toy"))
    assert [graph.edge_array().tolist() for graph in graphs] == [[[0, 1], [1, 2]], [[0, 1]]]
    assert graphs.label_names == ("-1", "1")
    assert graphs.y.tolist() == [0, 1]
    assert graphs.union.x[:, 0].tolist() == [0.5, 1, 2, 3, 4]
    assert graphs.edge_types.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("A", "1, 9\n", "none of the 5"),
        ("A", "3, 4\n", "from one graph to another"),
        ("A", "1, 2, 3\n", "has 3 columns"),
        ("graph_indicator", "2\n1\n1\n2\n2\n", "in order"),
        ("node_labels", "6\n", "has 1 lines, and needs 5"),
        ("graph_labels", "a\nb\n", "not a table of numbers"),
        ("A", "1, 2\n3\n", "not a table of numbers"),
    ],
)
def test_a_broken_tu_folder(tmp_path, file, text, complaint):
    folder = write_tu(tmp_path / "toy")
    (folder / f"TOY_{file}.txt").write_text(text)
    with pytest.raises(GraphFileError, match=complaint):
        read_graphs(folder)


def test_numbers_of_a_tu_folder(tmp_path):
    files = {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n2\n", "graph_labels": "0.5\n-1\n"}
    for name, text in files.items():
        (tmp_path / f"X_{name}.txt").write_text(text)
    graphs = read_graphs(tmp_path)
    assert (graphs.y.tolist(), graphs.label_names) == ([0.5, -1.0], None)


def test_graph6_and_sparse6_agree_with_networkx(tmp_path):
    random = np.random.default_rng(0)
    sources = [
        nx.gnp_random_graph(int(n), float(random.uniform(0, 0.4)), seed=int(n))
        for n in [*range(1, 20), 62, 63, 64, 80]
    ]
    for write, suffix in ((nx.to_graph6_bytes, "g6"), (nx.to_sparse6_bytes, "s6")):
        file = tmp_path / f"many.{suffix}"
        file.write_bytes(b"".join(write(source) for source in sources))
        for source, found in zip(sources, read_graphs(file), strict=True):
            assert found.num_nodes == len(source)
            assert sorted(map(sorted, source.edges)) == found.edge_array().tolist()


@pytest.mark.parametrize("line", ["D", "DqKK", "D\x7f?", "~", ";D", ":"])
def test_broken_graph6(tmp_path, line):
    (tmp_path / "bad.g6").write_text(line)
    with pytest.raises(GraphFileError, match="is not graph6 or sparse6"):
        read_graphs(tmp_path / "bad.g6")


def test_a_table_of_edges_with_a_column_of_graphs(tmp_path):
    rows = "graph,source,target,bond\nw,O,H1,single\nw,O,H2,single\nd,a,b,double\n"
    (tmp_path / "edges.csv").write_text(rows)
    (tmp_path / "targets.csv").write_text("name,energy\nd,1.5\nw,-2.25\n")
    import pandas as pd

    pd.read_csv(tmp_path / "edges.csv").to_parquet(tmp_path / "edges.parquet")
    for name in ("edges.csv", "edges.parquet"):
        graphs = read_graphs(tmp_path / name, targets=tmp_path / "targets.csv")
        assert [graphs.name_of(k) for k in range(2)] == ["w", "d"]
        assert graphs.y.tolist() == [-2.25, 1.5]
        assert graphs.sizes.tolist() == [3, 2]
        assert graphs.edge_type_names == ("double", "single")
    with pytest.raises(GraphFileError, match="needs 'source'"):
        read_graphs(tmp_path / "edges.csv", graph="molecule")
    (tmp_path / "targets.csv").write_text("name,energy\nx,1.5\n")
    with pytest.raises(GraphFileError, match="a target for none of the graphs"):
        read_graphs(tmp_path / "edges.csv", targets=tmp_path / "targets.csv")


def test_a_folder_of_edge_lists(tmp_path):
    (tmp_path / "b.csv").write_text("x,y\ny,z\n")
    (tmp_path / "a.txt").write_text("0 1\n1 2\n0 2\n")
    graphs = read_graphs(tmp_path)
    assert [graphs.name_of(k) for k in range(2)] == ["a", "b"]
    assert [graph.num_edges for graph in graphs] == [3, 2]


def test_other_files_are_refused(tmp_path):
    with pytest.raises(GraphFileError, match="no such file"):
        read_graphs(tmp_path / "none.txt")
    (tmp_path / "a.doc").write_text("")
    with pytest.raises(GraphFileError, match="no format of many graphs"):
        read_graphs(tmp_path / "a.doc")
    (tmp_path / "empty").mkdir()
    with pytest.raises(GraphFileError, match="neither NAME_A"):
        read_graphs(tmp_path / "empty")


def test_smiles(tmp_path):
    pytest.importorskip("rdkit")
    (tmp_path / "m.smi").write_text("CC=O aldehyde\nc1ccccc1\n")
    graphs = read_graphs(tmp_path / "m.smi")
    assert graphs.node_types == ("C", "O")
    assert graphs.edge_type_names == ("aromatic", "double", "single")
    assert [graph.num_edges for graph in graphs] == [2, 6]
    (tmp_path / "m.csv").write_text("id,smiles,logp\n1,CCO,-0.3\n2,CCC,1.8\n")
    assert read_graphs(tmp_path / "m.csv", label="logp").y.tolist() == [-0.3, 1.8]
    with pytest.raises(GraphFileError, match="no column 'energy'"):
        read_graphs(tmp_path / "m.csv", label="energy")
    (tmp_path / "m.csv").write_text("smiles;y\nCCO;1\nC;\nC((;0\n")
    with pytest.raises(GraphFileError, match=r"line 4.*'C\(\(' is not a molecule"):
        read_graphs(tmp_path / "m.csv", label="y")
    (tmp_path / "m.smi").write_text("CC=O aldehyde\n\nc1ccccc1 benzene ring\n")
    (tmp_path / "t.csv").write_text("name,y\nbenzene ring,1.5\naldehyde,2.5\n")
    assert read_graphs(tmp_path / "m.smi", targets=tmp_path / "t.csv").y.tolist() == [2.5, 1.5]
    (tmp_path / "m.smi").write_text("CC\nC((\n")
    with pytest.raises(GraphFileError, match=r"line 2.*'C\(\(' is not a molecule"):
        read_graphs(tmp_path / "m.smi")


def test_words_behind_smiles_that_are_no_names_are_said(tmp_path):
    pytest.importorskip("rdkit")
    file = tmp_path / "molecules.smi"
    file.write_text("CCO yes\nCC no\nC no\n")
    with pytest.warns(GrapeWarning, match="no name of its own for each, and is left out"):
        assert len(read_graphs(file)) == 3
