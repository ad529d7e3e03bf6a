"""Node tables: one node a row, for the labels and features of a list of edges.

A CSV or TSV file, whose first line names the columns, a Parquet or Arrow file, or a data frame.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.arrow_file import open_arrow, read_arrow_columns, row_place
from grape_gnn.graph.attributes import Label, Names
from grape_gnn.graph.cell_rows import CellRows
from grape_gnn.graph.columns import Column, are_categories, make_column, take_rows
from grape_gnn.graph.decimal_commas import with_points
from grape_gnn.graph.given_splits import splits_from_columns, splits_of
from grape_gnn.graph.table_parts import is_arrow_table, refuse_folder_columns
from grape_gnn.graph.targets import parse_cells
from grape_gnn.graph.typed import spelt_types
from grape_gnn.warn import remark, warn

__all__ = [
    "ColumnChoice",
    "NodeTable",
    "column_names",
    "counts_rows",
    "key_column",
    "node_name",
    "parse_labels",
    "read_node_table",
    "splits_in",
    "table_of_columns",
    "written_otherwise",
]


# What a file and pandas call a column without a name.
_UNNAMED = ("", "column 1", "Unnamed: 0")


@dataclass(frozen=True)
class ColumnChoice:
    """What the user said of the columns of a node table.

    Parameters
    ----------
    label
        The column with the labels; an empty cell is a missing label.
    features
        The columns to use as features; None: all others.
    categorical
        Columns of categories that look like numbers.
    ignore
        Columns to leave out.
    id
        The column with the names of the nodes; None: the first.
    types
        The column that says what kind of node each is; an empty cell is a missing one.
    """

    label: str | None = None
    features: Sequence[str] | None = None
    categorical: Collection[str] = ()
    ignore: Collection[str] = ()
    id: str | None = None
    types: str | None = None

    @property
    def named(self) -> list[str | None]:
        """All columns that were said."""
        single = (self.id, self.label, self.types)
        return [*single, *(self.features or ()), *self.categorical, *self.ignore]

    def check(self, names: Sequence[str]) -> None:
        """Refuse columns that are not there."""
        for name in self.named:
            if name is not None and name not in names:
                raise GraphError(f"has no column {name!r}; it has {list(names)}")
        for name in self.ignore:
            if name in (self.label, self.types, *(self.features or ())):
                raise GraphError(f"the column {name!r} is both wanted and to be ignored")
        if self.types is not None and self.types == self.label:
            raise GraphError(
                f"the column {self.types!r} is both the label, which is learnt, and the type, "
                f"which templates are told: leave one out"
            )

    def used(self, names: Sequence[str]) -> list[str]:
        """Return the columns that make up the features."""
        if self.features is not None:
            return list(self.features)
        other = (self.label, self.id, self.types, *self.ignore)
        return [name for name in names if name not in other]

    def kind_of(self, name: str) -> str | None:
        """Return what `make_column` is told of a column."""
        return "category" if name in self.categorical else "used" if self.features else None


@dataclass(frozen=True)
class NodeTable:
    """A table of nodes, not yet tied to the nodes of a graph.

    Parameters
    ----------
    where
        What messages begin with: the file, or nothing for a data frame.
    names
        Name of the node of every row.
    labels
        Its label, None where it is missing; None: there are no labels.
    columns
        The columns to make features of.
    splits
        For every split the code of every row; see `splits_from_columns`.
    types
        What kind of node each is, None where it is missing; None: there are no types.
    task
        What the labels are; None: as they look.
    """

    where: str
    names: list[str]
    labels: list[Label | float | None] | None
    columns: tuple[Column, ...]
    splits: list[list[int]]
    types: list[Any] | None = None
    task: str | None = None

    def align(
        self, names: Names | None, num_nodes: int, known: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return columns, y, splits and types in the order of the graph's nodes, all named here.

        A node that the table lacks has no label, type or value, and is in no part of a split.
        `known` are the nodes that have edges.
        """
        order = range(num_nodes) if names is None else names
        index = {str(name): i for i, name in enumerate(order)}
        row_of = np.full(num_nodes, -1, np.int64)
        for row, name in enumerate(self.names):
            row_of[index[name]] = row
        absent = np.flatnonzero(row_of < 0)
        if absent.size and (self.columns or self.labels is not None):
            lacking = [str(order[node]) for node in absent.tolist()]
            alike = written_otherwise([n for n in self.names if n not in known], lacking)
            if self.columns or alike:
                warn(
                    f"{self.where}the table lacks {absent.size:,} of the {len(known):,} nodes of "
                    f"the edge list, the first is {lacking[0]!r}: their values are missing{alike}"
                )
        columns = tuple(take_rows(column, row_of) for column in self.columns) or None
        given = {"y": self.labels, "types": self.types}
        aligned = {
            name: None if values is None else [values[r] if r >= 0 else None for r in row_of]
            for name, values in given.items()
        }
        # A node without a row takes the last entry, which is in no part.
        codes = [np.array([*column, 0], np.int8)[row_of] for column in self.splits]
        splits = splits_of(np.stack(codes, axis=1)) if codes else ()
        return {"columns": columns, "splits": splits, **aligned}


