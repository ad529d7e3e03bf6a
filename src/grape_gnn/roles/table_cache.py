"""Instance tables in a bounded number of bytes; the least recently used go first."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from grape_gnn import _native

__all__ = ["StoredTable", "TableCache"]


@dataclass(frozen=True)
class StoredTable:
    """A finished table with its size, which is costly to ask for again and again."""

    table: _native.InstanceTable
    num_instances: int
    bytes: int

    @classmethod
    def of(cls, table: _native.InstanceTable) -> StoredTable:
        """Measure a table."""
        return cls(table, table.num_instances, table.bytes)


class TableCache:
    """Tables by the canonical form of their template.

    Parameters
    ----------
    limit
        Bytes that all tables together may take.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.bytes = 0
        self.evictions = 0
        self._tables: OrderedDict[str, StoredTable] = OrderedDict()

    def __len__(self) -> int:
        return len(self._tables)

    def __contains__(self, key: str) -> bool:
        return key in self._tables

    def peek(self, key: str) -> StoredTable | None:
        """Return a table without counting this as use."""
        return self._tables.get(key)

    def get(self, key: str) -> StoredTable | None:
        """Return a table, which now is the last to be dropped."""
        if key in self._tables:
            self._tables.move_to_end(key)
        return self._tables.get(key)

    def put(self, key: str, stored: StoredTable) -> None:
        """Add a table for which `make_room` has made room."""
        self._tables[key] = stored
        self.bytes += stored.bytes

    def make_room(self, wanted: int, keep: str | None) -> int:
        """Drop tables other than `keep` until `wanted` bytes are free; return the free bytes."""
        self.shrink(self.limit - wanted, keep)
        return self.limit - self.bytes

    def shrink(self, most: int, keep: str | None = None) -> None:
        """Drop tables other than `keep` until they take at most so many bytes."""
        while self.bytes > most:
            oldest = next((key for key in self._tables if key != keep), None)
            if oldest is None:
                break
            self.bytes -= self._tables.pop(oldest).bytes
            self.evictions += 1
