"""Cora and Citeseer as published with Planetoid (Yang, Cohen and Salakhutdinov, 2016).

A dataset is several files. ``allx`` and ``ally`` hold features and one-hot labels of the nodes
that are not for testing, ``tx`` and ``ty`` those of the test nodes, ``test.index`` the numbers
of the test nodes in the order of ``tx``, and ``graph`` the neighbours of every node. (``x`` and
``y`` repeat a part of ``allx`` and ``ally``.) All but the index are pickles of Python 2.

What is in the files and not in the graph:

- Citeseer's ``graph`` has 124 self-loops, and both have repeated edges; a simple graph has none,
  so they are dropped without a warning.
- 15 nodes of Citeseer, between the test nodes, have an entry in ``graph`` and in no other file.
  (They are often called isolated, but each has a neighbour.) They stay, with features 0 and a
  *missing* label, so they are neither trained on nor scored. 48 other nodes are isolated.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import RemoteFile
from grape_gnn.datasets.safe_pickle import read_array_pickle
from grape_gnn.datasets.simple_edges import simple_edges
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import spells_integer

__all__ = ["DATASETS", "read_planetoid"]

# Of so many features hardly any is set: the shape of a damaged file, not of words in papers.
DENSE_CELLS, DENSE_RATIO = 1 << 28, 1000

SOURCE = "https://github.com/kimiyoung/planetoid/raw/master/data"
CITATION = (
    "Sen et al., Collective classification in network data, AI Magazine 29(3), 2008; splits and "
    "files: Yang, Cohen and Salakhutdinov, Revisiting semi-supervised learning with graph "
    "embeddings, ICML 2016"
)


def read_planetoid(
    allx: Path, ally: Path, tx: Path, ty: Path, graph: Path, test_index: Path
) -> Graph:
    """Put a Planetoid dataset together from its files.

    Parameters
    ----------
    allx, ally, tx, ty, graph, test_index
        The files ``ind.<name>.allx`` and so on.

    Returns
    -------
    Graph
        Undirected; `x` is the bag of words, `y` the subject, its classes numbered as published.
    """
    rest_x, test_x = _features(allx), _features(tx)
    rest_y, test_y = _one_hot(ally), _one_hot(ty)
    test_nodes = _read_index(test_index)
    src, dst, named = _read_adjacency(graph)
    n = 1 + int(max(test_nodes.max(initial=-1), named.max(initial=-1), rest_x.shape[0] - 1))
    _check_numbers(test_index, test_nodes, rest_x.shape[0], n, graph, named)
    _check_sizes(tx, test_nodes.size, test_x.shape[0], "test numbers")
    _check_sizes(ty, test_nodes.size, test_y.shape[0], "test numbers")
    _check_sizes(ally, rest_x.shape[0], rest_y.shape[0], "rows in allx")
    if rest_x.shape[1] != test_x.shape[1] or rest_y.shape[1] != test_y.shape[1]:
        raise GraphFileError(tx, "has features or classes that differ in number from allx")
    cells = n * rest_x.shape[1]
    if cells > DENSE_CELLS and cells > DENSE_RATIO * (rest_x.nnz + test_x.nnz):
        raise GraphFileError(
            allx, f"announces {rest_x.shape[1]:,} features and has few: get the file again"
        )

    x = np.zeros((n, rest_x.shape[1]), np.float32)
    y = np.full(n, -1, np.int64)
    x[: rest_x.shape[0]], x[test_nodes] = rest_x.toarray(), test_x.toarray()
    y[: rest_x.shape[0]], y[test_nodes] = _classes(rest_y), _classes(test_y)
    classes = tuple(range(rest_y.shape[1]))
    try:
        return Graph.from_edges(*simple_edges(src, dst, n), n, x=x, y=y, label_names=classes)
    except GraphError as error:
        raise GraphFileError(allx, f"does not make a graph: {error}") from error


def _features(path: Path) -> Any:
    value = read_array_pickle(path)
    if not isinstance(value, csr_array):
        raise GraphFileError(path, f"should hold a sparse matrix, holds {type(value).__name__}")
    return value


def _one_hot(path: Path) -> NDArray[Any]:
    value = read_array_pickle(path)
    if not isinstance(value, np.ndarray) or value.ndim != 2:
        raise GraphFileError(path, f"should hold a matrix, holds {type(value).__name__}")
    if value.shape[1] == 0 or not np.isin(value, (0, 1)).all():
        raise GraphFileError(path, "says for some node and class what is not 0 or 1")
    return value


def _classes(one_hot: NDArray[Any]) -> NDArray[np.int64]:
    # A row without a 1 has no label.
    codes: NDArray[np.int64] = np.where(one_hot.any(axis=1), one_hot.argmax(axis=1), -1)
    return codes


def _read_index(path: Path) -> NDArray[np.int64]:
    numbers = []
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    for line, text in enumerate(lines, start=1):
        if not spells_integer(text.strip()):
            raise GraphFileError(path, f"{text[:40]!r} is not the number of a node", line)
        numbers.append(int(text))
    if len(set(numbers)) != len(numbers):
        raise GraphFileError(path, "names a test node twice")
    return np.array(numbers, np.int64)


def _read_adjacency(
    path: Path,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    neighbours = read_array_pickle(path)
    if not isinstance(neighbours, dict):
        raise GraphFileError(
            path, f"should hold neighbours by node, holds {type(neighbours).__name__}"
        )
    try:
        named = _whole(neighbours)
        src = np.repeat(named, [len(heads) for heads in neighbours.values()])
        dst = _whole(head for heads in neighbours.values() for head in heads)
    except (TypeError, ValueError, OverflowError) as error:
        raise GraphFileError(path, f"has a node that is no number: {error}") from error
    nodes = np.concatenate([named, dst])
    if nodes.min(initial=0) < 0:
        raise GraphFileError(path, f"names the node {nodes.min()}; numbers start at 0")
    return src, dst, nodes


def _whole(numbers: Iterable[Any]) -> NDArray[np.int64]:
    listed = list(numbers)
    for number in listed:
        if not isinstance(number, int):
            raise TypeError(f"{str(number)[:40]!r}")
    return np.array(listed, np.int64)


def _check_numbers(
    index: Path, tests: NDArray[np.int64], rest: int, n: int, graph: Path, named: NDArray[np.int64]
) -> None:
    """Refuse test nodes that are none, and numbers that leave most nodes in no file."""
    if tests.min(initial=rest) < rest:
        raise GraphFileError(index, f"names the node {tests.min()}, which allx describes too")
    known = rest + tests.size + np.unique(named).size
    if n > known:
        path = index if tests.max(initial=-1) == n - 1 else graph
        raise GraphFileError(
            path, f"names the node {n - 1:,}, but the files tell of {known:,} nodes at most"
        )


def _check_sizes(path: Path, expected: int, found: int, what: str) -> None:
    if expected != found:
        raise GraphFileError(path, f"has {found} rows for {expected} {what}")


def _files(name: str, hashes: dict[str, str]) -> tuple[RemoteFile, ...]:
    return tuple(
        RemoteFile(f"planetoid/ind.{name}.{part}", sha256, (f"{SOURCE}/ind.{name}.{part}",))
        for part, sha256 in hashes.items()
    )


def _dataset(
    name: str, title: str, counts: tuple[int, int, int, int], hashes: dict[str, str]
) -> Dataset:
    nodes, edges, features, classes = counts
    info = DatasetInfo(
        name=name,
        description=f"{title}: papers, joined by citations; label: subject; features: words",
        templates="citation",
        citation=CITATION,
        licence="MIT (the Planetoid repository)",
        num_nodes=nodes,
        num_edges=edges,
        num_features=features,
        num_classes=classes,
        files=_files(name, hashes),
    )
    return Dataset(info, read_planetoid)


DATASETS = (
    _dataset(
        "cora",
        "Cora",
        (2708, 5278, 1433, 7),
        {
            "allx": "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543",
            "ally": "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71",
            "tx": "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a",
            "ty": "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad",
            "graph": "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d",
            "test.index": "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875",
        },
    ),
    _dataset(
        "citeseer",
        "Citeseer",
        (3327, 4552, 3703, 6),
        {
            "allx": "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668",
            "ally": "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95",
            "tx": "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21",
            "ty": "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce",
            "graph": "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7",
            "test.index": "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4",
        },
    ),
)
