"""The graph every engine works on: immutable sorted rows, with names, features and labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grape_gnn import _native
from grape_gnn.errors import GraphError, UnknownNodeError
from grape_gnn.graph.attributes import (
    Label,
    Names,
    as_features,
    as_label_codes,
    as_names,
    encode_labels,
)
from grape_gnn.graph.rows import as_node_ids, build_rows, infer_num_nodes

__all__ = ["Graph"]


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """A simple graph, directed or not, that never changes.

    Make one with :meth:`from_edges`, one of the other ``from_`` methods, or
    :func:`grape_gnn.graph.read_graph`; the constructor itself takes finished rows and does not
    check them.

    Parameters
    ----------
    directed
        Whether edges are arcs.
    indptr, indices
        Row ``i`` is ``indices[indptr[i]:indptr[i + 1]]``: the neighbours of node ``i`` in
        ascending order; for a directed graph the heads of its out-arcs. An undirected edge is
        stored in the rows of both its ends.
    in_indptr, in_indices
        The same for in-arcs; the same arrays as above when undirected.
    x
        Node features, float32, one row per node, or None.
    y
        Node labels as codes 0..k-1, ``-1`` where the label is missing, or None.
    label_names
        ``label_names[code]`` is the label as the user gave it; None without labels.
    names
        Original node names: an int64 array, a tuple of texts, or None when they are 0..n-1.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 1, 2], [1, 2, 0], names=["alice", "bob", "carol"])
    >>> g
    Graph(nodes=3, edges=3, undirected, named)
    >>> [g.name_of(i) for i in g.neighbours(g.index_of("bob"))]
    ['alice', 'carol']
    """

    directed: bool
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    in_indptr: NDArray[np.int64]
    in_indices: NDArray[np.int32]
    x: NDArray[np.float32] | None = None
    y: NDArray[np.int64] | None = None
    label_names: tuple[Label, ...] | None = None
    names: Names | None = None

    def __post_init__(self) -> None:
        for array in (self.indptr, self.indices, self.in_indptr, self.in_indices):
            array.flags.writeable = False
        for attribute in (self.x, self.y, self.names):
            if isinstance(attribute, np.ndarray):
                attribute.flags.writeable = False

    @classmethod
    def from_edges(
        cls,
        src: ArrayLike,
        dst: ArrayLike,
        num_nodes: int | None = None,
        directed: bool = False,
        x: ArrayLike | None = None,
        y: Any = None,
        names: Iterable[Any] | None = None,
        strict: bool = False,
        label_names: Sequence[Label] | None = None,
    ) -> Graph:
        """Build a graph from two arrays: edge ``k`` joins ``src[k]`` and ``dst[k]``.

        Parameters
        ----------
        src, dst
            Node ids, integers from 0.
        num_nodes
            Number of nodes; without it, the number of `names`, or the largest id plus one.
        directed
            Whether ``src[k] > dst[k]`` is an arc. When not, u-v and v-u are the same edge.
        x
            Node features: a matrix with one row per node, dense or SciPy sparse, all finite.
        y
            Node labels, integers or texts. ``None``, NaN, and -1 among integers mean missing.
        names
            One distinct name per node, integers or texts; other names are turned into text.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.
        label_names
            Give the classes and their order yourself; `y` then holds indices into them.

        Returns
        -------
        Graph

        Raises
        ------
        GraphError
            For ids that are negative, fractional or out of range, for features that are not
            finite, and for attributes of the wrong length. The message names the value and where
            it is.

        Examples
        --------
        >>> from grape_gnn.graph import Graph
        >>> g = Graph.from_edges([0, 1], [1, 2], y=["x", None, "y"])
        >>> g.y.tolist(), g.label_names
        ([0, -1, 1], ('x', 'y'))
        """
        sources, targets = as_node_ids(src, "src"), as_node_ids(dst, "dst")
        if sources.size != targets.size:
            raise GraphError(
                f"src and dst must have the same length, got {sources.size} and {targets.size}"
            )
        if names is not None:
            names = names if isinstance(names, np.ndarray) else list(names)
            num_nodes = len(names) if num_nodes is None else num_nodes
        n = infer_num_nodes(sources, targets, num_nodes)
        rows = build_rows(sources, targets, n, directed=directed, strict=strict)
        codes: NDArray[np.int64] | None = None
        classes: tuple[Label, ...] | None = None
        if y is not None and label_names is not None:
            codes, classes = as_label_codes(y, label_names, n)
        elif y is not None:
            codes, classes = encode_labels(y, n)
        return cls(
            directed=directed,
            indptr=rows.indptr,
            indices=rows.indices,
            in_indptr=rows.in_indptr,
            in_indices=rows.in_indices,
            x=None if x is None else as_features(x, n),
            y=codes,
            label_names=classes,
            names=None if names is None else as_names(names, n),
        )

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self.indptr.size - 1

    @property
    def num_edges(self) -> int:
        """Number of edges, each counted once; of arcs when directed."""
        return self.indices.size if self.directed else self.indices.size // 2

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node; out-degree when directed."""
        degrees = np.diff(self.indptr)
        degrees.flags.writeable = False
        return degrees

    def neighbours(self, node: int) -> NDArray[np.int32]:
        """Return the neighbours of node number `node` (heads of its out-arcs), ascending."""
        self._check_index(node)
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def edge_array(self) -> NDArray[np.int64]:
        """Return all edges as an array of shape (num_edges, 2), each undirected edge once.

        Examples
        --------
        >>> from grape_gnn.graph import Graph
        >>> Graph.from_edges([2, 0], [1, 1]).edge_array().tolist()
        [[0, 1], [1, 2]]
        """
        heads = np.repeat(np.arange(self.num_nodes), self.degrees)
        edges = np.stack([heads, self.indices.astype(np.int64)], axis=1)
        return edges if self.directed else edges[edges[:, 0] < edges[:, 1]]

    @cached_property
    def _index_of_text(self) -> dict[str, int]:
        return {str(name): i for i, name in enumerate(self.names)} if self.names is not None else {}

    @cached_property
    def _integer_order(self) -> NDArray[np.int64]:
        return np.argsort(np.asarray(self.names)).astype(np.int64)

    def index_of(self, name: str | int) -> int:
        """Return the number of the node called `name`.

        A text that spells an integer also finds a node with an integer name, so that names typed
        on a command line work.

        Raises
        ------
        UnknownNodeError
            No node has this name.
        """
        if isinstance(self.names, tuple):
            index = self._index_of_text.get(name) if isinstance(name, str) else None
        else:
            index = self._find_integer(name)
        if index is None:
            raise UnknownNodeError(f"no node is called {name!r}; {self._describe_names()}")
        return index

    def _find_integer(self, name: str | int) -> int | None:
        try:
            wanted = int(name)
        except (TypeError, ValueError):
            return None
        if wanted != name and str(wanted) != name:
            return None  # 1.5 is no name, nor is "007"
        if not isinstance(self.names, np.ndarray):
            return wanted if 0 <= wanted < self.num_nodes else None
        position = int(np.searchsorted(self.names, wanted, sorter=self._integer_order))
        if position == self.num_nodes:
            return None
        index = int(self._integer_order[position])
        return index if self.names[index] == wanted else None

    def name_of(self, index: int) -> Label:
        """Return the original name of node number `index`."""
        self._check_index(index)
        if self.names is None:
            return int(index)
        name = self.names[index]
        return name if isinstance(name, str) else int(name)

    @cached_property
    def native(self) -> _native.Graph:
        """The graph as the compiled core sees it; it shares these arrays."""
        labels = None if self.y is None else self.y.astype(np.int32)
        return _native.Graph(
            self.directed, self.indptr, self.indices, self.in_indptr, self.in_indices, labels
        )

    def _check_index(self, index: int) -> None:
        if not 0 <= index < self.num_nodes:
            raise UnknownNodeError(
                f"node index {index} is out of range: the graph has {self.num_nodes} nodes"
            )

    def _describe_names(self) -> str:
        if self.num_nodes == 0:
            return "the graph has no nodes"
        if self.names is None:
            return f"nodes are numbered 0..{self.num_nodes - 1}"
        shown = ", ".join(repr(self.name_of(i)) for i in range(min(3, self.num_nodes)))
        return f"names look like {shown}"

    def __repr__(self) -> str:
        parts = [
            f"nodes={self.num_nodes}",
            f"edges={self.num_edges}",
            "directed" if self.directed else "undirected",
        ]
        if self.x is not None:
            parts.append(f"features={self.x.shape[1]}")
        if self.label_names is not None:
            parts.append(f"classes={len(self.label_names)}")
        if self.names is not None:
            parts.append("named")
        return f"Graph({', '.join(parts)})"

    def __reduce__(self) -> tuple[type[Graph], tuple[Any, ...]]:
        # Rebuilt from its fields: the native view cannot travel, and the arrays of the copy
        # must be made read-only again.
        return Graph, (
            self.directed, self.indptr, self.indices, self.in_indptr, self.in_indices,
            self.x, self.y, self.label_names, self.names,
        )  # fmt: skip
