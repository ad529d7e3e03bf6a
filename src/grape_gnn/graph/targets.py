"""What is to be predicted of a node: one class, several labels, or a number.

Decided once, when a graph is made, from the values; whoever reads them afterwards sees it by their
form, which `Graph.task` names:

==================  ================================================================================
classification      int64 codes, shape (nodes,), -1 where missing
multi-label         int64 zeros and ones, shape (nodes, labels), a row of -1 where missing
regression          float64 numbers, shape (nodes,), NaN where missing
==================  ================================================================================

Whole numbers can be either: up to 20 different ones are classes, and so are more of them if each
occurs five times on average; else they are amounts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import one_of
from grape_gnn.errors import GraphError
from grape_gnn.graph.attributes import (
    Label,
    as_label_codes,
    as_objects,
    encode_labels,
    is_missing,
    spells_integer,
)
from grape_gnn.graph.columns import as_number, is_amount
from grape_gnn.graph.gaps import GAPS
from grape_gnn.graph.label_sets import (
    ASKED_FOR,
    as_matrix,
    as_sets,
    matrix_codes,
    separator,
    several_in_a_cell,
)
from grape_gnn.warn import warn

if TYPE_CHECKING:
    from grape_gnn.graph.graph import Graph

__all__ = [
    "TASKS",
    "doubt",
    "hide_labels",
    "labelled_nodes",
    "parse_cells",
    "read_target",
    "task_of",
]

TASKS = ("classification", "multi-label", "regression")
FEW = 20
PER_CLASS = 5
MOSTLY = 0.9  # of the labels
# "007" and "01234" are names.
_NUMBER = re.compile(r"[+-]?(0|[1-9]\d*)?(\.\d*)?([eE][+-]?\d+)?", re.ASCII)
_NOT_A_LABEL = ("na", "n/a", "#n/a", "<na>", "nan", "null", "?")  # what stands for a missing one
_NOT_A_NUMBER = GAPS - {""}  # some of which, such as none or -, can be a class

Values = NDArray[Any]


def task_of(y: Values) -> str:
    """Name the task that labels of a graph are of, by their form.

    Examples
    --------
    >>> task_of(np.array([0, 1, -1])), task_of(np.array([1.5, 2.0]))
    ('classification', 'regression')
    """
    if y.ndim == 2:
        return "multi-label"
    return "regression" if y.dtype.kind == "f" else "classification"


def labelled_nodes(y: Values) -> NDArray[np.bool_]:
    """Return the mask of the nodes whose label is known.

    Examples
    --------
    >>> labelled_nodes(np.array([0, -1])).tolist(), labelled_nodes(np.array([np.nan, 2.0])).tolist()
    ([True, False], [False, True])
    """
    rows = y if y.ndim == 1 else y.min(axis=1, initial=0)
    known: NDArray[np.bool_] = ~np.isnan(rows) if y.dtype.kind == "f" else rows >= 0
    return known


def hide_labels(y: Values, visible: NDArray[np.bool_]) -> Values:
    """Return labels that are missing but for the visible nodes.

    Examples
    --------
    >>> hide_labels(np.array([3, 4]), np.array([True, False])).tolist()
    [3, -1]
    """
    hidden: Values = y.copy()
    hidden[~visible] = np.nan if y.dtype.kind == "f" else -1
    return hidden


def read_target(
    y: Any, num_nodes: int, task: str | None = None, label_names: Sequence[Label] | None = None
) -> tuple[Values, tuple[Label, ...] | None]:
    """Put labels into the form of their task.

    Parameters
    ----------
    y
        One value per node: classes as integers or texts, numbers, collections of labels; or a
        matrix of zeros and ones. ``None`` and NaN are missing, and -1 among whole numbers.
    num_nodes
        Number of nodes.
    task
        One of `TASKS`; None: as the values look.
    label_names
        The classes, or the columns of the matrix; `y` has codes or columns then.

    Examples
    --------
    >>> read_target(["a", None, "b"], 3)
    (array([ 0, -1,  1]), ('a', 'b'))
    >>> read_target([{"a", "b"}, {"a"}], 2)[0].tolist()
    [[1, 1], [1, 0]]
    >>> read_target([0.5, None], 2)
    (array([0.5, nan]), None)
    """
    if task is not None:
        one_of("task", task, TASKS, error=GraphError)
    matrix = as_matrix(y)
    if matrix is not None and matrix.shape[1:] == (1,):
        y = matrix[:, 0]
    elif matrix is not None:
        return matrix_codes(matrix, num_nodes, task, label_names)
    if label_names is not None and task in (None, "classification"):
        return as_label_codes(y, label_names, num_nodes)
    values = np.asarray(y if hasattr(y, "__array__") else as_objects(y))
    if values.shape != (num_nodes,):
        raise GraphError(
            f"labels y must have shape ({num_nodes},), one label per node; got {values.shape}"
        )
    if task is None:
        _refuse_words_among_numbers(values)
        task = _guess(values)
    if task == "classification":
        return encode_labels(_as_classes(values), num_nodes)
    if task == "regression":
        return _as_numbers(values), None
    return as_sets(values, label_names)


def parse_cells(cells: Sequence[str]) -> list[Label | float | None]:
    """Turn the cells of a label column into whole numbers, numbers or texts; empty is missing.

    Examples
    --------
    >>> parse_cells(["1", "", "2"]), parse_cells(["1.5", "NA", "-2"]), parse_cells(["-1", "1"])
    ([1, None, 2], [1.5, None, -2.0], ['-1', '1'])
    """
    present = [cell for cell in cells if cell]
    if all(spells_integer(cell) for cell in present):
        return [int(cell) if cell else None for cell in cells]
    numbers = [cell for cell in present if cell.lower() not in _NOT_A_NUMBER]
    if numbers and all(_spells_number(cell) or is_amount(cell) for cell in numbers):
        known = set(numbers)
        found = [as_number(cell) if cell in known else None for cell in cells]
        # -1 and 1 are names of two classes as a rule, and a missing label among numbers.
        plain = all(_spells_number(cell) and float(cell) >= 0 for cell in numbers)
        if _guess(as_objects(found)) == "regression" or plain:
            return list(found)
    gaps = [cell for cell in present if cell.lower() in _NOT_A_LABEL]
    if gaps:
        warn(
            f"took {len(gaps):,} labels such as {gaps[0]!r} for missing; call it otherwise if it "
            f"is a class"
        )
    lost = {"", *gaps}
    return [None if cell in lost else cell for cell in cells]


def doubt(graph: Graph) -> str | None:
    """Say what the labels were taken for if they could be meant otherwise; None if hardly.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> print(doubt(Graph.from_edges([0], [1], y=[1.5, 2.5])))
    took the labels for numbers (2 different ones); if they are classes, say so by --task
    classification
    """
    if graph.y is None:
        return None
    names = graph.label_names or ()
    if graph.task == "regression":
        known = graph.y[graph.labelled]
        different = np.unique(known).size
        fractions = bool((known != np.round(known)).any())
        if different > FEW and (fractions or 2 * different > known.size):
            return None
        return (
            f"took the labels for numbers ({different:,} different ones); if they are classes, "
            f"say so by --task classification"
        )
    if graph.task == "multi-label":
        return (
            f"took the labels for several per node, of {len(names)}; if every node has one class, "
            f"say so by --task classification"
        )
    if len(names) > FEW and all(isinstance(name, int) for name in names):
        return (
            f"took the labels for {len(names):,} classes; if they are amounts, say so by --task "
            f"regression"
        )
    texts = [name for name in names if isinstance(name, str)]
    if separator(texts) or several_in_a_cell(texts, ASKED_FOR):
        return (
            f"took the labels for {len(names):,} classes; if cells hold several labels, say so by "
            f"--task multi-label"
        )
    labelled = int(graph.labelled.sum())
    if len(names) > FEW and 2 * len(names) > labelled:
        return (
            f"took the labels for {len(names):,} classes of {labelled:,} labelled nodes, such as "
            f"{names[0]!r}: hardly two are alike; if they are amounts, write plain numbers"
        )
    return None


def _guess(values: Values) -> str:
    if values.dtype.kind in "biu":
        return "regression" if _is_amount(values[values != -1]) else "classification"
    present = [value for value in values.tolist() if not is_missing(value)]
    if present and all(isinstance(value, list | tuple | set | frozenset) for value in present):
        return "multi-label"
    if all(isinstance(value, str) for value in present):
        return "multi-label" if several_in_a_cell(present) else "classification"
    if any(isinstance(value, str) for value in present):
        return "classification"  # which complains of the mixture
    try:
        numbers = np.array(present, dtype=np.float64)
    except (TypeError, ValueError):
        return "classification"
    numbers = numbers[np.isfinite(numbers)]  # the others are refused where they are numbers
    if (numbers != np.round(numbers)).any():
        return "regression"
    return "regression" if _is_amount(numbers[numbers != -1]) else "classification"


def _refuse_words_among_numbers(values: Values) -> None:
    """Refuse numbers of a regression with a few words among them, which would be many classes."""
    texts = {node: text for node, text in enumerate(values.tolist()) if isinstance(text, str)}
    numbers = {node: float(text) for node, text in texts.items() if _spells_number(text)}
    words = [node for node in texts if node not in numbers]
    if not words or len(numbers) < MOSTLY * len(texts):
        return
    if _guess(np.array(list(numbers.values()))) == "regression":
        raise GraphError(
            f"{len(numbers):,} labels are numbers, and y[{words[0]}] is {texts[words[0]]!r}: leave "
            f"what is missing empty, or choose the task classification"
        )


def _is_amount(numbers: NDArray[Any]) -> bool:
    """Whether whole numbers are more likely amounts than names of classes."""
    different = np.unique(numbers).size
    return different > FEW and numbers.size < PER_CLASS * different


def _spells_number(cell: str) -> bool:
    return bool(_NUMBER.fullmatch(cell)) and any(letter.isdigit() for letter in cell)


def _as_classes(values: Values) -> Values:
    """Write numbers with a fraction out: they are the names of classes."""
    if values.dtype.kind == "f" or values.dtype.kind == "O":
        known = [value for value in values.tolist() if not is_missing(value)]
        if any(isinstance(value, float) and not value.is_integer() for value in known):
            texts = [None if is_missing(value) else str(value) for value in values.tolist()]
            return as_objects(texts)
    return values


def _as_numbers(values: Values) -> NDArray[np.float64]:
    found = np.full(values.size, np.nan)
    present = [value for value in values.tolist() if not is_missing(value)]
    whole = all(isinstance(value, int) for value in present)
    for node, value in enumerate(values.tolist()):
        if is_missing(value):
            continue
        try:
            found[node] = float(value)
        except (TypeError, ValueError):
            raise GraphError(
                f"a regression needs numbers, and the label y[{node}] is {value!r}; leave it "
                f"empty if it is missing, or choose the task classification"
            ) from None
        if not np.isfinite(found[node]):
            raise GraphError(f"the label y[{node}] is {value!r}: numbers to predict must be finite")
    if whole and np.nanmin(found, initial=0) >= -1:  # as among classes, unless others are negative
        found[found == -1] = np.nan
    return found
