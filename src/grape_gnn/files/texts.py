"""Many texts in plain arrays, decoded when asked for: the names of a graph that stays on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

__all__ = ["Texts", "sorted_order"]

WORDS = 4  # of eight letters, by which texts are sorted


class Texts(Sequence[str]):
    """A sequence of different texts over arrays that may be mapped.

    Parameters
    ----------
    letters
        The letters of all, one text after the other, in UTF-8.
    ends
        Where each ends.
    order
        The numbers of the texts in ascending order, by which `find` looks them up.

    Examples
    --------
    >>> packed = np.frombuffer(b"bobann", np.uint8), np.array([3, 6])
    >>> names = Texts(*packed, sorted_order(*packed))
    >>> names[1], names.find("bob"), names.find("eve"), list(names)
    ('ann', 0, None, ['bob', 'ann'])
    """

    def __init__(
        self, letters: NDArray[np.uint8], ends: NDArray[np.int64], order: NDArray[Any]
    ) -> None:
        self.letters, self.ends, self.order = letters, ends, order

    def __len__(self) -> int:
        return self.ends.size

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        at = range(len(self))[index]
        return self._bytes(at).decode("utf-8", "surrogatepass")

    def find(self, text: str) -> int | None:
        """Return the number of a text, by looking at a few of them only."""
        wanted = text.encode("utf-8", "surrogatepass")
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._bytes(int(self.order[middle])) < wanted:
                low = middle + 1
            else:
                high = middle
        if low == len(self):
            return None
        found = int(self.order[low])
        return found if self._bytes(found) == wanted else None

    def check(self) -> None:
        """Refuse arrays that are not what they should be; this reads all of them.

        Raises
        ------
        ValueError
            The ends do not ascend, the order is none, two texts are the same, or one is not UTF-8.
        """
        ends, order = self.ends, self.order
        if self.letters.dtype != np.uint8 or ends.dtype != np.int64 or order.dtype != np.int32:
            raise ValueError("texts have the wrong type")
        if not self.letters.ndim == ends.ndim == order.ndim == 1 or order.size != ends.size:
            raise ValueError("texts have the wrong shape")
        cuts = np.concatenate([[0], ends])
        if (cuts[1:] < cuts[:-1]).any() or cuts[-1] != self.letters.size:
            raise ValueError("the ends of texts do not ascend to the end of their letters")
        if order.size and not 0 <= order.min() <= order.max() < order.size:
            raise ValueError("the order of texts is none")
        before = None
        for index in order.tolist():  # ascending without a repeat: a permutation of distinct texts
            text = self._bytes(index)
            text.decode("utf-8", "surrogatepass")
            if before is not None and text <= before:
                raise ValueError("texts are not distinct, or their order is none")
            before = text

    def _bytes(self, index: int) -> bytes:
        begin = int(self.ends[index - 1]) if index else 0
        return self.letters[begin : int(self.ends[index])].tobytes()

    def __reduce__(self) -> tuple[type[Texts], tuple[Any, ...]]:
        return Texts, (self.letters, self.ends, self.order)


def sorted_order(letters: NDArray[np.uint8], ends: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the numbers of packed texts in ascending order, which is that of their bytes.

    They are sorted by their first letters, eight at a time, the last eight of them first; only
    those that are alike in all are compared as texts.
    """
    begins = np.concatenate([[0], ends[:-1]]) if ends.size else ends
    order = np.arange(ends.size)
    for word in reversed(range(WORDS)):
        order = order[np.argsort(_eight_letters(letters, begins, ends, word)[order], kind="stable")]
    alike = np.ones(max(0, ends.size - 1), bool)
    for word in range(WORDS):
        value = _eight_letters(letters, begins, ends, word)[order]
        alike &= value[1:] == value[:-1]
    edges = np.diff(np.concatenate([[False], alike, [False]]).astype(np.int8))
    for begin, end in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        group = order[begin : end + 1]
        texts = {k: letters[begins[k] : ends[k]].tobytes() for k in group.tolist()}
        order[begin : end + 1] = sorted(texts, key=texts.__getitem__)
    return order.astype(np.int32)


def _eight_letters(
    letters: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64], word: int
) -> NDArray[np.uint64]:
    """Return eight letters of every text as one number; zeros behind its end."""
    value = np.zeros(ends.size, np.uint64)
    for letter in range(8 * word, 8 * word + 8):
        inside = begins + letter < ends
        value <<= np.uint64(8)
        value[inside] |= letters[begins[inside] + letter]
    return value