def read_node_table(path: Path, choice: ColumnChoice, known: Collection[str] = ()) -> NodeTable:
    """Read a node table from a CSV or TSV file, plain or gzipped, or a Parquet or Arrow table.

    Parameters
    ----------
    path
        The file.
    choice
        What the user said of its columns.
    known
        Names of nodes that have edges. If the first column names none of them, and another one
        does, that one is taken for the names.
    """
    if is_arrow_table(path):
        columns = read_arrow_columns(path)
        refuse_folder_columns(path, choice.named, columns)
        return table_of_columns(columns, choice, known, f"{path}: ", path)
    cells, lines = read_cells(path)
    first = next(iter(cells))
    if first in known:
        raise GraphFileError(
            path, f"the first line must name the columns, and {first!r} is a node", 1
        )
    return table_of_columns(cells, choice, known, f"{path}: ", path, lines)


def table_of_columns(
    cells: Mapping[str, Any],
    choice: ColumnChoice,
    known: Collection[str],
    where: str = "",
    path: Path | None = None,
    lines: Sequence[int] | None = None,
) -> NodeTable:
    """Make a node table of columns by name; `lines` are their places in the file `path`."""
    names = list(cells)

    def wrong(reason: str, row: int | None = None) -> GraphError:
        line = None if row is None or lines is None else lines[row]
        if path is not None:
            return GraphFileError(path, reason, line)
        return GraphError(f"the node table, row {row}: {reason}" if row is not None else reason)

    def place(row: int) -> str:
        if lines is not None:
            return f"line {lines[row]}"
        return f"row {row}" if path is None else row_place(path, row)

    try:
        choice.check(names)
    except GraphError as error:
        raise wrong(str(error) if path else f"the node table: {error}") from None
    key = choice.id if choice.id is not None else key_column(cells, known) or names[0]
    counted = False
    if choice.id is None and key != names[0]:
        counted = counts_rows(names[0], cells[names[0]])
        why = "counts rows and is left out" if counted else "has none of the edge list"
        remark(
            f"{where}took the column {key!r} for the names of the nodes; the first one, "
            f"{names[0]!r}, {why}"
        )
    nodes = [node_name(value) for value in cells[key]]
    seen: dict[str, int] = {}
    for row, name in enumerate(nodes):
        if not name:
            raise wrong("the node name is empty", row)
        if name in seen:
            raise wrong(f"node {name!r} was already on {place(seen[name])}", row)
        seen[name] = row
    if known and nodes and not any(name in known for name in nodes):
        raise wrong(
            f"no name in the column {key!r} is a node of the edge list"
            f"{written_otherwise(nodes, known)}; say by id= which column has the names: the "
            f"columns are {names}"
        )
    other = (key, choice.label, choice.types, *choice.ignore, *(choice.features or ()))
    splits, parts = splits_in({name: cells[name] for name in names if name not in other})
    used = [name for name in choice.used(names) if name != key and name not in parts]
    if counted and choice.features is None:
        used = [name for name in used if name != names[0]]
    found = tuple(make_column(name, cells[name], choice.kind_of(name)) for name in used)
    labels = None if choice.label is None else parse_labels(cells[choice.label])
    types = None if choice.types is None else spelt_types(cells[choice.types])
    task = "classification" if _are_numbered_classes(cells, choice.label) else None
    return NodeTable(where, nodes, labels, found, splits, types, task)


