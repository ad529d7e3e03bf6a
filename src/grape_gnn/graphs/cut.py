"""Some graphs of a union: a graph's nodes, and so its rows and entries, lie next to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Cut", "ranges"]

Ints = NDArray[np.int64]


def ranges(starts: NDArray[Any], lengths: NDArray[Any]) -> Ints:
    """Return the numbers of several ranges, one after the other.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    before = np.cumsum(lengths) - lengths
    found: Ints = np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths)
    return found


class Cut(NamedTuple):
    """Some graphs of a union, in the order asked for; a graph may be there twice.

    Parameters
    ----------
    starts, sizes
        The first node of each in the union, and how many it has.
    ptr
        The boundaries in the union of the chosen ones.

    Examples
    --------
    >>> cut = Cut.of(np.array([0, 2, 5]), np.array([1]))
    >>> cut.nodes.tolist(), cut.ptr.tolist()
    ([2, 3, 4], [0, 3])
    >>> cut.rows(np.array([0, 1, 2, 4, 5, 6]), np.array([1, 0, 3, 4, 2, 2]))
    (array([0, 2, 3, 4]), array([1, 2, 0, 0]), array([2, 3, 4, 5]))
    """

    starts: Ints
    sizes: Ints
    ptr: Ints

    @classmethod
    def of(cls, ptr: Ints, which: Ints) -> Cut:
        """Choose the graphs `which` of a union with the boundaries `ptr`."""
        sizes = ptr[which + 1] - ptr[which]
        return cls(ptr[which], sizes, np.concatenate([[0], np.cumsum(sizes)]))

    @property
    def nodes(self) -> Ints:
        """The number in the union of every node."""
        return ranges(self.starts, self.sizes)

    def rows(self, indptr: Ints, indices: NDArray[Any]) -> tuple[Ints, NDArray[Any], Ints]:
        """Cut compressed rows: their new starts and columns, and where the entries were."""
        begin = indptr[self.starts]
        counts = indptr[self.starts + self.sizes] - begin
        entries = ranges(begin, counts)
        shift = np.repeat(self.starts - self.ptr[:-1], counts).astype(indices.dtype)
        lengths = indptr[self.nodes + 1] - indptr[self.nodes]
        return np.concatenate([[0], np.cumsum(lengths)]), indices[entries] - shift, entries
