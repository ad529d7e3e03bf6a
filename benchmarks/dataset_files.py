"""Small valid files of every family of published datasets, and how they are read.

`DATASET_FILES` has for every family a function that writes files into an empty folder and one
that reads a graph from them.
"""

from __future__ import annotations

import gzip
import pickle
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from grape_gnn.graph import Graph

__all__ = ["DATASET_FILES"]

AMAZON = "Total items: 3\n" + "".join(
    f"Id: {k}\nASIN: B{k}\n  title: T\n  group: Music\n  similar: 2  B{k % 3}  B{(k + 1) % 3}\n"
    f"  categories: 0\n  reviews: total: {k + 1}  downloaded: {k}  avg rating: 4.5\n\n"
    for k in range(3)
)
COPURCHASES = (
    "ASIN,s1,s2,s3,s4,s5,totalReview,avgRate,totalVote\n"
    "A,B,C,,,,3,4.5,20\nB,A,,,,,1,5,2\nC,,,,,,7,3,1\n"
)


def _write_planetoid(folder: Path) -> None:
    from scipy.sparse import csr_matrix

    parts = {
        "allx": csr_matrix(np.array([[1, 0], [0, 1]], np.float32)),
        "ally": np.array([[1, 0], [0, 1]]),
        "tx": csr_matrix(np.array([[0, 2], [2, 0]], np.float32)),
        "ty": np.array([[0, 1], [0, 0]]),
        "graph": defaultdict(list, {0: [1, 1, 0], 1: [0, 4], 2: [], 3: [4], 4: [1, 3]}),
    }
    for name, value in parts.items():
        (folder / name).write_bytes(pickle.dumps(value, protocol=0 if name == "graph" else 3))
    (folder / "test.index").write_text("4\n2\n")


def _read_planetoid(folder: Path) -> Graph:
    from grape_gnn.datasets.planetoid import read_planetoid

    names = ("allx", "ally", "tx", "ty", "graph", "test.index")
    return read_planetoid(*(folder / name for name in names))


def _write_amazon(folder: Path) -> None:
    (folder / "meta.txt.gz").write_bytes(gzip.compress(AMAZON.encode(), mtime=0))


def _read_amazon(folder: Path) -> Graph:
    from grape_gnn.datasets.amazon import read_amazon_meta

    return read_amazon_meta(folder / "meta.txt.gz")


def _write_copurchases(folder: Path) -> None:
    (folder / "table.csv").write_text(COPURCHASES)


def _read_copurchases(folder: Path) -> Graph:
    from grape_gnn.datasets.amazon import read_copurchase_table

    return read_copurchase_table(folder / "table.csv")


def _write_airports(folder: Path) -> None:
    (folder / "edges").write_text("2 0\n0 2\n1 1\n2 3\n")
    (folder / "labels").write_text("node label\n0 0\n3 1\n1 2\n2 1\n")


def _read_airports(folder: Path) -> Graph:
    from grape_gnn.datasets.airports import read_airports

    return read_airports(folder / "edges", folder / "labels")


def _write_heterophilous(folder: Path) -> None:
    train, validation, test = np.eye(3, 4, dtype=bool)[:, None]
    np.savez_compressed(
        folder / "graph.npz",
        node_features=np.arange(8, dtype=np.float32).reshape(4, 2),
        node_labels=np.array([1, 0, 1, 0]),
        edges=np.array([[0, 1], [1, 2], [3, 1]]),
        train_masks=train,
        val_masks=validation,
        test_masks=test,
    )


def _read_heterophilous(folder: Path) -> Graph:
    from grape_gnn.datasets.heterophilous import read_heterophilous, read_published_splits

    read_published_splits(folder / "graph.npz")
    return read_heterophilous(folder / "graph.npz")


DATASET_FILES: dict[str, tuple[Callable[[Path], None], Callable[[Path], Graph]]] = {
    "planetoid": (_write_planetoid, _read_planetoid),
    "amazon": (_write_amazon, _read_amazon),
    "co-purchases": (_write_copurchases, _read_copurchases),
    "airports": (_write_airports, _read_airports),
    "heterophilous": (_write_heterophilous, _read_heterophilous),
}