def _are_numbered_classes(cells: Mapping[str, Any], label: str | None) -> bool:
    """Tell whether labels are numbers that their data frame calls categories."""
    if label is None or not are_categories(cells[label]):
        return False
    return not any(isinstance(cell, str) for cell in cells[label])


def counts_rows(name: str, values: Any) -> bool:
    """Tell whether a column is what pandas and R write before a table: no name, 0, 1, 2, ..."""
    if name not in _UNNAMED:
        return False
    given = [node_name(value) for value in values]
    start = 0 if given[:1] == ["0"] else 1
    return given == [str(k) for k in range(start, start + len(given))]


def key_column(cells: Mapping[str, Any], known: Collection[str]) -> str | None:
    """Return the first column if it has names of the edge list, or else one that has them.

    A column other than the first must not have the same name twice. A first column that counts
    rows looks like names where nodes are called by numbers: it is taken only if no other column
    has as many. None: no column has names.
    """
    first = next(iter(cells), None)
    if first is None or not known:
        return first
    counted = counts_rows(first, cells[first])
    if not counted and any(node_name(value) in known for value in cells[first]):
        return first
    hits = {}
    for name, values in cells.items():
        given = [node_name(value) for value in values]
        hits[name] = sum(value in known for value in given) * (len(set(given)) == len(given))
    best = max(hits, key=lambda name: (hits[name], name != first or not counted))
    return best if hits[best] else None


def written_otherwise(names: Collection[str], others: Collection[str]) -> str:
    """Say so if a name is among the others, but for leading zeros, ``.0`` or capitals.

    Examples
    --------
    >>> print(written_otherwise(["7"], ["042", "007"]))
    ; the table has '7' and the edge list '007': write them alike
    """
    bare = {_bare(name): name for name in others}
    for name in names:
        other = bare.get(_bare(name), name)
        if other != name:
            return f"; the table has {name!r} and the edge list {other!r}: write them alike"
    return ""


def _bare(name: str) -> str:
    return name.strip().casefold().removesuffix(".0").lstrip("0")


def node_name(value: Any) -> str:
    """Return a cell as the name of a node; an empty text if it is missing."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))  # pandas turns integers into floats where one is missing
    return "" if value is None or value != value else str(value)


def column_names(path: Path) -> list[str]:
    """Return the names of the columns of a file."""
    if is_arrow_table(path):
        with open_arrow(path) as table:
            return list(table.schema.names)
    return next(iter(CellRows(path)))[0]


def read_cells(path: Path) -> tuple[dict[str, list[str]], list[int]]:
    """Read a table of separated values: its columns by name, and the lines of its rows."""
    table = CellRows(path)
    (names, _), *rows = table
    cells = {name: [row[k] for row, _ in rows] for k, name in enumerate(names)}
    if table.delimiter == ";":
        cells = {name: with_points(column, semicolons=True) for name, column in cells.items()}
    return cells, [line for _, line in rows]


def splits_in(cells: Mapping[str, Any]) -> tuple[list[list[int]], list[str]]:
    """Return the splits among columns, and the columns they are in."""
    texts = {
        name: values if isinstance(values, list) else [node_name(value) for value in values]
        for name, values in cells.items()
    }
    return splits_from_columns(texts)


def parse_labels(cells: Any) -> list[Label | float | None]:
    """Return the labels that cells spell; None where one is missing."""
    given = [_label(cell) for cell in (cells.tolist() if hasattr(cells, "tolist") else cells)]
    if all(cell is None or isinstance(cell, str) for cell in given):
        return parse_cells([str(cell or "") for cell in given])
    return given


def _label(cell: Any) -> Any:
    if cell is None or (isinstance(cell, (str, float)) and (cell == "" or cell != cell)):
        return None
    return str(bool(cell)) if isinstance(cell, (bool, np.bool_)) else cell
