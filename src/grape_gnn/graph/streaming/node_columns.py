"""A table of nodes, column by column: never more than one column of it is in memory.

A Parquet or Arrow table is read that way as it is. The cells of a text table are first written to
disk by columns. What a column holds is told by the same functions as in `read_graph`.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.files.array_file import pack_names, unpack_names
from grape_gnn.files.npy import GrowingArray
from grape_gnn.graph.arrow_file import open_arrow, read_arrow_columns, row_place
from grape_gnn.graph.attributes import spells_integer
from grape_gnn.graph.cell_rows import CellRows
from grape_gnn.graph.columns import make_column, take_rows
from grape_gnn.graph.decimal_commas import with_points
from grape_gnn.graph.given_splits import is_mask, may_be_split
from grape_gnn.graph.node_table import (
    ColumnChoice,
    column_names,
    counts_rows,
    node_name,
    parse_labels,
    splits_in,
)
from grape_gnn.graph.npz import column_members
from grape_gnn.graph.streaming.text_numbers import Packed
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.graph.table_parts import is_arrow_table, refuse_folder_columns
from grape_gnn.graph.targets import read_target
from grape_gnn.progress import report
from grape_gnn.warn import warn

__all__ = ["NodeColumns"]

CELL_BYTES = 150  # of working memory for a cell that is a text
ROWS = 1 << 15  # of a text table, written at once
_NUMBERS = ("int", "uint", "float", "double")  # types of Arrow that need no text
LOOK = 100  # cells by which a column that cannot be a split is told


class NodeColumns:
    """A table of nodes on its way into a graph.

    Parameters
    ----------
    work
        Where the conversion works.
    path
        The table.
    choice
        What the user said of its columns.
    """

    def __init__(self, work: Workspace, path: Path, choice: ColumnChoice) -> None:
        self.work, self.path, self.choice = work, path, choice
        self.names = column_names(path)
        refuse_folder_columns(path, choice.named, self.names)
        try:
            choice.check(self.names)
        except GraphError as error:
            raise GraphFileError(path, str(error)) from None
        self.key = self.names[0] if choice.id is None else choice.id
        self._arrow = is_arrow_table(path)
        if not self._arrow and not work.notes("table"):
            self._write_cells()
        if choice.id is None and counts_rows(self.key, self._cells(self.key)):
            raise GraphFileError(
                path,
                f"the first column has no name and counts rows: say by id= which column has the "
                f"names ({self.key!r} for this one): the columns are {self.names}",
            )
        self.row_of = np.zeros(0, np.int64)

    # -------------------------------------------------------------- names of the nodes

    def integers(self) -> NDArray[np.int64]:
        """Return the names of the nodes as integers, as those of the edges are."""
        cells = self._cells(self.key)
        if isinstance(cells, np.ndarray) and cells.dtype.kind in "iu" and cells.min(initial=0) >= 0:
            return cells.astype(np.int64)
        names = self._texts(cells)
        for row, name in enumerate(names):
            if not spells_integer(name):
                place = row_place(self.path, row)
                raise GraphFileError(
                    self.path,
                    f"{place} of the column {self.key!r} is {name!r}, while the edge list names "
                    f"nodes by integers: say by id= which column has the names: the columns are "
                    f"{self.names}",
                )
        return np.array([int(name) for name in names], np.int64)

    def texts(self) -> Packed:
        """Return the letters and ends of the names of the nodes."""
        names = [name.encode() for name in self._texts(self._cells(self.key))]
        ends = np.cumsum([len(name) for name in names], dtype=np.int64)
        return np.frombuffer(b"".join(names), np.uint8), ends

    def place(self, numbers: NDArray[np.int32], nodes: int, on_edges: int) -> None:
        """Take note of the node of every row."""
        if numbers.size and on_edges and nodes == on_edges + numbers.size:
            raise GraphFileError(
                self.path,
                f"no name in the column {self.key!r} is a node of the edge list; say by id= which "
                f"column has the names: the columns are {self.names}",
            )
        self.row_of = np.full(nodes, -1, np.int64)
        self.row_of[numbers] = np.arange(numbers.size)
        again = np.flatnonzero(self.row_of[numbers] != np.arange(numbers.size))
        if again.size:
            rows = int(again[0]), int(self.row_of[numbers[again[0]]])
            first, last = (row_place(self.path, row) for row in rows)
            raise GraphFileError(self.path, f"{first} and {last} are about the same node")

    # -------------------------------------------------------------- what nodes carry

    def write(self, task: str | None) -> None:
        """Write columns, labels and splits into the graph."""
        folder, choice = self.work.graph, self.choice
        other = (self.key, choice.label, *choice.ignore, *(choice.features or ()))
        codes, parts = splits_in(self._split_cells(other))
        if codes:
            # A node without a row takes the last entry, which is in no part.
            aligned = [np.array([*column, 0], np.int8)[self.row_of] for column in codes]
            folder.write_arrays({"splits": np.stack(aligned, axis=1)})
        used = [n for n in choice.used(self.names) if n != self.key and n not in parts]
        kinds = []
        for k, name in enumerate(used):
            report(f"column {name}", k, len(used))
            column = make_column(name, self._cells(name), choice.kind_of(name))
            kinds.append(column.kind)
            folder.write_arrays(column_members(k, take_rows(column, self.row_of)))
        if used:
            folder.write_arrays(
                {**pack_names("columns", used), **pack_names("column_kinds", kinds)}
            )
            absent = int(np.count_nonzero(self.row_of < 0))
            if absent:
                warn(
                    f"{self.path}: the table lacks {absent:,} nodes of the edge list: their "
                    f"values are missing"
                )
        if choice.label is not None:
            self._write_labels(choice.label, task)

    def _write_labels(self, label: str, task: str | None) -> None:
        cells = self._cells(label)
        values: Any
        if isinstance(cells, np.ndarray) and cells.dtype.kind in "if":
            missing = -1 if cells.dtype.kind == "i" else np.nan
            values = np.append(cells, np.array([missing], cells.dtype))[self.row_of]
        else:
            given = [*parse_labels(cells), None]
            values = [given[row] for row in self.row_of]
        y, classes = read_target(values, self.row_of.size, task)
        self.work.graph.write_arrays({"y": y})
        if classes is not None:
            self.work.graph.write_arrays(pack_names("label_names", classes))

    def _split_cells(self, other: tuple[str | None, ...]) -> dict[str, Any]:
        """Return the columns that may be splits."""
        found = {}
        for name in self.names:
            if name not in other:
                cells = self._cells(name)
                words = [node_name(cell) for cell in cells[:LOOK]]
                if is_mask(name) or may_be_split(words):
                    found[name] = cells
        return found

    # -------------------------------------------------------------- cells

    def _texts(self, cells: Any) -> list[str]:
        names = [node_name(cell) for cell in cells]
        if "" in names:
            row = row_place(self.path, names.index(""))
            raise GraphFileError(self.path, f"{row}: the node name is empty")
        return names

    def _cells(self, name: str) -> Any:
        """Return a column: a list of texts, or an array."""
        if self._arrow:
            with open_arrow(self.path) as table:
                number = str(table.schema.field(name).type).startswith(_NUMBERS)
                rows = 0 if number else table.rows or 0
            self._refuse_large(name, rows)
            return read_arrow_columns(self.path, [name])[name]
        k = self.names.index(name)
        parts = {f"k_{part}": self.work.array(f"cells_{part}_{k}") for part in ("utf8", "ends")}
        self._refuse_large(name, parts["k_ends"].size)
        cells = list(unpack_names(parts, "k") or ())
        semicolons = self.work.notes("table")[0]["delimiter"] == ";"
        return with_points(cells, semicolons=True) if semicolons else cells

    def _refuse_large(self, name: str, rows: int) -> None:
        if rows * CELL_BYTES > self.work.memory:
            raise GraphFileError(
                self.path,
                f"the column {name!r} does not fit into {self.work.memory / 1e9:g} GB of memory as "
                f"text: pass a Parquet file, whose numbers need no text, leave the column out by "
                f"ignore=, or give more memory",
            )

    def _write_cells(self) -> None:
        """Write the cells of a text table to disk by columns."""
        table = CellRows(self.path)
        with ExitStack() as stack:
            files = [
                [
                    stack.enter_context(GrowingArray(self.work.path / f"{part}_{k}.npy", kind))
                    for part, kind in (("cells_utf8", np.uint8), ("cells_ends", np.int64))
                ]
                for k in range(len(self.names))
            ]
            written = [0] * len(files)
            rows = iter(table)
            next(rows)
            while block := [row for row, _ in islice(rows, ROWS)]:
                report(f"reading {self.path.name}")
                for k, (letters, ends) in enumerate(files):
                    texts = [row[k].encode() for row in block]
                    lengths = np.array([len(text) for text in texts], np.int64)
                    letters.append(np.frombuffer(b"".join(texts), np.uint8))
                    ends.append(written[k] + np.cumsum(lengths))
                    written[k] += int(lengths.sum())
        self.work.note("table", delimiter=table.delimiter)
