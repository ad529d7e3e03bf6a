"""Sets of graphs from tables: edges with a column of graphs, and tables of nodes and targets."""

from __future__ import annotations

import pandas as pd
import pytest

import grape_gnn as grape
from grape_gnn import read_graphs
from grape_gnn.errors import GrapeWarning, GraphError, GraphFileError

BONDS = "mol_id,u,v,bond\nw,O,H1,single\nw,O,H2,single\nco,C,O,triple\n"
ATOMS = (
    "mol_id,atom,element,charge\nw,H2,H,0.4\nw,O,O,-0.8\nw,H1,H,0.4\nhe,He,He,0\n"
    "co,O,O,-0.1\nco,C,C,0.1\n"
)


@pytest.fixture
def molecules(tmp_path):
    """Give tables of bonds and atoms of water, carbon monoxide and helium."""
    for name, text in (("bonds", BONDS), ("atoms", ATOMS)):
        file = tmp_path / f"{name}.csv"
        file.write_text(text)
        pd.read_csv(file).to_parquet(file.with_suffix(".parquet"))
    return tmp_path


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("other", ["csv", "parquet"])
def test_types_and_features_reach_the_nodes(molecules, suffix, other):
    graphs = read_graphs(molecules / f"bonds.{suffix}", nodes=molecules / f"atoms.{other}")
    assert [graphs.name_of(k) for k in range(3)] == ["w", "co", "he"]
    assert graphs.sizes.tolist() == [3, 2, 1]  # an atom without bonds is a molecule too
    assert graphs.node_types == ("C", "H", "He", "O")
    assert graphs.edge_type_names == ("single", "triple")
    found = grape.match(graphs, "0-1=single 0:O 1:H")
    assert [found.of(k)[0].totals.sum() for k in range(3)] == [2, 0, 0]
    assert grape.match(graphs, "0-1=triple 0:C 1:O")[0].totals.sum() == 1
    charges = dict(zip(graphs.union.types.tolist(), graphs.union.x[:, 0].tolist(), strict=True))
    assert charges[graphs.node_types.index("H")] == pytest.approx(0.4)
    assert charges[graphs.node_types.index("C")] == pytest.approx(0.1)


def test_columns_can_be_named(tmp_path):
    (tmp_path / "e.csv").write_text("set,order,a,b\n1,x,0,1\n2,y,0,1\n2,x,1,2\n")
    (tmp_path / "n.csv").write_text(
        "colour,weight,where,node\nred,1,1,0\nblue,2,1,1\nred,3,2,0\nred,4,2,1\nblue,5,2,2\n"
    )
    pd.read_csv(tmp_path / "n.csv").rename(columns={"where": "set"}).to_csv(
        tmp_path / "n.csv", index=False
    )
    graphs = read_graphs(
        tmp_path / "e.csv", nodes=tmp_path / "n.csv", graph="set", id="node", source="b",
        target="a", types="colour", edge_types="order", features=["weight"], directed=True,
    )  # fmt: skip
    assert graphs.directed
    assert graphs.node_types == ("blue", "red")
    assert graphs.union.x[:, 0].tolist() == [2, 1, 4, 3, 5]
    assert grape.match(graphs, "0>1=y")[0].totals.tolist() == [0, 0, 1, 0, 0]


def test_a_folder_of_lists_with_types(tmp_path):
    (tmp_path / "a.csv").write_text("source,target,type\nx,y,1\ny,z,2\n")
    pd.DataFrame({"source": ["x"], "target": ["q"], "type": [2]}).to_parquet(tmp_path / "b.parquet")
    (tmp_path / "nodes.csv").write_text("graph,name,kind\na,x,N\na,y,C\na,z,C\nb,x,N\nb,q,O\n")
    (tmp_path / "targets.csv").write_text("graph,y\nb,1.5\na,2.5\n")
    graphs = read_graphs(
        tmp_path, nodes=tmp_path / "nodes.csv", targets=tmp_path / "targets.csv", types="kind",
        edge_types="type",
    )  # fmt: skip
    assert [graphs.name_of(k) for k in range(2)] == ["a", "b"]
    assert graphs.y.tolist() == [2.5, 1.5]
    assert grape.match(graphs, "0-1=2 0:N")[0].totals.tolist() == [0, 0, 0, 1, 0]
    with pytest.warns(GrapeWarning, match=r"ignored 'type'.*likewise 1 more files"):
        read_graphs(
            tmp_path, nodes=tmp_path / "nodes.csv", targets=tmp_path / "targets.csv", types="kind"
        )


