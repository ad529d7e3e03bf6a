"""Graphs from Dask data frames: partition after partition to disk, never the whole in memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.streaming.convert import convert
from grape_gnn.progress import report
from grape_gnn.warn import held, warn

__all__ = ["from_dask"]


def from_dask(
    edges: Any, out: str | os.PathLike[str], *, nodes: Any = None, **options: Any
) -> Graph:
    """Turn data frames of Dask into a graph on disk; see :meth:`Graph.from_dask`."""
    target = Path(out)
    if not target.parent.is_dir():
        raise GraphError(f"cannot write {target}: the folder {target.parent} does not exist")
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.stem}.") as folder:
        files = {"edges": Path(folder, "edges.parquet")}
        _write(edges, files["edges"])
        if nodes is not None:
            files["nodes"] = options["nodes"] = Path(folder, "nodes.parquet")
            _write(nodes, files["nodes"])
        try:
            with held() as said:
                graph = convert(files["edges"], target, **options)
        except GraphFileError as error:
            raise GraphError(_of_frames(str(error), files)) from error
        for each in said:
            warn(_of_frames(each, files))
        return graph


def _of_frames(text: str, files: Mapping[str, Path]) -> str:
    """Speak of the data frames: nobody has heard of these files."""
    for name, file in files.items():
        text = text.replace(str(file), f"the data frame of {name}")
    return text


def _write(frame: Any, path: Path) -> None:
    """Write a frame as one Parquet file, a partition at a time."""
    if not hasattr(frame, "partitions") or not hasattr(frame, "npartitions"):
        raise GraphError(f"expected a Dask data frame, got {type(frame).__name__}")
    with named_extra():
        import pyarrow as pa
        import pyarrow.parquet as pq
    writer = None
    try:
        for number in range(frame.npartitions):
            report(f"writing {path.stem}", number, frame.npartitions)
            table = pa.Table.from_pandas(frame.partitions[number].compute(), preserve_index=False)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table.cast(writer.schema))
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphError(f"cannot write the {path.stem} of the data frame: {reason}") from error
    finally:
        if writer is not None:
            writer.close()
