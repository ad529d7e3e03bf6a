"""Graphs whose neighbours differ (Platonov et al., 2023), each with ten published splits.

- ``minesweeper``: the cells of a grid, joined to the up to eight around them; the label is
  whether there is a mine (one in five). The features are the number of mines around the cell,
  one-hot, or for half of the cells that it is not known. Its authors score by ROC AUC.
- ``chameleon-filtered``: pages of Wikipedia about chameleons, joined by links; the label is one of
  five levels of traffic, the features are words. Pages that repeat others, which made the older
  version of this graph leak labels from training into testing, are left out.

A dataset is one ``.npz`` file with ``node_features``, ``node_labels``, ``edges`` (one pair a row)
and ``train_masks``, ``val_masks``, ``test_masks`` (one split a row). It is read without pickle,
and nothing it says is believed before it is checked.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import RemoteFile
from grape_gnn.datasets.simple_edges import simple_edges
from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files import open_regular
from grape_gnn.graph import Graph
from grape_gnn.graph.split import Split

__all__ = ["DATASETS", "read_heterophilous", "read_published_splits"]

SOURCE = "https://github.com/yandex-research/heterophilous-graphs/raw/main/data"
MASKS = ("train_masks", "val_masks", "test_masks")
# Kind of NumPy's types, and number of dimensions.
EXPECTED = {"node_features": ("f", 2), "node_labels": ("i", 1), "edges": ("i", 2)} | dict.fromkeys(
    MASKS, ("b", 2)
)


def read_heterophilous(path: Path) -> Graph:
    """Read a graph of this family.

    Parameters
    ----------
    path
        The ``.npz`` file.

    Returns
    -------
    Graph
        Undirected, without loops and repeated edges.
    """
    x, y, edges = _read(path, "node_features", "node_labels", "edges")
    n = y.size
    if len(x) != n:
        raise GraphFileError(path, f"has features of {len(x)} nodes and labels of {n}")
    if edges.shape[1] != 2:
        raise GraphFileError(path, f"edges has {edges.shape[1]} columns, expected 2")
    if edges.size and not 0 <= edges.min() <= edges.max() < n:
        raise GraphFileError(path, f"edges names nodes outside 0..{n - 1}")
    src, dst = edges.astype(np.int64).T
    try:
        return Graph.from_edges(*simple_edges(src, dst, n), n, x=x, y=y)
    except GraphError as error:
        raise GraphFileError(path, f"does not make a graph: {error}") from error


def read_published_splits(path: Path) -> list[Split]:
    """Read the splits that come with a graph of this family.

    Parameters
    ----------
    path
        The ``.npz`` file.

    Returns
    -------
    list of Split
    """
    labels, *masks = _read(path, "node_labels", *MASKS)
    for name, mask in zip(MASKS, masks, strict=True):
        if mask.shape != (len(masks[0]), labels.size):
            raise GraphFileError(
                path, f"{name} has shape {mask.shape}, expected ({len(masks[0])}, {labels.size})"
            )
    if (np.sum(masks, axis=0) > 1).any():
        raise GraphFileError(path, "has a node in two parts of one split")
    return [Split(*parts) for parts in zip(*masks, strict=True)]


def _read(path: Path, *names: str) -> list[NDArray[Any]]:
    """Return arrays of the file, each of the kind and number of dimensions it should have."""
    try:
        with open_regular(path) as file, zipfile.ZipFile(file) as archive:
            arrays = [_member(archive, name) for name in names]
    except Exception as error:  # a damaged archive makes zipfile and NumPy fail in many ways
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise GraphFileError(
            path, f"is not a readable .npz file: {reason or type(error).__name__}"
        ) from error
    for name, array in zip(names, arrays, strict=True):
        kind, dimensions = EXPECTED[name]
        if array.dtype.kind != kind or array.ndim != dimensions:
            raise GraphFileError(
                path, f"{name} has dtype {array.dtype} and shape {array.shape}: get the file again"
            )
    return arrays


def _member(archive: zipfile.ZipFile, name: str) -> NDArray[Any]:
    # Unpacking all of it checks the checksum, and an array is no larger than what was unpacked.
    content = archive.read(f"{name}.npy")
    stream = io.BytesIO(content)
    array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    if stream.tell() != len(content):
        raise ValueError(f"{name} is longer than it says")
    return array


def _dataset(
    name: str, description: str, counts: tuple[int, int, int, int], sha256: str, metric: str
) -> Dataset:
    nodes, edges, features, classes = counts
    file = f"{name.replace('-', '_')}.npz"
    info = DatasetInfo(
        name=name,
        description=description,
        templates="social",
        citation="Platonov et al., A critical look at the evaluation of GNNs under heterophily: "
        "are we really making progress?, ICLR 2023",
        licence="MIT (the heterophilous-graphs repository)",
        num_nodes=nodes,
        num_edges=edges,
        num_features=features,
        num_classes=classes,
        num_splits=10,
        metric=metric,
        files=(RemoteFile(f"heterophilous/{file}", sha256, (f"{SOURCE}/{file}",)),),
    )
    return Dataset(info, read_heterophilous, read_published_splits)


DATASETS = (
    _dataset(
        "minesweeper",
        "cells of a grid, joined to those around them; label: mine or not; features: number of "
        "mines around, known for half of the cells",
        (10000, 39402, 7, 2),
        "e664c8dacf1e8ac466c2c09ed4b237bd2c5541f47a6eae9c6092cb87f16412b3",
        "roc-auc",
    ),
    _dataset(
        "chameleon-filtered",
        "pages of Wikipedia about chameleons, joined by links; label: level of traffic; features: "
        "words",
        (890, 8854, 2325, 5),
        "bf46f07e1fb5249280447e5fe3100f3e82fc4b93ad1e13ffcfdec924b6ac0bb5",
        "accuracy",
    ),
)