def test_further_columns_are_said(tmp_path):
    (tmp_path / "e.csv").write_text("graph,source,target,length\n0,a,b,1.5\n")
    with pytest.warns(GrapeWarning, match="ignored 'length'"):
        read_graphs(tmp_path / "e.csv")
    (tmp_path / "n.csv").write_text("graph,node,type,remark\n0,a,C,first\n0,b,O,second\n")
    (tmp_path / "e.csv").write_text("graph,source,target\n0,a,b\n")
    with pytest.warns(GrapeWarning, match="left out 'remark'"):
        graphs = read_graphs(tmp_path / "e.csv", nodes=tmp_path / "n.csv")
    assert graphs.node_types == ("C", "O")


@pytest.mark.parametrize(
    ("atoms", "options", "complaint"),
    [
        ("mol_id,atom\nw,O\nw,O\n", {}, "node 'O' of graph 'w' stands in two rows"),
        ("atom,element\nO,O\n", {}, "needs 'graph' and the names"),
        ("mol_id,atom,x\nw,O,1\n", {}, "no features of node 'H1' of graph 'w'"),
        ("mol_id,atom,x\nw,O,\nw,H1,2\nw,H2,2\n", {}, "'x' has no number in row 1"),
        ("mol_id,atom,x\nw,,1\n", {}, "'atom' is empty in row 1"),
        (ATOMS, {"types": "colour"}, "has no column 'colour'"),
        (ATOMS, {"features": ["element"]}, "a feature, does not hold numbers"),
    ],
)
def test_a_wrong_table_of_nodes_is_one_line(molecules, atoms, options, complaint):
    (molecules / "atoms.csv").write_text(atoms)
    with pytest.raises(GraphFileError, match=complaint):
        read_graphs(molecules / "bonds.csv", nodes=molecules / "atoms.csv", **options)


def test_targets_that_are_not_clear_are_refused(molecules):
    table = molecules / "targets.csv"
    table.write_text("name,energy,class\nw,1.5,a\nco,2,b\n")
    with pytest.raises(GraphFileError, match="say by label which one"):
        read_graphs(molecules / "bonds.csv", targets=table)
    assert read_graphs(molecules / "bonds.csv", targets=table, label="class").label_names == (
        "a", "b",
    )  # fmt: skip
    table.write_text("name,energy\nw,1.5\nxe,2\nar,3\n")
    with pytest.warns(GrapeWarning, match="left out the targets of 2 graphs .* such as 'ar'"):
        read_graphs(molecules / "bonds.csv", targets=table)
    table.write_text("name,energy\nw,1.5\nw,2\n")
    with pytest.raises(GraphFileError, match="two rows for the graph 'w'"):
        read_graphs(molecules / "bonds.csv", targets=table)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("g.g6", {"directed": True}, "the option directed says nothing of"),
        ("g.g6", {"label": "y"}, "the label 'y' needs a table of the graphs"),
        ("bonds.csv", {"types": "element"}, "types needs a table of the nodes"),
        ("g.g6", {"nodes": "atoms.csv"}, "the option nodes says nothing of"),
        (
            "bonds.csv",
            {"targets": "none.csv"},
            "it is to be the table of the targets",
        ),
        ("bonds.csv", {"edge_types": "order"}, "has no column 'order'"),
    ],
)
def test_options_that_say_nothing_are_refused(molecules, name, options, complaint):
    (molecules / "g.g6").write_text("DqK\n")
    options = {
        key: molecules / value if key in ("nodes", "targets") else value
        for key, value in options.items()
    }
    with pytest.raises(GraphError, match=complaint):
        read_graphs(molecules / name, **options)
