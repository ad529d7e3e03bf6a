"""Which labels a classifier with label inputs may look at when it predicts."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.training import as_mask
from grape_gnn.warn import warn

__all__ = ["ShownLabels", "given_labels"]


@dataclass(frozen=True, eq=False)
class ShownLabels:
    """The training labels, remembered together with the graph they belong to.

    Parameters
    ----------
    codes
        Class of every training node, -1 for all others.
    edges
        Hash of the graph's edges.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> shown = ShownLabels.of(path, np.array([1, -1, 0]))
    >>> shown.on(path).tolist()
    [1, -1, 0]
    """

    codes: NDArray[np.int64]
    edges: str

    @classmethod
    def of(cls, graph: Graph, codes: NDArray[np.int64]) -> ShownLabels:
        """Remember the labels of a graph."""
        return cls(codes, _hash(graph))

    def on(self, graph: Graph) -> NDArray[np.int64]:
        """Return the labels to show on a graph: none, with a warning, if it is another one."""
        if _hash(graph) == self.edges:
            return self.codes
        warn(
            "this is not the graph of the training, and the model was trained to look at labels: "
            "say by known= which labels of this graph it may see; it is shown none"
        )
        return np.full(graph.num_nodes, -1, np.int64)


def given_labels(graph: Graph, known: Any, classes: Sequence[str | int]) -> NDArray[np.int64]:
    """Return the codes, among a model's classes, of those labels of a graph that are known.

    Parameters
    ----------
    graph
        A graph with labels.
    known
        Mask or list of the nodes whose labels may be seen.
    classes
        The model's classes.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], y=["red", "blue", "red"])
    >>> given_labels(g, [0, 1], ["red", "green"]).tolist()  # the model knows no blue
    [0, -1, -1]
    """
    if graph.y is None or graph.label_names is None:
        raise ModelError("known= names nodes whose labels may be seen, but the graph has no labels")
    code_of = {label: code for code, label in enumerate(classes)}
    codes = np.array([*(code_of.get(label, -1) for label in graph.label_names), -1], np.int64)
    chosen = as_mask(known, graph.num_nodes, "known")
    shown: NDArray[np.int64] = np.where(chosen, codes[graph.y], -1)
    return shown


def _hash(graph: Graph) -> str:
    digest = hashlib.sha256(b"directed" if graph.directed else b"undirected")
    for array in (graph.indptr, graph.indices):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
