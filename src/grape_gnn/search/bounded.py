"""A dictionary that forgets what was used least recently when its values take too much memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

__all__ = ["Bounded"]

Value = TypeVar("Value")


class Bounded(Generic[Value]):
    """Values by name, in bounded memory.

    Parameters
    ----------
    limit
        Bytes of all values together; a larger value is not kept at all.

    Examples
    --------
    >>> kept = Bounded(10)
    >>> kept.keep("first", "apple", 6)
    >>> kept.keep("second", "pear", 6)
    >>> kept.get("first"), kept.get("second")
    (None, 'pear')
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, tuple[Value, int]] = OrderedDict()
        self._bytes = 0

    def get(self, name: str) -> Value | None:
        """Return a value that is still there; None: it is not."""
        if name not in self._kept:
            return None
        self._kept.move_to_end(name)
        return self._kept[name][0]

    def keep(self, name: str, value: Value, size: int) -> None:
        """Keep a new value of so many bytes, at the cost of older ones."""
        if size > self._limit:
            return
        self._kept[name] = value, size
        self._bytes += size
        while self._bytes > self._limit:
            _, (_, freed) = self._kept.popitem(last=False)
            self._bytes -= freed
