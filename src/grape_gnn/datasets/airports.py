"""Air traffic in Brazil and Europe (Ribeiro, Saverese and Figueiredo, struc2vec, 2017).

Nodes are airports, edges flights between them in 2016. The label is the quarter that an airport's
activity (landings and take-offs) falls into, from 0, the busiest, to 3. Nothing else is known of
an airport, so the only feature is a constant 1 and the label has to be read off its place in the
network.

A network is two files: an edge list of two numbers a line, in which some edges occur in both
directions and a few airports have a loop (a simple graph has neither, so they are dropped without
a warning), and a table with the header ``node label``, which names every airport once.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import RemoteFile
from grape_gnn.datasets.simple_edges import simple_edges
from grape_gnn.errors import GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import spells_integer

__all__ = ["DATASETS", "read_airports"]

SOURCE = "https://github.com/leoribeiro/struc2vec/raw/master/graph"
HEADER = ["node", "label"]
DIGITS = 9  # of the longest number that is believed


def read_airports(edges: Path, labels: Path) -> Graph:
    """Read an air-traffic network.

    Parameters
    ----------
    edges
        The edge list.
    labels
        The table of labels.

    Returns
    -------
    Graph
    """
    ends, table = _read_pairs(edges), _read_pairs(labels, header=True)
    n = len(table)
    if not np.array_equal(np.sort(table[:, 0]), np.arange(n)):
        raise GraphFileError(labels, f"should name the {n} nodes 0 to {n - 1} once each")
    if ends.max(initial=0) >= n:
        raise GraphFileError(edges, f"names the node {ends.max()}, which has no label")
    y = np.empty(n, np.int64)
    y[table[:, 0]] = table[:, 1]
    return Graph.from_edges(*simple_edges(ends[:, 0], ends[:, 1], n), n, x=np.ones((n, 1)), y=y)


def _read_pairs(path: Path, *, header: bool = False) -> NDArray[np.int64]:
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    if header and (not lines or lines[0].split() != HEADER):
        raise GraphFileError(path, "should begin with the line 'node label'", 1)
    pairs = []
    for number, line in enumerate(lines[header:], start=1 + header):
        words = line.split()
        if len(words) != 2 or not all(map(_is_count, words)):
            raise GraphFileError(path, f"{line[:40]!r} is not two numbers from 0 up", number)
        pairs.append((int(words[0]), int(words[1])))
    if not pairs:
        raise GraphFileError(path, "is empty: get the file again")
    return np.array(pairs, np.int64)


def _is_count(word: str) -> bool:
    return len(word) <= DIGITS and spells_integer(word) and int(word) >= 0


def _dataset(place: str, counts: tuple[int, int], sha256: tuple[str, str], alias: str) -> Dataset:
    names = (f"{place}-airports.edgelist", f"labels-{place}-airports.txt")
    info = DatasetInfo(
        name=f"{place}-airports",
        description=f"airports of {place.title()}, joined by flights; label: quarter of "
        "activity; constant feature",
        templates="social",
        citation="Ribeiro, Saverese and Figueiredo, struc2vec: Learning node representations from "
        "structural identity, KDD 2017",
        licence="MIT (the struc2vec repository)",
        num_nodes=counts[0],
        num_edges=counts[1],
        num_features=1,
        num_classes=4,
        aliases=(alias,),
        files=tuple(
            RemoteFile(f"airports/{name}", known, (f"{SOURCE}/{name}",))
            for name, known in zip(names, sha256, strict=True)
        ),
    )
    return Dataset(info, read_airports)


DATASETS = (
    _dataset(
        "brazil",
        (131, 1003),
        (
            "896b7bd460ad2da9160888d99bc9099ffe8ed7de3e410833889ea393831bcaa7",
            "8f9d19f10192fbaeb91dfb46dd7eae0fef28bfe1272d41ab96a4494a0d06785f",
        ),
        "airports-brazil",
    ),
    _dataset(
        "europe",
        (399, 5993),
        (
            "bd202178d0d1253c15bd3c9a22cc2a25f630244bbef9060bc30adbf0a5e130f6",
            "92bace031cc02937ac9629d6c69387458e5d5016a7dab98490fbf33e392cec4e",
        ),
        "airports-europe",
    ),
)
