"""First step of a conversion: the edges of the file, in chunks on disk.

Chunk ``k`` is ``ends_k`` (edges, 2): the names of the ends if they are integers, else numbers of
the names that the chunk brings along, ``letters_k`` and ``cuts_k``. A chunk that is there already
is read again after an interruption, but not written again.
"""

from __future__ import annotations

from dataclasses import dataclass

from grape_gnn.graph.streaming.line_chunks import LineChunks, TextsFoundError
from grape_gnn.graph.streaming.table_chunks import TableChunks
from grape_gnn.graph.streaming.workspace import Workspace
from grape_gnn.warn import warn

__all__ = ["EdgeChunks", "read_chunks"]

# Working memory that an edge of a chunk takes: its ends as names, as numbers, as two arcs and
# these sorted; and for text names their letters, twice, and the table that finds them.
EDGE_BYTES = 160
TEXT_EDGE_BYTES = 1000


@dataclass(frozen=True)
class EdgeChunks:
    """How many chunks there are, the edges in all, and whether their names are texts.

    `certain` says whether there is no doubt that the first line is what it was taken for.
    """

    count: int
    edges: int
    texts: bool
    certain: bool


def read_chunks(work: Workspace, source: LineChunks | TableChunks) -> EdgeChunks:
    """Read all chunks that are not there yet."""
    ended = [note for note in work.notes("read") if "chunks" in note]
    if not ended:
        try:
            _read(work, source, any("texts" in note for note in work.notes("read")))
        except TextsFoundError:
            work.note("read", texts=True)
            _read(work, source, True)
        ended = [note for note in work.notes("read") if "chunks" in note]
    found = ended[0]
    for words in found["warnings"]:
        warn(words)
    return EdgeChunks(found["chunks"], found["edges"], found["text_names"], found["certain"])


def _read(work: Workspace, source: LineChunks | TableChunks, texts: bool) -> None:
    kind = "text" if texts else "plain"
    done = {note["chunk"] for note in work.notes("read") if note.get("kind") == kind}
    size, text_size = (max(1, work.memory // each) for each in (EDGE_BYTES, TEXT_EDGE_BYTES))
    count = edges = 0
    text_names = texts
    for number, chunk in enumerate(source.chunks(size, text_size, texts)):
        if number not in done:
            work.keep(f"ends_{number}", chunk.ends)
            if chunk.letters is not None and chunk.cuts is not None:
                work.keep(f"letters_{number}", chunk.letters)
                work.keep(f"cuts_{number}", chunk.cuts)
            work.note("read", chunk=number, kind=kind)
        text_names = chunk.letters is not None
        count, edges = number + 1, edges + len(chunk.ends)
    warnings = []
    if not edges:
        warnings.append(f"{source.path}: found no edges in it; expected two node names for each")
    if source.layout.weight >= 0:
        left = f"left out {source.zero_weights:,} edges of weight 0; all others count alike"
        warnings.append(f"{source.path}: {left}")
    if source.layout.note:
        warnings.append(f"{source.path}: {source.layout.note}")
    work.note(
        "read", chunks=count, edges=edges, text_names=text_names, warnings=warnings,
        certain=source.layout.certain,
    )  # fmt: skip
