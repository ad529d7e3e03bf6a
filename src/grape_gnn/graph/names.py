"""Finding a node by its original name."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import UnknownNodeError
from grape_gnn.files.texts import Texts
from grape_gnn.graph.attributes import Names, spells_integer

__all__ = ["NameIndex"]


class NameIndex:
    """From names to node numbers, prepared on first use."""

    def __init__(self, names: Names | None, num_nodes: int) -> None:
        self.names = names
        self.num_nodes = num_nodes

    def find(self, name: object) -> int:
        """Return the number of the node called `name`."""
        if isinstance(self.names, (tuple, Texts)):
            index = None if name is None else self._find_text(str(name))
        else:
            index = self._find_integer(name)
        if index is None:
            raise UnknownNodeError(f"no node is called {name!r}; {self._describe()}")
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
            return wanted if 0 <= wanted < self.num_nodes else None
        # Names of a file ascend as a rule: a few of them are looked at then, and no more.
        position = int(np.searchsorted(self.names, wanted))
        if position < self.num_nodes and self.names[position] == wanted:
            return position
        position = int(np.searchsorted(self.names, wanted, sorter=self._ascending))
        if position == self.num_nodes:
            return None
        index = int(self._ascending[position])
        return index if self.names[index] == wanted else None

    def _describe(self) -> str:
        if self.num_nodes == 0:
            return "the graph has no nodes"
        if self.names is None:
            return f"nodes are numbered 0..{self.num_nodes - 1}"
        shown = self.names[:3].tolist() if isinstance(self.names, np.ndarray) else self.names[:3]
        return f"names look like {', '.join(repr(name) for name in shown)}"
