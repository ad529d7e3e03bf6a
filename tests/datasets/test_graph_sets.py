"""Sets of graphs by name, from local copies of what PyTorch Geometric downloads."""

from __future__ import annotations

import pickle

import pytest

from grape_gnn import datasets
from grape_gnn.errors import DatasetError, DatasetUnavailableError

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")


def test_a_set_of_the_tu_collection(tmp_path):
    raw = tmp_path / "TOY" / "raw"
    raw.mkdir(parents=True)
    for name, text in {
        "A": "1, 2\n2, 1\n3, 4\n4, 3\n",
        "graph_indicator": "1\n1\n2\n2\n",
        "graph_labels": "1\n-1\n",
        "node_labels": "0\n3\n0\n0\n",
        "edge_labels": "0\n0\n2\n2\n",
    }.items():
        (raw / f"TOY_{name}.txt").write_text(text)
    graphs = datasets.load_graphs("TOY", data_dir=tmp_path)
    assert (len(graphs), graphs.node_types, graphs.edge_type_names) == (2, (0, 3), (0, 2))
    with pytest.raises(DatasetError, match="TOY has no split of its own"):
        datasets.load_graphs("TOY", data_dir=tmp_path, split="train")


@pytest.fixture
def zinc(tmp_path):
    """Make the raw files of ZINC: five molecules for each split, of which two are in the subset."""
    raw = tmp_path / "ZINC" / "raw"
    raw.mkdir(parents=True)
    bonds = torch.tensor([[0, 1, 0], [1, 0, 2], [0, 2, 0]])
    for number, split in enumerate(("train", "val", "test")):
        molecules = [
            {
                "atom_type": torch.tensor([0, 5, 0]),
                "bond_type": bonds,
                "logP_SA_cycle_normalized": torch.tensor([number + k / 10]),
            }
            for k in range(5)
        ]
        (raw / f"{split}.pickle").write_bytes(pickle.dumps(molecules))
        (raw / f"{split}.index").write_text("4,1\n")
    return tmp_path


def test_zinc(zinc, capsys):
    graphs = datasets.load_graphs("zinc", data_dir=zinc)
    assert graphs.y.round(1).tolist() == [0.4, 0.1, 1.4, 1.1, 2.4, 2.1]
    assert (graphs.node_types, graphs.edge_type_names) == ((0, 5), (1, 2))
    assert datasets.load_graphs("ZINC", data_dir=zinc, split="val").y.round(1).tolist() == [
        1.4,
        1.1,
    ]
    assert len(datasets.load_graphs("ZINC-full", data_dir=zinc, split="test")) == 5
    with pytest.raises(DatasetError, match="split='dev'"):
        datasets.load_graphs("ZINC", data_dir=zinc, split="dev")


def test_what_cannot_be_had_is_one_line(tmp_path, monkeypatch):
    from torch_geometric.datasets import TUDataset

    def fail(*_):
        raise OSError("no route to host")

    monkeypatch.setattr(TUDataset, "download", fail)
    with pytest.raises(DatasetUnavailableError, match=r"NOTHING could not be loaded .*no route"):
        datasets.load_graphs("NOTHING", data_dir=tmp_path)
    with pytest.raises(DatasetError, match="is no name of a set of graphs"):
        datasets.load_graphs("../x", data_dir=tmp_path)
