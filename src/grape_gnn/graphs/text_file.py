"""Many graphs in one text file, as GIN's authors and others after them share theirs.

The first line is the number of graphs. A graph is a line ``nodes label`` and one line per node:
``type degree neighbours...``, behind which numbers may follow, the node's features.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grape_gnn.errors import GraphFileError
from grape_gnn.files import read_text
from grape_gnn.graphs.pieces import Piece

__all__ = ["read_text_file"]


def read_text_file(path: Path) -> list[Piece]:
    """Read all graphs; types and labels are whole numbers."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    at, pieces = 1, []
    try:
        for _ in range(_whole(lines[0].split(), 1)[0] if lines else 0):
            n, label = _whole(lines[at].split(), 2)
            if n < 0 or at + n >= len(lines):
                raise ValueError(f"a graph of {n} nodes, but {len(lines) - at - 1} more lines")
            start, at = at + 1, at + 1 + n
            pieces.append(_graph([line.split() for line in lines[start:at]], label))
        if not pieces or any(line.strip() for line in lines[at:]):
            raise ValueError(f"{len(pieces)} graphs end in line {at} of {len(lines)}")
    except (ValueError, IndexError, OverflowError) as error:
        where = f"near line {min(at, len(lines)) + 1}"
        raise GraphFileError(
            path,
            f"is no file of many graphs: {error}, {where}; expected the number of graphs, then "
            f"'nodes label' and a line 'type degree neighbours...' for each node",
        ) from error
    return pieces


def _graph(rows: list[list[str]], label: int) -> Piece:
    heads: list[int] = []
    degrees, types, extra = [], [], []
    for row in rows:
        kind, degree = _whole(row[:2], 2)
        if not 0 <= degree <= len(row) - 2:
            raise ValueError(f"a node with {degree} neighbours and {len(row) - 2} numbers")
        heads += _whole(row[2 : 2 + degree], degree)
        degrees.append(degree)
        types.append(kind)
        extra.append([float(cell) for cell in row[2 + degree :]])
    if len({len(cells) for cells in extra}) > 1:
        raise ValueError("nodes with different numbers of features")
    src = np.repeat(np.arange(len(rows)), np.array(degrees, np.int64))
    dst = np.array(heads, np.int64)
    if dst.size and not 0 <= dst.min() <= dst.max() < len(rows):
        raise ValueError(f"a neighbour that is none of the {len(rows)} nodes")
    x = np.array(extra) if extra and extra[0] else None
    return Piece(src, dst, len(rows), np.array(types, np.int64), x, y=label)


def _whole(cells: list[str], count: int) -> list[int]:
    if len(cells) != count:
        raise ValueError(f"{len(cells)} numbers where there should be {count}")
    return [int(cell) for cell in cells]
