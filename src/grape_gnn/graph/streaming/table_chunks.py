"""The edges of a Parquet or Arrow table, chunk by chunk; see `line_chunks` for the rest.

A chunk may hold the ends of several parts of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.arrow_file import ArrowTable, open_arrow, row_place
from grape_gnn.graph.convert_pandas import Place, names_of, places_among, weights_of
from grape_gnn.graph.edge_columns import EdgeColumns, find_edge_columns
from grape_gnn.graph.frames import frame_columns
from grape_gnn.graph.streaming.line_chunks import Chunk
from grape_gnn.graph.table_parts import refuse_folder_columns
from grape_gnn.progress import report

__all__ = ["TableChunks"]

BATCH_ROWS = 1 << 18  # decoded at once


class TableChunks:
    """A table of edges; parameters and attributes as for `LineChunks`."""

    def __init__(self, path: Path, said: dict[str, Any]) -> None:
        self.path, self.said = path, said
        self.layout = EdgeColumns()
        self.zero_weights = 0

    def chunks(self, edges: int, text_edges: int, texts: bool) -> Iterator[Chunk]:
        """Give the edges in chunks of about so many; the same ones every time.

        Whether names are texts is told by the types of the columns, not by `texts`.
        """
        del texts
        with open_arrow(self.path) as table:
            schema = self._find_columns(table.schema)
            numbers = not any(_is_text(field.type) for field in schema)
            yield from self._chunks(schema, table, edges if numbers else text_edges)

    def _chunks(self, schema: Any, table: ArrowTable, edges: int) -> Iterator[Chunk]:
        import pyarrow as pa

        self.zero_weights = 0
        waiting: list[Any] = []
        row = held = 0
        for batch in table.batches(schema.names, max(1, min(edges // 4, BATCH_ROWS))):
            waiting.append(batch)
            held += batch.num_rows
            report(f"reading {self.path.name}", row + held, table.rows)
            if held >= edges:
                yield self._chunk(pa, pa.Table.from_batches(waiting), row)
                waiting, row, held = [], row + held, 0
                # Arrow keeps what it freed, for its next table; here others need the memory.
                pa.default_memory_pool().release_unused()
        if waiting or row == 0:
            yield self._chunk(pa, pa.Table.from_batches(waiting, schema), row)

    def _find_columns(self, schema: Any) -> Any:
        import pyarrow as pa

        names = list(schema.names)
        asked = (self.said.get(name) for name in ("source", "target", "weight"))
        refuse_folder_columns(self.path, asked, names)
        self.layout = at = find_edge_columns(names, ",", **self.said)
        return pa.schema([schema.field(k) for k in (at.source, at.target, at.weight) if k >= 0])

    def _chunk(self, pa: Any, table: Any, row: int) -> Chunk:
        cells = frame_columns(table.select(list(range(2, table.num_columns))))
        place: Place = partial(self._place, row)
        for name, given in cells.items():
            kept = weights_of(given, name)
            self.zero_weights += int((~kept).sum())
            table = table.filter(pa.array(kept))
            place = places_among(kept, place)
        texts = [_is_text(field.type) for field in table.schema][:2]
        found = [
            column if text else names_of(frame_columns(table.select([k]))[name], name, place)
            for k, (name, column, text) in enumerate(
                zip(table.column_names, table.columns, texts, strict=False)
            )
        ]
        if all(isinstance(ends, np.ndarray) and ends.dtype == np.int64 for ends in found):
            return Chunk(np.stack(found, axis=1))
        named = zip(found, table.column_names, strict=False)
        return _numbered(pa, [_texts(pa, ends, name, place) for ends, name in named])

    def _place(self, first: int, row: int) -> str:
        """Say which row of the table a row of a chunk is."""
        return row_place(self.path, first + row)


def _texts(pa: Any, ends: Any, column: str, place: Place) -> Any:
    """Return names as an Arrow array of texts without gaps."""
    if isinstance(ends, np.ndarray):
        return pa.array(list(map(str, ends.tolist())), pa.large_string())
    import pyarrow.compute as pc

    texts = pc.cast(ends, pa.large_string()).combine_chunks()
    gaps = pc.fill_null(pc.equal(texts, ""), True)
    if pc.any(gaps).as_py():
        at = pc.index(gaps, True).as_py()
        raise GraphError(
            f"{place(at)} of the column {column!r}: {texts[at].as_py()!r} is not a node name"
        )
    return texts


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def _numbered(pa: Any, ends: list[Any]) -> Chunk:
    """Give numbers to names in the order in which a reader meets them, row by row."""
    rows = len(ends[0])
    meeting = np.arange(2 * rows).reshape(2, rows).T.reshape(-1)
    coded = pa.concat_arrays(ends).take(pa.array(meeting)).dictionary_encode()
    names = coded.dictionary
    cuts: NDArray[np.int64] = np.frombuffer(names.buffers()[1], np.int64)
    cuts = cuts[names.offset : names.offset + len(names) + 1]
    data = names.buffers()[2]
    letters = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    numbers = coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return Chunk(numbers.reshape(-1, 2), letters[cuts[0] : cuts[-1]], cuts[1:] - cuts[0])
