"""Graphs from Dask data frames: partition after partition to disk, never the whole in memory.

While at work, ``graph.grape.frames`` holds the partitions that are there, each sealed, and then one
table of all; ``graph.grape.part`` is the workspace of `convert`. Both are gone when the graph is
there. After a crash the same call computes the partitions that are missing only: frames are told
apart by the token that Dask gives them.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, TypedDict

from grape_gnn.errors import FileError, GrapeError, GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.files import atomic_write
from grape_gnn.files.sealed_folder import SealedFolder
from grape_gnn.graph.edge_columns import find_edge_columns
from grape_gnn.graph.graph import Graph
from grape_gnn.graph.streaming.convert import convert
from grape_gnn.progress import report
from grape_gnn.warn import held, warn

__all__ = ["from_dask"]


class Config(TypedDict):
    """Which frames these are, by name."""

    frames: dict[str, str]


class FramesFolder(SealedFolder):
    """The partitions of data frames, as far as they are computed."""

    kind: ClassVar[str] = "frames"
    thing: ClassVar[str] = "conversion of data frames"
    command: ClassVar[str] = "Graph.from_dask"
    error: ClassVar[type[FileError]] = GraphFileError
    config_shape: ClassVar[Any] = Config

    @classmethod
    def prepared(cls, path: Path, tokens: dict[str, str], workspace: Path) -> FramesFolder:
        """Make a folder, or go on with one of the same frames; one of others is removed."""
        if (path / "config.json").exists():
            found = cls.open(path)
            if found.config["frames"] == tokens:
                return found
            cls.check_unlocked(path)
            shutil.rmtree(workspace, ignore_errors=True)
            shutil.rmtree(path)
            warn(f"{path}: was begun with other data frames: begun anew")
        return cls.create(path, {"frames": tokens})


def from_dask(
    edges: Any, out: str | os.PathLike[str], *, nodes: Any = None, **options: Any
) -> Graph:
    """Turn data frames of Dask into a graph on disk; see :meth:`Graph.from_dask`."""
    target = Path(out)
    if not target.parent.is_dir():
        raise GraphError(f"cannot write {target}: the folder {target.parent} does not exist")
    if target.exists():
        raise GraphFileError(target, "is there already: choose another name, or remove it")
    frames = {"edges": edges} if nodes is None else {"edges": edges, "nodes": nodes}
    tokens = {name: _token(frame) for name, frame in frames.items()}
    _check_columns(edges, options)
    workspace = target.with_name(f"{target.name}.part")
    place = target.with_name(f"{target.name}.frames")
    with FramesFolder.prepared(place, tokens, workspace) as folder:
        files = {name: _write(folder, frame, name) for name, frame in frames.items()}
        if nodes is not None:
            options["nodes"] = files["nodes"]
        try:
            with held() as said:
                graph = convert(files["edges"], target, **options)
        except GrapeError as error:  # computing took long: the frames stay
            raise GraphError(
                f"{_of_frames(str(error), files)}; {place} holds the frames as they were computed: "
                f"the next call goes on with them, or remove it"
            ) from error
        shutil.rmtree(place, ignore_errors=True)
    for each in said:
        warn(_of_frames(each, files))
    return graph


def _of_frames(text: str, files: Mapping[str, Path]) -> str:
    """Speak of the data frames: nobody has heard of these files."""
    for name, file in files.items():
        text = text.replace(str(file), f"the data frame of {name}")
    return text


def _check_columns(edges: Any, options: Mapping[str, Any]) -> None:
    """Refuse edges without the columns before anything is computed."""
    source, target, weight = (options.get(name) for name in ("source", "target", "weight"))
    try:
        find_edge_columns(list(map(str, edges.columns)), ",", source, target, weight)
    except GraphError as error:
        raise GraphError(f"the data frame of edges: {error}") from None


def _token(frame: Any) -> str:
    if not hasattr(frame, "partitions") or not hasattr(frame, "npartitions"):
        raise GraphError(f"expected a Dask data frame, got {type(frame).__name__}")
    from dask.base import tokenize

    return str(tokenize(frame))


def _write(folder: FramesFolder, frame: Any, name: str) -> Path:
    """Write a frame as one Parquet file, a partition at a time; leave out what is there."""
    with named_extra():
        import pyarrow as pa
        import pyarrow.parquet as pq
    whole = folder.path / f"{name}.parquet"
    if folder.holds(whole):
        return whole
    count = frame.npartitions
    parts = [folder.path / f"{name}-{number}.parquet" for number in range(count)]
    try:
        for number, part in enumerate(parts):
            report(f"computing {name}", number, count)
            if not folder.holds(part):
                table = pa.Table.from_pandas(
                    frame.partitions[number].compute(), preserve_index=False
                )
                with atomic_write(part) as temporary:
                    pq.write_table(table, temporary)
                folder.seal(part)
        with atomic_write(whole) as temporary:
            _join(parts, temporary)
        folder.seal(whole)
    except (OSError, GrapeError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphError(
            f"cannot write the {name} of the data frame: {reason}; {folder.path} holds what is "
            f"done: the same call goes on with it, or remove it"
        ) from error
    for part in parts:
        part.unlink()
    return whole


def _join(parts: list[Path], whole: Path) -> None:
    """Write partitions one after the other; the types are those of the first that is not empty."""
    import pyarrow.parquet as pq

    full = (part for part in parts if pq.read_metadata(part).num_rows)
    schema = pq.read_schema(next(full, parts[0]))
    with pq.ParquetWriter(whole, schema) as writer:
        for part in parts:
            if pq.read_metadata(part).num_rows:
                writer.write_table(pq.read_table(part).cast(schema))
