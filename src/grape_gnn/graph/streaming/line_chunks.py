"""The edges of a text file, chunk by chunk.

Names are integers if all of them are, as in `read_graph`; otherwise they are texts. A chunk then
numbers its own names, in order of first appearance, and brings them along.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.errors import GraphFileError
from grape_gnn.graph.edge_columns import EdgeColumns, layout_of_lines
from grape_gnn.graph.edge_list import CHUNK_BYTES, whole_lines
from grape_gnn.graph.unpack import open_unpacked, report_reading

__all__ = ["Chunk", "LineChunks", "TextsFoundError"]


class TextsFoundError(Exception):
    """A name that is no integer came after chunks of integers: all names are texts."""


@dataclass(frozen=True)
class Chunk:
    """Edges, shape (edges, 2); for text names, the letters and ends of those in the chunk."""

    ends: NDArray[np.int64]
    letters: NDArray[np.uint8] | None = None
    cuts: NDArray[np.int64] | None = None


class LineChunks:
    """A text file of edges.

    Parameters
    ----------
    path
        The file.
    said
        What the user said of its layout, as for `read_graph`.

    Attributes
    ----------
    layout : EdgeColumns
        Where things are; known when the first chunk is.
    zero_weights : int
        Edges left out because their weight is 0; known at the end.
    """

    def __init__(self, path: Path, said: dict[str, Any]) -> None:
        self.path, self.said = path, said
        self.layout = EdgeColumns()
        self.zero_weights = 0

    def chunks(self, edges: int, text_edges: int, texts: bool) -> Iterator[Chunk]:
        """Give the edges in chunks of about so many; the same ones every time.

        Parameters
        ----------
        edges, text_edges
            Edges per chunk, if names are integers and if they are texts; a few more may come.
        texts
            Whether names are texts even if they look like integers.

        Raises
        ------
        TextsFoundError
            Names are texts after all: begin again.
        """
        parser = None
        try:
            with open_unpacked(self.path) as file:
                piece = file.read(CHUNK_BYTES)
                self.layout = at = layout_of_lines(whole_lines(piece), **self.said)
                parser = _native.EdgeListParser(
                    at.header, at.separator, at.source, at.target, at.weight, texts=texts
                )
                waiting: list[NDArray[np.int64]] = []
                given = False
                while piece:
                    parser.feed(piece)
                    report_reading(self.path, file)
                    piece = file.read(CHUNK_BYTES)
                    if not piece:
                        parser.finish()
                        self.zero_weights = parser.zero_weights
                    if (given or waiting) and parser.text_names and not texts:
                        raise TextsFoundError  # edges were taken while all names were integers
                    waiting.append(np.stack(parser.take_edges(), axis=1))
                    enough = text_edges if parser.text_names else edges
                    if sum(map(len, waiting)) >= enough or not piece:
                        given, texts = True, parser.text_names
                        names = parser.take_names() if texts else ()
                        yield Chunk(np.concatenate(waiting), *names)
                        waiting = []
        except ValueError as error:
            line = None if parser is None else parser.line
            raise GraphFileError(self.path, str(error), line) from error
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise GraphFileError(self.path, f"cannot be read: {reason}") from error
