"""Finding a node, or a graph of a set, by its original name."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import GraphError, UnknownNodeError
from grape_gnn.files.texts import Texts
from grape_gnn.graph.attributes import Names, spells_integer

__all__ = ["NameIndex"]


class NameIndex:
    """From names to numbers, prepared on first use.

    Parameters
    ----------
    names
        None: the numbers themselves.
    count
        How many there are.
    thing
        What has these names.
    """

    def __init__(self, names: Names | None, count: int, thing: str = "node") -> None:
        self.names = names
        self.count = count
        self.thing = thing

    def find(self, name: object) -> int:
        """Return the number of what is called `name`."""
        if isinstance(self.names, (tuple, Texts)):
            index = None if name is None else self._find_text(str(name))
        else:
            index = self._find_integer(name)
        if index is None:
            kind = UnknownNodeError if self.thing == "node" else GraphError
            raise kind(f"no {self.thing} is called {name!r}; {self._describe()}")
        return index

    def _find_text(self, text: str) -> int | None:
        return self.names.find(text) if isinstance(self.names, Texts) else self._by_text.get(text)

    @cached_property
    def _by_text(self) -> dict[object, int]:
        return {name: i for i, name in enumerate(self.names or ())}

    @cached_property
    def _ascending(self) -> NDArray[np.int64]:
        return np.argsort(np.asarray(self.names)).astype(np.int64)

    def _find_integer(self, name: object) -> int | None:
        if isinstance(name, str):
            # As typed on a command line; "007" and "1.0" are not the way integers are written.
            if not spells_integer(name.removeprefix("-")):
                return None
            name = int(name)
        if not isinstance(name, (int, np.integer)):
            return None
        wanted = int(name)
        if not isinstance(self.names, np.ndarray):
            return wanted if 0 <= wanted < self.count else None
        # Names of a file ascend as a rule: a few of them are looked at then, and no more.
        position = int(np.searchsorted(self.names, wanted))
        if position < self.count and self.names[position] == wanted:
            return position
        position = int(np.searchsorted(self.names, wanted, sorter=self._ascending))
        if position == self.count:
            return None
        index = int(self._ascending[position])
        return index if self.names[index] == wanted else None

    def _describe(self) -> str:
        if self.count == 0:
            return f"there are no {self.thing}s"
        if self.names is None:
            return f"{self.thing}s are numbered 0..{self.count - 1}"
        shown = self.names[:3].tolist() if isinstance(self.names, np.ndarray) else self.names[:3]
        return f"names look like {', '.join(repr(name) for name in shown)}"
