"""Role products of all nodes, as arrays in memory or mapped from files, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grape_gnn.files.array_file import page_dropper
from grape_gnn.template import Template

__all__ = ["Part", "Products", "parts_of"]

HOPS = 2  # at most: how far away members may be


class Part(NamedTuple):
    """One array of products: a hop, and the columns of the features that it is of."""

    hop: int
    first: int
    last: int

    @property
    def name(self) -> str:
        """Name of its file, without the ending."""
        return f"hop{self.hop}-{self.first}-{self.last}"


def parts_of(columns: int, width: int, hops: int) -> list[Part]:
    """Return the parts that products consist of, at most `width` columns each.

    Examples
    --------
    >>> [part.name for part in parts_of(columns=3, width=2, hops=1)]
    ['hop1-0-2', 'hop1-2-3']
    """
    starts = range(0, columns, width)
    return [Part(h, c, min(c + width, columns)) for c in starts for h in range(1, hops + 1)]


class Products:
    """The products of every role with the features, hop by hop; `precompute` makes them.

    Parameters
    ----------
    templates
        Whose roles, the egos' left out.
    columns, hops
        Number of columns of the features, and of hops.
    logs
        Log totals of every role, (nodes, roles), and with two hops their means over neighbours.
    parts
        The products, (nodes, roles, columns of the part).
    features
        Checksum of the features that were multiplied.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0], [1, 2], x=[[6.0], [2.0], [4.0]])
    >>> products = grape.precompute(g, "edge", hops=1)
    >>> products
    Products(3 nodes, 1 roles, 1 columns, 1 hops)
    >>> logs, (first,) = products.rows(np.array([0, 1]))
    >>> first[:, 0, 0].tolist()
    [3.0, 6.0]
    """

    def __init__(
        self,
        templates: Sequence[Template],
        columns: int,
        hops: int,
        logs: Sequence[NDArray[np.float32]],
        parts: Mapping[Part, NDArray[np.float32]],
        features: str = "",
    ) -> None:
        self.templates = tuple(templates)
        self.columns, self.hops, self.features = columns, hops, features
        self.logs = list(logs)
        self.parts = dict(parts)
        self._drop: Callable[[], None] = page_dropper(*self.logs, *self.parts.values())

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return int(self.logs[0].shape[0])

    @property
    def num_roles(self) -> int:
        """Number of roles of all templates, the egos' not counted."""
        return int(self.logs[0].shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in (*self.logs, *self.parts.values()))

    def rows(self, nodes: NDArray[Any]) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Return what is known of some nodes, copied out of the files.

        Parameters
        ----------
        nodes
            Node numbers; in ascending order files are read from front to back.

        Returns
        -------
        tuple
            Log totals, (nodes, hops * roles), and the products of every hop, (nodes, roles,
            columns).
        """
        logs = np.concatenate([each[nodes] for each in self.logs], axis=1)
        found = []
        for hop in range(1, self.hops + 1):
            mine = [array[nodes] for part, array in self.parts.items() if part.hop == hop]
            found.append(mine[0] if len(mine) == 1 else np.concatenate(mine, axis=2))
        self._drop()  # what was read would count as memory of this process
        return logs, found

    def __repr__(self) -> str:
        return (
            f"Products({self.num_nodes:,} nodes, {self.num_roles} roles, {self.columns:,} columns, "
            f"{self.hops} hops)"
        )
