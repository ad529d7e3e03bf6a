"""Matrix Market files (``.mtx``, plain or gzipped): the entries are the edges."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

from scipy.io import mminfo, mmread
from scipy.sparse import coo_array

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph.convert_scipy import from_scipy
from grape_gnn.graph.graph import Graph

__all__ = ["read_matrix_market"]


def read_matrix_market(path: Path, *, directed: bool | None = None, strict: bool = False) -> Graph:
    """Read a square matrix; without `directed`, a symmetric one gives an undirected graph."""
    try:
        rows, columns = mminfo(path)[:2]
        if rows != columns:
            raise GraphFileError(
                path, f"an adjacency matrix must be square, not {rows} x {columns}"
            )
        matrix: Any = mmread(path)
    except GraphError:
        raise
    except (OSError, EOFError, ValueError, OverflowError, zlib.error) as error:
        raise GraphFileError(path, f"is not a readable Matrix Market file: {error}") from error
    return from_scipy(coo_array(matrix), directed, strict=strict)
