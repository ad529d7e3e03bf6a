"""Node tables: a CSV or TSV file with one node a line, for the labels and features of an edge list.

The first line names the columns; the first column holds the node names.
"""

from __future__ import annotations

import csv
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphFileError
from grape_gnn.graph.attributes import Label, Names
from grape_gnn.graph.given_splits import splits_from_columns, splits_of
from grape_gnn.graph.split import Split
from grape_gnn.graph.targets import parse_cells
from grape_gnn.graph.unpack import open_unpacked
from grape_gnn.warn import warn

__all__ = ["NodeTable", "read_node_table"]


@dataclass(frozen=True)
class NodeTable:
    """A parsed node table, not yet tied to the nodes of a graph."""

    path: Path
    names: list[str]
    lines: list[int]
    labels: list[Label | float | None] | None
    x: NDArray[np.float64] | None
    splits: list[list[int]]

    def align(
        self, names: Names | None, num_nodes: int
    ) -> tuple[NDArray[np.float64] | None, list[Label | float | None] | None, tuple[Split, ...]]:
        """Return features, labels and splits in the order of the graph's nodes.

        A node that the table lacks has a missing label and is in no part of a split; it cannot
        have missing features.
        """
        order = range(num_nodes) if names is None else names
        index = {str(name): i for i, name in enumerate(order)}
        row_of = np.full(num_nodes, -1, np.int64)
        for row, name in enumerate(self.names):
            node = index.get(name)
            if node is None:
                raise GraphFileError(
                    self.path,
                    f"node {name!r} is not in the edge list; pass isolated=True to add such "
                    "nodes without edges",
                    self.lines[row],
                )
            row_of[node] = row
        absent = np.flatnonzero(row_of < 0)
        if self.x is not None and absent.size:
            missing = order[int(absent[0])]
            raise GraphFileError(
                self.path,
                f"{absent.size} nodes of the edge list are not in the table, the first is "
                f"{missing!r}; every node needs its features",
            )
        labels = self.labels
        aligned = None if labels is None else [labels[r] if r >= 0 else None for r in row_of]
        # A node without a row takes the last entry, which is in no part.
        codes = [np.array([*column, 0], np.int8)[row_of] for column in self.splits]
        splits = splits_of(np.stack(codes, axis=1)) if codes else ()
        return (None if self.x is None else self.x[row_of]), aligned, splits


def read_node_table(
    path: Path, *, label: str | None = None, features: Sequence[str] | None = None
) -> NodeTable:
    """Read a node table.

    Parameters
    ----------
    path
        The file, plain or gzipped.
    label
        The column with the labels; an empty cell is a missing label.
    features
        The columns that make up the features. None: all other columns that hold numbers; those
        that do not are ignored with a warning. A column of splits is neither.
    """
    columns, rows, lines = _read_cells(path)
    names = [row[0] for row in rows]
    seen: dict[str, int] = {}
    for name, line in zip(names, lines, strict=True):
        if not name:
            raise GraphFileError(path, "the node name is empty", line)
        if name in seen:
            raise GraphFileError(path, f"node {name!r} was already on line {seen[name]}", line)
        seen[name] = line
    for wanted in [*([] if label is None else [label]), *(features or ())]:
        if wanted not in columns[1:]:
            raise GraphFileError(path, f"has no column {wanted!r}; it has {columns[1:]}")

    labels = None if label is None else parse_cells([r[columns.index(label)] for r in rows])
    others = {c: [row[columns.index(c)] for row in rows] for c in columns[1:] if c != label}
    splits, parts = splits_from_columns(others)
    chosen = features if features is not None else [c for c in others if c not in parts]
    numeric, ignored = [], []
    for name in chosen:
        cells = [row[columns.index(name)] for row in rows]
        numbers = _parse_numbers(path, name, cells, lines, required=features is not None)
        if numbers is None:
            ignored.append(name)
        else:
            numeric.append(numbers)
    if ignored:
        warn(f"{path}: ignored the columns {ignored}, which are not numbers")
    x = np.stack(numeric, axis=1) if numeric else None
    return NodeTable(path, names, lines, labels, x, splits)


def _read_cells(path: Path) -> tuple[list[str], list[list[str]], list[int]]:
    try:
        with open_unpacked(path) as file:
            text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise GraphFileError(path, "is not UTF-8; convert the file to UTF-8", line) from error
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    # Comments become empty lines, which the reader skips, so that line numbers stay right.
    # Only these end a line: cells may hold other separators, such as U+2028.
    split = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)
    content = ["" if line.startswith(("#", "%")) else line for line in split]
    first = next((line for line in content if line.strip()), "")
    delimiter = next((c for c in "\t,;" if c in first), ",")
    reader = csv.reader(content, delimiter=delimiter, strict=True)
    rows, lines = [], []
    try:
        for row in reader:
            if row:
                rows.append([cell.strip() for cell in row])
                lines.append(reader.line_num)
    except csv.Error as error:
        raise GraphFileError(path, str(error), reader.line_num) from error
    if not rows:
        raise GraphFileError(path, "is empty; the first line must name the columns")
    columns = rows[0]
    if len(set(columns)) != len(columns):
        raise GraphFileError(path, f"column names must be distinct, got {columns}", lines[0])
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(columns):
            raise GraphFileError(
                path, f"found {len(row)} columns where the first line has {len(columns)}", line
            )
    return columns, rows[1:], lines[1:]


def _parse_numbers(
    path: Path, column: str, cells: list[str], lines: list[int], *, required: bool
) -> NDArray[np.float64] | None:
    # None: not a column of numbers. A numeric column with a hole in it is an error instead, for
    # features cannot be missing.
    def complain(row: int) -> GraphFileError:
        return GraphFileError(
            path, f"{cells[row]!r} in column {column!r} is not a finite number", lines[row]
        )

    values = np.full(len(cells), np.nan)
    for row, cell in enumerate(cells):
        if cell:
            try:
                values[row] = float(cell)
            except ValueError:
                if required:
                    raise complain(row) from None
                return None
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size == len(cells) and not required and not any(cells):
        return None
    if bad.size:
        raise complain(int(bad[0]))
    return values
