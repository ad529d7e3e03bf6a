"""Tables in Parquet and Arrow (Feather, IPC) files, as columns by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.files import open_regular
from grape_gnn.graph.frames import frame_columns

__all__ = ["ARROW_SUFFIXES", "read_arrow_columns"]

ARROW_SUFFIXES = (".parquet", ".arrow", ".feather", ".ipc")


def read_arrow_columns(path: Path) -> dict[str, NDArray[Any]]:
    """Read a table; a Parquet file is known by its first four bytes, whatever it is called."""
    with named_extra():
        import pyarrow as pa
        import pyarrow.parquet as pq
    try:
        with open_regular(path) as file:
            start = file.read(6)
            file.seek(0)
            if start[:4] == b"PAR1":
                table = pq.read_table(file)
            elif start == b"ARROW1":
                table = pa.ipc.open_file(file).read_all()
            else:
                table = pa.ipc.open_stream(file).read_all()
            # Readers trust the offsets in a file, and a wrong one would end the process.
            table.validate(full=True)
            return frame_columns(table)
    except GraphError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"is not a readable Parquet or Arrow table: {reason}") from error
