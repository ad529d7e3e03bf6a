"""Many graphs in one text file, as GIN's authors and others after them share theirs.

The first line is the number of graphs. A graph is a line ``nodes label`` and one line per node:
``type degree neighbours...``, behind which numbers may follow, the node's features.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graphs.pieces import Piece

__all__ = ["read_text_file"]


def read_text_file(path: Path) -> list[Piece]:
    """Read all graphs; types and labels that are no whole numbers are names, or numbers."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    at, pieces, labels = 1, [], []
    try:
        for _ in range(_whole(lines[0].split(), 1)[0] if lines else 0):
            head = lines[at].split()
            (n,), label = _whole(head[:1], 1), head[1:]
            if len(label) != 1:
                raise ValueError(f"{len(head)} entries where there should be 'nodes label'")
            if n < 0 or at + n >= len(lines):
                raise ValueError(f"a graph of {n} nodes, but {len(lines) - at - 1} more lines")
            start, at = at + 1, at + 1 + n
            pieces.append(_graph([line.split() for line in lines[start:at]]))
            labels += label
        if not pieces or any(line.strip() for line in lines[at:]):
            raise ValueError(f"{len(pieces)} graphs end in line {at} of {len(lines)}")
    except (ValueError, IndexError, OverflowError) as error:
        where = f"near line {min(at, len(lines)) + 1}"
        raise GraphFileError(
            path,
            f"is no file of many graphs: {error}, {where}; expected the number of graphs, then "
            f"'nodes label' and a line 'type degree neighbours...' for each node",
        ) from error
    ends = np.cumsum([piece.num_nodes for piece in pieces])
    types = _values([kind for piece in pieces for kind in piece.types or ()], int)
    # Classes such as -1 and 1 are names: among whole numbers -1 would mean a missing one.
    y = labels if "-1" in labels else _values(labels, int, float)
    return [
        replace(piece, types=types[end - piece.num_nodes : end], y=label)
        for piece, end, label in zip(pieces, ends.tolist(), y, strict=True)
    ]


def _values(cells: list[str], *kinds: type) -> list[Any]:
    """Return the cells as the first kind that all of them are, else as names."""
    for kind in kinds:
        with suppress(ValueError):
            return [kind(cell) for cell in cells]
    return cells


def _graph(rows: list[list[str]]) -> Piece:
    heads: list[int] = []
    degrees, types, extra = [], [], []
    for row in rows:
        (degree,) = _whole(row[1:2], 1)
        if not 0 <= degree <= len(row) - 2:
            raise ValueError(f"a node with {degree} neighbours and {len(row) - 2} numbers")
        heads += _whole(row[2 : 2 + degree], degree)
        degrees.append(degree)
        types.append(row[0])
        extra.append([float(cell) for cell in row[2 + degree :]])
    if len({len(cells) for cells in extra}) > 1:
        raise ValueError("nodes with different numbers of features")
    src = np.repeat(np.arange(len(rows)), np.array(degrees, np.int64))
    dst = np.array(heads, np.int64)
    if dst.size and not 0 <= dst.min() <= dst.max() < len(rows):
        raise ValueError(f"a neighbour that is none of the {len(rows)} nodes")
    x = np.array(extra) if extra and extra[0] else None
    return Piece(src, dst, len(rows), types, x)


def _whole(cells: list[str], count: int) -> list[int]:
    if len(cells) != count:
        raise ValueError(f"{len(cells)} numbers where there should be {count}")
    return [int(cell) for cell in cells]
