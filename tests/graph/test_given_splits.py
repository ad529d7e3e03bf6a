"""Splits that come with a graph: columns of the node table, masks of PyG, files."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.data import Data

from grape_gnn.errors import GrapeWarning, GraphError
from grape_gnn.graph import Graph, read_graph

EDGES = "".join(f"n{i},n{i + 1}\n" for i in range(5))


@pytest.fixture
def read(tmp_path):
    def write_and_read(table: str, **options):
        (tmp_path / "edges.csv").write_text(EDGES)
        (tmp_path / "nodes.csv").write_text(table)
        return read_graph(tmp_path / "edges.csv", nodes=tmp_path / "nodes.csv", **options)

    return write_and_read


def parts(split) -> list[list[int]]:
    return [np.flatnonzero(part).tolist() for part in vars(split).values()]


def test_a_column_of_words_is_a_split_and_no_feature(read) -> None:
    rows = zip(("train", "Train", "val", "TEST", "", "test"), range(6), strict=True)
    g = read("name,y,Part\n" + "".join(f"n{i},{i % 2},{word}\n" for word, i in rows), label="y")
    (split,) = g.splits
    assert parts(split) == [[0, 1], [2], [3, 5]]
    assert g.x is None
    assert "splits=1" in repr(g)


def test_several_columns_are_several_splits(read) -> None:
    rows = ["train,test", "dev,training", "test,validation", "test,", "train,train"]
    g = read("name,s0,s1\n" + "".join(f"n{i},{row}\n" for i, row in enumerate(rows)))
    assert [parts(split) for split in g.splits] == [
        [[0, 4], [1], [2, 3]],
        [[1, 4], [2], [0]],
    ]  # n5 has no line: it is in no part


def test_three_columns_of_flags(read) -> None:
    rows = ["1,0,0", "true,false,false", "0,1,0", "0,0,1", "0,0,0", "0,0,1"]
    table = "name,train_mask,val_mask,test_mask\n"
    g = read(table + "".join(f"n{i},{row}\n" for i, row in enumerate(rows)))
    assert parts(g.splits[0]) == [[0, 1], [2], [3, 5]]
    assert g.x is None


def test_words_that_are_labels_stay_labels(read) -> None:
    g = read("name,vehicle\nn0,train\nn1,bus\n", label="vehicle")
    assert (g.splits, g.label_names) == ((), ("bus", "train"))


def data(**masks) -> Data:
    ends = torch.tensor([[0, 1, 2], [1, 2, 3]])
    both = torch.cat([ends, ends.flip(0)], dim=1)
    return Data(edge_index=both, num_nodes=4, y=torch.tensor([0, 1, 0, 1]), **masks)


def flags(*nodes: int) -> torch.Tensor:
    mask = torch.zeros(4, dtype=torch.bool)
    mask[list(nodes)] = True
    return mask


def test_masks_of_pyg_one_or_several() -> None:
    one = Graph.from_pyg(data(train_mask=flags(0), val_mask=flags(1), test_mask=flags(2)))
    assert parts(one.splits[0]) == [[0], [1], [2]]
    two = data(
        train_mask=torch.stack([flags(0), flags(3)], dim=1),
        val_mask=torch.stack([flags(1), flags(2)], dim=1),
        test_mask=flags(),
    )
    assert [parts(split) for split in Graph.from_pyg(two).splits] == [
        [[0], [1], []],
        [[3], [2], []],
    ]


def test_masks_that_overlap_or_do_not_fit_are_refused() -> None:
    with pytest.raises(GraphError, match=r"the masks share 1 nodes, such as node 0"):
        Graph.from_pyg(data(train_mask=flags(0), val_mask=flags(0), test_mask=flags(2)))
    with pytest.raises(GraphError, match=r"train_mask has dtype torch.int64|dtype int64"):
        Graph.from_pyg(data(train_mask=torch.tensor([0, 1]), val_mask=None, test_mask=None))


def test_splits_go_through_files_and_pyg(tmp_path) -> None:
    two = data(
        train_mask=torch.stack([flags(0), flags(3)], dim=1),
        val_mask=torch.stack([flags(1), flags(2)], dim=1),
        test_mask=torch.stack([flags(2), flags(1)], dim=1),
    )
    g = Graph.from_pyg(two)
    g.save(tmp_path / "g.npz")
    for again in (read_graph(tmp_path / "g.npz"), Graph.from_pyg(g.to_pyg())):
        assert [parts(split) for split in again.splits] == [parts(split) for split in g.splits]


def test_numbered_masks_are_several_splits(read) -> None:
    names = [f"{part}_mask_{k}" for k in (0, 1) for part in ("train", "val", "test")]
    rows = ["1,0,0,0,0,1", "0,1,0,1,0,0", "0,0,1,0,1,0"] * 2
    g = read(f"name,{','.join(names)}\n" + "".join(f"n{i},{r}\n" for i, r in enumerate(rows)))
    assert [parts(split) for split in g.splits] == [
        [[0, 3], [1, 4], [2, 5]], [[1, 4], [2, 5], [0, 3]],
    ]  # fmt: skip
    assert g.columns is None


def test_a_row_in_two_masks_is_refused(read) -> None:
    table = "name,train_mask,test_mask\n" + "".join(f"n{i},{int(i < 4)},1\n" for i in range(6))
    with pytest.raises(GraphError, match="'train_mask' and 'test_mask' both have row 0"):
        read(table)


def test_a_column_that_is_nearly_a_split_is_said(read) -> None:
    words = ("train", "test", "holdout") * 2
    with pytest.warns(GrapeWarning, match="column 'part' has the words 'train' and 'test', but 'h"):
        g = read("name,part\n" + "".join(f"n{i},{word}\n" for i, word in enumerate(words)))
    assert g.columns[0].kind == "category"
