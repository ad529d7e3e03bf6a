"""Predictions as a table of comma-separated values: one node, or one graph of a set, a line.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line end for a
formula, and node names may come from anyone. Such a cell gets an apostrophe in front, which
`read_predictions` takes off again. Numbers keep their sign: they are no formulas, and programs
look them up.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from dataclasses import astuple, dataclass, fields
from itertools import compress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelFileError
from grape_gnn.files import atomic_write, read_text
from grape_gnn.graph.targets import labelled_nodes
from grape_gnn.training.split import Split

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.estimator.fitted import FittedModel
    from grape_gnn.graph import Graph
    from grape_gnn.graphs import GraphSet

__all__ = [
    "PARTS",
    "Prediction",
    "as_predictions",
    "format_predictions",
    "predict_nodes",
    "read_predictions",
    "split_of",
    "write_predictions",
    "wrong_answers",
]

PARTS = ("train", "validation", "test")


@dataclass(frozen=True)
class Prediction:
    """One node: its name, its label if known, the predicted one and its probability.

    All are texts but the probability; a missing label, and the part of a node that had none in
    training, are empty texts. Several labels are separated by semicolons, and the probability is
    that of the least certain of them; numbers have none.
    """

    node: str
    label: str
    predicted: str
    probability: float | None
    part: str


_COLUMNS = [column.name for column in fields(Prediction)]
# Also what begins so after apostrophes of its own: else they could not be told from ours.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")  # the last four: full width
_SPECIAL = re.compile('[,"\\r\\n]')
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def predict_nodes(
    classifier: GrapeEstimator, graph: Graph, split: Split | None = None, known: Any = None
) -> list[Prediction]:
    """Predict every node of a graph.

    Parameters
    ----------
    classifier
        A fitted model.
    graph
        The graph.
    split
        The parts of the training, if this is its graph.
    known
        Nodes whose labels the classifier may see, as in `GrapeClassifier.predict_proba`.
    """
    return as_predictions(classifier, graph, classifier.outputs(graph, known), split)


def as_predictions(
    model: FittedModel,
    graph: Graph | GraphSet,
    outputs: NDArray[Any],
    split: Split | None = None,
    first: int = 0,
) -> list[Prediction]:
    """Turn what a network computes for a graph into predictions.

    Parameters
    ----------
    model
        The fitted model.
    graph
        The graph, or the set of graphs.
    outputs
        What `GrapeEstimator.outputs` gives for it.
    split
        The parts of the training, if this is its graph.
    first
        Number of the node that the outputs begin with, if they are of a block of nodes.
    """
    block = slice(first, first + len(outputs))
    parts = np.full(len(outputs), "", dtype=object)
    for name in PARTS if split is not None else ():
        parts[getattr(split, name)[block]] = name
    answers, chances = _answers(model, outputs)
    labels = _label_texts(graph, block)
    return [
        Prediction(str(graph.name_of(first + k)), labels[k], answers[k], chance, parts[k])
        for k, chance in enumerate(chances)
    ]


def _answers(model: FittedModel, outputs: NDArray[Any]) -> tuple[list[str], list[float | None]]:
    names = [str(label) for label in model.labels_]
    if model.task_ == "regression":
        return [f"{number:.10g}" for number in outputs], [None] * len(outputs)
    if model.task_ == "multi-label":
        shares = 1 / (1 + np.exp(-np.abs(outputs.astype(np.float64))))
        chances = shares.min(axis=1)
        answers = [";".join(compress(names, row)) for row in outputs > 0]
    else:
        import torch

        shares = torch.softmax(torch.from_numpy(outputs), dim=1).numpy()
        chances = shares.max(axis=1)
        answers = [names[code] for code in shares.argmax(axis=1)]
    return answers, [round(float(chance), 6) for chance in chances]


def _label_texts(graph: Graph | GraphSet, block: slice) -> list[str]:
    """Return the labels of a block as they are written in the table; empty where one is missing."""
    texts = [""] * (block.stop - block.start)
    if graph.y is None:
        return texts
    names = [str(name) for name in graph.label_names or ()]
    labels = graph.y[block]
    for node in np.flatnonzero(labelled_nodes(labels)).tolist():
        value = labels[node]
        if graph.task == "multi-label":
            texts[node] = ";".join(compress(names, value))
        else:
            texts[node] = f"{value:.10g}" if graph.task == "regression" else names[value]
    return texts


def format_predictions(rows: list[Prediction], of: str = "node") -> str:
    """Return the table as text; `of`: what a line is, a node or a graph.

    Examples
    --------
    >>> print(format_predictions([Prediction("ann", "red", "blue", 0.75, "test")]), end="")
    node,label,predicted,probability,part
    ann,red,blue,0.75,test
    >>> print(format_predictions([Prediction("=1+1", "-1", "-1", 1.0, "")]), end="")
    node,label,predicted,probability,part
    '=1+1,-1,-1,1.0,
    """
    lines = [_columns(of), *([_written(cell) for cell in astuple(row)] for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)


def _columns(of: str) -> list[str]:
    return [of, *_COLUMNS[1:]]


def _written(value: str | float | None) -> str:
    cell = "" if value is None else str(value)
    if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        cell = f"'{cell}"
    # `csv.writer` leaves a lone CR bare if lines end in LF, and readers end the line there.
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def write_predictions(
    path: str | os.PathLike[str], rows: list[Prediction], of: str = "node"
) -> None:
    """Write the table, whole or not at all."""
    with atomic_write(path) as temporary:
        temporary.write_text(format_predictions(rows, of), encoding="utf-8", newline="")


def read_predictions(path: str | os.PathLike[str], of: str = "node") -> list[Prediction]:
    """Read what `write_predictions` wrote."""
    try:
        text = read_text(path)
        rows = list(csv.reader(io.StringIO(text, newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(path, f"cannot be read ({reason}); predict again") from error
    if not rows or rows[0] != _columns(of):
        raise ModelFileError(
            path, f"is not a table of predictions: expected the columns {', '.join(_columns(of))}"
        )
    if not text.endswith("\n"):
        raise ModelFileError(path, "is cut short: its last line is incomplete; predict again")
    return [_parsed(path, number, row) for number, row in enumerate(rows[1:], start=2)]


def _parsed(path: str | os.PathLike[str], number: int, row: list[str]) -> Prediction:
    try:
        node, label, predicted, chance, part = map(_unguarded, row)
        if chance and not 0 <= float(chance) <= 1:
            raise ValueError(f"probability {chance}")
        if part not in ("", *PARTS):
            raise ValueError(f"part {part!r}")
        return Prediction(node, label, predicted, float(chance) if chance else None, part)
    except ValueError as error:
        raise ModelFileError(
            path, f"line {number} is not a prediction ({error}); predict again"
        ) from error


def split_of(rows: list[Prediction]) -> Split:
    """Return the parts as masks over the nodes.

    Examples
    --------
    >>> split_of([Prediction("a", "", "x", 1.0, ""), Prediction("b", "x", "x", 1.0, "test")])
    Split(train=0, validation=0, test=1)
    """
    parts = np.array([row.part for row in rows], dtype=object)
    return Split(*(parts == name for name in PARTS))


def wrong_answers(rows: list[Prediction], metrics: dict[str, Any]) -> str | None:
    """Return what of a run's predictions the model cannot have made; None: nothing.

    Examples
    --------
    >>> found = {"task": "classification", "classes": ["a", "b"]}
    >>> wrong_answers([Prediction("ann", "a", "c", 0.9, "test")], found)
    "predicts 'c', which is no class"
    >>> wrong_answers([Prediction("ann", "a", "b", None, "test")], found)
    "has no probability for 'ann'"
    """
    if metrics["task"] == "regression":
        unknown = {row.predicted for row in rows if not _is_number(row.predicted)}
    else:
        several = metrics["task"] == "multi-label"
        found = (row.predicted.split(";") if several else [row.predicted] for row in rows)
        known = {str(name) for name in metrics["classes"]} | ({""} if several else set())
        unknown = {answer for answers in found for answer in answers} - known
    if unknown:
        return f"predicts {min(unknown)!r}, which is no class"
    if metrics["task"] != "regression":
        silent = [row.node for row in rows if row.probability is None]
        return f"has no probability for {silent[0]!r}" if silent else None
    return None


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
