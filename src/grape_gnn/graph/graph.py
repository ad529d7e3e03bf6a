"""The graph every engine works on: immutable sorted rows, with names, features and labels."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grape_gnn import _native
from grape_gnn.arguments import flag
from grape_gnn.errors import GraphError, UnknownNodeError
from grape_gnn.graph.attributes import Label, Names, as_names
from grape_gnn.graph.columns import Column
from grape_gnn.graph.conversions import Conversions
from grape_gnn.graph.feature_matrix import Features, as_features, freeze
from grape_gnn.graph.names import NameIndex
from grape_gnn.graph.rows import as_node_ids, build_rows, infer_num_nodes
from grape_gnn.graph.showing import graph_html, graph_text
from grape_gnn.graph.split import Split
from grape_gnn.graph.targets import labelled_nodes, read_target, task_of
from grape_gnn.graph.typed import encode_types, typed_rows, types_by_entry

__all__ = ["Graph"]


@dataclass(frozen=True, eq=False, repr=False)
class Graph(Conversions):
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
        Node features, float32, one row per node, or None: a NumPy array, or a SciPy ``csr_array``
        if they were given as a sparse matrix.
    y
        Node labels, or None: codes 0..k-1, ``-1`` where the label is missing; zeros and ones of
        shape (n, k) if a node has several labels; float64 numbers, NaN where missing, for a
        regression. `task` tells which.
    label_names
        ``label_names[code]`` is the label as the user gave it; None without labels and for numbers.
    names
        Original node names: an int64 array, a sequence of texts, or None when they are 0..n-1.
    columns
        Columns of a node table, as they were read, in place of `x`: `grape_gnn.NodeEncoder` makes
        features of them, and `grape_gnn.GrapeClassifier` does so by itself. None without a table.
    splits
        Splits into training, validation and test nodes that came with the graph.
    types, type_names
        What kind of node each is, which templates can ask for (``0-1 1:N``): codes 0..k-1, ``-1``
        where it is missing, and their names. Apart from `y`, which is what is learnt. None: in
        matching, though not in training, the classes in `y` take their place.
    edge_types, edge_type_names
        The type of every entry of `indices`, which templates can ask for (``0-1=double``), codes
        likewise, and their names; an undirected edge has the same one in both its rows. Or None.

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
    x: Features | None = None
    y: NDArray[Any] | None = None
    label_names: tuple[Label, ...] | None = None
    names: Names | None = None
    columns: tuple[Column, ...] | None = None
    splits: tuple[Split, ...] = ()
    types: NDArray[np.int64] | None = None
    type_names: tuple[Label, ...] | None = None
    edge_types: NDArray[np.int64] | None = None
    edge_type_names: tuple[Label, ...] | None = None

    def __post_init__(self) -> None:
        for array in (self.indptr, self.indices, self.in_indptr, self.in_indices):
            array.flags.writeable = False
        for attribute in (self.y, self.names, self.types, self.edge_types):
            if isinstance(attribute, np.ndarray):
                attribute.flags.writeable = False
        if self.x is not None:
            freeze(self.x)

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
        columns: Sequence[Column] | None = None,
        task: str | None = None,
        splits: Iterable[Split] = (),
        types: ArrayLike | Sequence[Any] | None = None,
        edge_types: ArrayLike | Sequence[Any] | None = None,
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
            Node features: a matrix with one row per node, all finite. A SciPy sparse one, such as
            words of texts, stays sparse.
        y
            Node labels: classes (integers or texts), numbers, collections of labels, or a matrix
            of zeros and ones with a column per label. ``None``, NaN, and -1 among integers mean
            missing.
        names
            One distinct name per node, integers or texts; other names are turned into text.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.
        label_names
            Give the classes and their order yourself; `y` then holds indices into them.
        columns
            Columns of a node table instead of `x`.
        task
            ``"classification"``, ``"multi-label"`` or ``"regression"``; None: as `y` looks. See
            `grape_gnn.graph.targets`.
        splits
            Splits into training, validation and test nodes.
        types
            What kind of node each is, integers or texts, ``None`` where it is missing: templates
            can ask for it (``0-1 1:N``), and it is never what is learnt.
        edge_types
            The type of every edge in `src` and `dst`, likewise; templates ask for it as in
            ``0-1=double``.

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
        >>> bonds = Graph.from_edges([0, 1], [1, 2], types=["O", "C", "O"], edge_types=[2, 2])
        >>> bonds
        Graph(nodes=3, edges=2, undirected, node types=2, edge types=1)
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
        directed = flag("directed", directed, error=GraphError)
        strict = flag("strict", strict, error=GraphError)
        rows = build_rows(sources, targets, n, directed=directed, strict=strict)
        if y is None and label_names is not None:
            raise GraphError("label_names were given without labels; pass y as well")
        target, classes = (None, None) if y is None else read_target(y, n, task, label_names)
        if columns is not None:
            if x is not None:
                raise GraphError("give the features as x or as columns, not both")
            for column in columns:
                if column.values.shape != (n,):
                    raise GraphError(
                        f"the column {column.name!r} must have one value per node, {n}; got "
                        f"{column.values.size}"
                    )
        kinds, kind_names = encode_types("types", types, n, "node")
        ties, tie_names = encode_types("edge_types", edge_types, sources.size, "edge")
        if ties is not None:
            ties = types_by_entry(rows, (sources, targets), ties, directed=directed)
        return cls(
            directed=directed,
            indptr=rows.indptr,
            indices=rows.indices,
            in_indptr=rows.in_indptr,
            in_indices=rows.in_indices,
            x=None if x is None else as_features(x, n),
            y=target,
            label_names=classes,
            names=None if names is None else as_names(names, n),
            columns=tuple(columns) if columns else None,
            splits=tuple(splits),
            types=kinds,
            type_names=kind_names,
            edge_types=ties,
            edge_type_names=tie_names,
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the graph to an ``.npz`` file or a ``.grape`` folder; `read_graph` reads both.

        A reader sees the old one or the complete new one. A folder is read without copying it
        into memory; see `grape_gnn.convert` for graphs that are larger than memory.
        """
        from grape_gnn.graph.graph_folder import GRAPH_SUFFIX, write_graph_folder
        from grape_gnn.graph.npz import write_npz

        if Path(path).suffix == GRAPH_SUFFIX:
            write_graph_folder(self, path)
        else:
            write_npz(self, path)

    @property
    def num_nodes(self) -> int:
        """Number of nodes."""
        return self.indptr.size - 1

    @property
    def num_edges(self) -> int:
        """Number of edges, each counted once; of arcs when directed."""
        return self.indices.size if self.directed else self.indices.size // 2

    @property
    def has_features(self) -> bool:
        """Whether nodes have features: a matrix, or columns of a table."""
        return self.x is not None or self.columns is not None

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each node; out-degree when directed."""
        degrees = np.diff(self.indptr)
        degrees.flags.writeable = False
        return degrees

    @property
    def task(self) -> str | None:
        """``"classification"``, ``"multi-label"`` or ``"regression"``; None without labels."""
        return None if self.y is None else task_of(self.y)

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """Mask of the nodes whose label is known."""
        if self.y is None:
            return np.zeros(self.num_nodes, dtype=bool)
        return labelled_nodes(self.y)

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

    def to_undirected(self) -> Graph:
        """Return the graph with every arc as an edge; u-v and v-u are the same edge.

        Examples
        --------
        >>> Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True).to_undirected()
        Graph(nodes=3, edges=2, undirected)
        """
        if not self.directed:
            return self
        tails, heads = self.edge_array().T
        n = self.num_nodes
        pairs = np.unique(np.minimum(tails, heads) * n + np.maximum(tails, heads))
        rows = build_rows(*np.divmod(pairs, max(n, 1)), n, directed=False, strict=True)
        kinds = self.edge_types
        if kinds is not None:
            kinds = types_by_entry(rows, (tails, heads), kinds, directed=False)
        return replace(self, directed=False, **vars(rows), edge_types=kinds)

    @cached_property
    def _name_index(self) -> NameIndex:
        return NameIndex(self.names, self.num_nodes)

    def index_of(self, name: str | int) -> int:
        """Return the number of the node called `name`.

        A text that spells an integer also finds a node with an integer name, so that names typed
        on a command line work; anything else finds the node whose name is its text, so that names
        of which some are numbers, or all are pairs as in a grid of networkx, work too.

        Raises
        ------
        UnknownNodeError
            No node has this name.
        """
        return self._name_index.find(name)

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
        rows = self.indptr, self.indices, self.in_indptr, self.in_indices
        kinds, _ = self.matched_types
        codes = None if kinds is None else kinds.astype(np.int32)
        return _native.Graph(self.directed, *rows, codes, typed_rows(self))

    @property
    def matched_types(self) -> tuple[NDArray[np.int64] | None, tuple[Label, ...]]:
        """What template nodes can ask for: `types`, without them the classes in `y`."""
        if self.types is not None:
            return self.types, self.type_names or ()
        if self.y is not None and self.task == "classification":
            return self.y, self.label_names or ()
        return None, ()

    def _check_index(self, index: int) -> None:
        if not 0 <= index < self.num_nodes:
            raise UnknownNodeError(
                f"node index {index} is out of range: the graph has {self.num_nodes} nodes"
            )

    def __repr__(self) -> str:
        return graph_text(self)

    def _repr_html_(self) -> str:
        return graph_html(self)

    def __reduce__(self) -> tuple[type[Graph], tuple[Any, ...]]:
        # Rebuilt from its fields: the native view cannot travel, and the arrays of the copy
        # must be made read-only again.
        return Graph, (
            self.directed, self.indptr, self.indices, self.in_indptr, self.in_indices,
            self.x, self.y, self.label_names, self.names, self.columns, self.splits,
            self.types, self.type_names, self.edge_types, self.edge_type_names,
        )  # fmt: skip

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        # It never changes; and what is kept for a graph is found again for its copies.
        return self
