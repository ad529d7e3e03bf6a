"""Which labels a model with label inputs may look at when it predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.targets import hide_labels
from grape_gnn.training import as_mask
from grape_gnn.warn import warn

__all__ = ["KnownLabels", "class_codes", "given_labels", "target_codes"]


@dataclass(frozen=True, eq=False)
class KnownLabels:
    """The training labels, remembered together with the graph they belong to.

    Parameters
    ----------
    codes
        Label of every training node, in the form of its task; missing for all others.
    edges
        Checksum of the graph's edges.

    Examples
    --------
    >>> path = Graph.from_edges([0, 1], [1, 2])
    >>> known = KnownLabels.of(path, np.array([1, -1, 0]))
    >>> known.on(path).tolist()
    [1, -1, 0]
    """

    codes: NDArray[Any]
    edges: str

    @classmethod
    def of(cls, graph: Graph, codes: NDArray[Any]) -> KnownLabels:
        """Remember the labels of a graph."""
        return cls(codes, checksum(graph))

    def on(self, graph: Graph) -> NDArray[Any]:
        """Return the labels to be seen on a graph: none, with a warning, if it is another one."""
        if checksum(graph) == self.edges:
            return self.codes
        warn(
            "this is not the graph of the training, and the model was trained to look at labels: "
            "say by known= which labels of this graph it may see; now it sees none"
        )
        shape = (graph.num_nodes, *self.codes.shape[1:])
        missing = np.nan if self.codes.dtype.kind == "f" else -1
        return np.full(shape, missing, self.codes.dtype)


def class_codes(graph: Graph, classes: Sequence[str | int]) -> NDArray[np.int64]:
    """Return the codes of a graph's labels among a model's classes; -1 where it has no such class.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], y=["red", "blue", "red"])
    >>> class_codes(g, ["red", "green"]).tolist()
    [0, -1, 0]
    """
    code_of = {label: code for code, label in enumerate(classes)}
    codes = [*(code_of.get(label, -1) for label in graph.label_names or ()), -1]
    found: NDArray[np.int64] = np.array(codes, np.int64)[graph.y]
    return found


def target_codes(graph: Graph, labels: Sequence[str | int], task: str) -> NDArray[Any]:
    """Return a graph's labels in the form that a model of a task learns.

    Parameters
    ----------
    graph
        A graph with labels.
    labels
        The model's classes or labels; empty for numbers.
    task
        The model's.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], y=[{"red"}, {"blue", "red"}, {"blue"}])
    >>> target_codes(g, ["red", "green"], "multi-label").tolist()
    [[1, 0], [1, 0], [0, 0]]
    """
    if graph.task != task or graph.y is None:
        raise ModelError(f"the labels of the graph are {graph.task}, and the model is for {task}")
    if task == "classification":
        return class_codes(graph, labels)
    if task == "regression":
        return graph.y
    column = {label: k for k, label in enumerate(graph.label_names or ())}
    found = np.zeros((len(graph.y), len(labels)), np.int64)
    for place, label in enumerate(labels):
        if label in column:
            found[:, place] = graph.y[:, column[label]]
    found[~graph.labelled] = -1
    return found


def given_labels(
    graph: Graph, known: Any, labels: Sequence[str | int], task: str = "classification"
) -> NDArray[Any]:
    """Return those labels of a graph that are known, in the form that a model learns.

    Parameters
    ----------
    graph
        A graph with labels.
    known
        Mask or list of the nodes whose labels may be seen.
    labels, task
        The model's.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2], y=["red", "blue", "red"])
    >>> given_labels(g, [0, 1], ["red", "green"]).tolist()  # the model knows no blue
    [0, -1, -1]
    """
    if graph.y is None:
        raise ModelError("known= names nodes whose labels may be seen, but the graph has no labels")
    chosen = as_mask(known, graph.num_nodes, "known")
    return hide_labels(target_codes(graph, labels, task), chosen)
