"""What turns the names of a chunk into the numbers of nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph.rows import MAX_NODES

__all__ = ["Numbering", "refuse_many"]


@dataclass(frozen=True)
class Numbering:
    """The nodes of a graph, by number.

    Parameters
    ----------
    nodes
        How many there are.
    on_edges
        How many of them are on edges; the others are in a table of nodes only.
    of_chunk
        Turns the ends of a chunk, given its number, into numbers of nodes. The names that a table
        lists come as a chunk after the last.
    alone
        The two ends of the first edge if they are texts and occur on no other.
    """

    nodes: int
    on_edges: int
    of_chunk: Callable[[int, NDArray[np.int64]], NDArray[np.int32]]
    alone: tuple[str, str] | None = None


def refuse_many(nodes: int) -> None:
    """Refuse more nodes than 32 bits can number."""
    if nodes > MAX_NODES:
        raise GraphError(f"there are more than {MAX_NODES:,} nodes, which is the limit")
