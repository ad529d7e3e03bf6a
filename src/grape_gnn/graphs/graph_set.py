"""`GraphSet`: many graphs as one union with boundaries, so that all are matched in one call.

Ego-AE sets (paper, section 3) are local: an instance around a node lies in the node's own component
of the graph. Matching the disjoint union therefore finds exactly the roles of every graph by
itself, with one plan and one pass.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grape_gnn.errors import GraphError
from grape_gnn.graph import Graph
from grape_gnn.graph.attributes import Label, Names, as_names
from grape_gnn.graph.names import NameIndex
from grape_gnn.graph.targets import labelled_nodes, read_target, task_of
from grape_gnn.graphs.cut import Cut
from grape_gnn.graphs.edge_features import EdgeFeatures
from grape_gnn.graphs.pieces import Piece, join

__all__ = ["GraphSet"]


@dataclass(frozen=True, eq=False, repr=False)
class GraphSet(Sequence[Graph]):
    """Many graphs, none of which ever changes.

    Make one with `GraphSet.of` or `grape_gnn.read_graphs`; the constructor itself takes finished
    parts and does not check them. ``graphs[3]`` is a `Graph`; ``graphs[10:20]``, a mask and a list
    of numbers give a `GraphSet`.

    Parameters
    ----------
    union
        All graphs in one, with the types of nodes and edges, which templates can ask for
        (``"0-1=double 1:N"``); they are not what is learnt.
    ptr
        Graph ``i`` has the nodes ``ptr[i]`` to ``ptr[i + 1] - 1``.
    y
        What is to be predicted of every graph, in the forms of `Graph.y`; None without.
    label_names
        The classes, or the labels where a graph has several; None for numbers.
    names
        What the graphs are called; None: 0, 1, ...
    edge_features
        Numbers of every entry of the union's rows, which models learn from; None without. A single
        graph of the set, ``graphs[3]``, is without them; ``graphs[[3]]`` has them.

    Examples
    --------
    >>> import networkx as nx
    >>> graphs = GraphSet.of([nx.cycle_graph(5), nx.path_graph(4)], y=["ring", "chain"])
    >>> graphs
    GraphSet(graphs=2, nodes=9, edges=8, undirected, classes=2)
    >>> graphs[0]
    Graph(nodes=5, edges=5, undirected)
    """

    union: Graph
    ptr: NDArray[np.int64]
    y: NDArray[Any] | None = None
    label_names: tuple[Label, ...] | None = None
    names: Names | None = None
    edge_features: EdgeFeatures | None = None

    def __post_init__(self) -> None:
        for array in (self.ptr, self.y, self.names):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    @classmethod
    def of(
        cls,
        graphs: Iterable[Any],
        y: ArrayLike | Sequence[Any] | None = None,
        *,
        names: Iterable[Any] | None = None,
        task: str | None = None,
        types: str | None = None,
        edge_types: str | None = None,
        edge_features: str | Sequence[str] | None = None,
        strict: bool = False,
    ) -> GraphSet:
        """Put graphs of one or several libraries together.

        Parameters
        ----------
        graphs
            Graphs of networkx, igraph, SciPy or PyTorch Geometric, or `Graph`.
        y
            What is to be predicted: one value per graph, None where it is not known. None:
            ``data.y`` of PyG, or the graph attribute ``y`` or ``label`` of networkx and igraph.
        names
            What the graphs are called.
        task
            ``"classification"``, ``"multi-label"`` or ``"regression"``; None: as `y` looks.
        types
            The node attribute with the type of a node; None: ``type`` or ``label`` if there is
            one; in PyG ``z``, or ``x`` if it is one column of whole numbers.
        edge_types
            The edge attribute with the type of an edge; None: ``type`` if there is one; in PyG
            ``edge_type``, or ``edge_attr`` if in all graphs it is one column of whole numbers, or
            rows with a single one.
        edge_features
            The edge attributes with numbers, or vectors of them, that are learnt from; None:
            ``features`` if there is one; in PyG ``edge_attr`` if it is not the types.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.

        Examples
        --------
        >>> import networkx as nx
        >>> water = nx.Graph([(0, 1), (0, 2)])
        >>> nx.set_node_attributes(water, {0: "O", 1: "H", 2: "H"}, "type")
        >>> GraphSet.of([water], y=[-285.8]).node_types
        ('H', 'O')
        """
        from grape_gnn.graphs.accept import as_pieces

        pieces, directed = as_pieces(graphs, types, edge_types, edge_features, targets=y is None)
        return cls.from_pieces(pieces, y, directed=directed, names=names, task=task, strict=strict)

    @classmethod
    def from_pieces(
        cls,
        pieces: Sequence[Piece],
        y: Any = None,
        *,
        directed: bool = False,
        names: Iterable[Any] | None = None,
        task: str | None = None,
        strict: bool = False,
    ) -> GraphSet:
        """Join what a reader found; `y` goes before what the pieces carry."""
        union, ptr, numbers = join(pieces, directed, strict)
        count = len(pieces)
        if y is None and any(piece.y is not None for piece in pieces):
            y = [piece.y for piece in pieces]
        target, classes = _targets(y, count, task)
        found = None if names is None else as_names(names, count)
        return cls(union, ptr, target, classes, found, numbers)

    # -------------------------------------------------------------- what is in it

    @property
    def num_nodes(self) -> int:
        """Number of nodes of all graphs."""
        return self.union.num_nodes

    @property
    def num_edges(self) -> int:
        """Number of edges of all graphs."""
        return self.union.num_edges

    @property
    def directed(self) -> bool:
        """Whether edges are arcs."""
        return self.union.directed

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of nodes of every graph."""
        return np.diff(self.ptr)

    @cached_property
    def graph_of_node(self) -> NDArray[np.int64]:
        """The graph of every node of the union, as PyG's ``batch``."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def node_types(self) -> tuple[Label, ...]:
        """The types that nodes have, which templates can ask for."""
        return self.union.type_names or ()

    @property
    def edge_types(self) -> NDArray[np.int64] | None:
        """The type of every entry of the union's rows, as `Graph.edge_types`."""
        return self.union.edge_types

    @property
    def edge_type_names(self) -> tuple[Label, ...] | None:
        """What the types of edges are called; None without."""
        return self.union.edge_type_names

    @property
    def edge_parts(self) -> tuple[Any, ...]:
        """What makes up the features of edges, for `checksum`; nothing without any."""
        numbers = self.edge_features
        return () if numbers is None else (numbers.names, numbers.values)

    @property
    def task(self) -> str | None:
        """``"classification"``, ``"multi-label"`` or ``"regression"``; None without targets."""
        return None if self.y is None else task_of(self.y)

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """Mask of the graphs whose target is known."""
        return np.zeros(len(self), bool) if self.y is None else labelled_nodes(self.y)

    def name_of(self, index: int) -> Label:
        """Return what graph number `index` is called."""
        name = self.names[index] if self.names is not None else index
        return name if isinstance(name, str) else int(name)

    def index_of(self, name: str | int) -> int:
        """Return the number of the graph called `name`; its number is its name if it has none.

        Raises
        ------
        GraphError
            No graph has this name.

        Examples
        --------
        >>> import networkx as nx
        >>> graphs = GraphSet.of([nx.path_graph(3), nx.cycle_graph(4)], names=["chain", "ring"])
        >>> graphs.index_of("ring")
        1
        """
        return NameIndex(self.names, len(self), "graph").find(name)

    # -------------------------------------------------------------- some of it

    def __len__(self) -> int:
        return self.ptr.size - 1

    @overload
    def __getitem__(self, which: int) -> Graph: ...
    @overload
    def __getitem__(self, which: slice | ArrayLike) -> GraphSet: ...
    def __getitem__(self, which: Any) -> Graph | GraphSet:
        """Return one graph, or some as a set."""
        if isinstance(which, int | np.integer):
            number = int(which) + len(self) * (which < 0)
            if not 0 <= number < len(self):
                raise IndexError(f"graph number {which} is out of range: there are {len(self)}")
            return self._chosen(np.array([number])).union
        return self._chosen(self.numbers(which))

    def numbers(self, which: Any) -> NDArray[np.int64]:
        """Return the numbers of the graphs that a slice, a list of numbers or a mask means."""
        if isinstance(which, slice):
            return np.arange(len(self))[which]
        given = np.asarray(which)
        if given.dtype == bool and given.shape == (len(self),):
            return np.flatnonzero(given)
        if given.size == 0:
            return np.empty(0, np.int64)
        if given.dtype.kind not in "iu" or given.ndim != 1:
            raise GraphError(
                f"choose graphs by a number, a slice, a list of numbers or a mask of {len(self)}; "
                f"got {given.dtype} of shape {given.shape}"
            )
        bad = (given < -len(self)) | (given >= len(self))
        if bad.any():
            raise IndexError(f"graph number {given[bad][0]} is out of range: there are {len(self)}")
        numbers: NDArray[np.int64] = given.astype(np.int64) % max(len(self), 1)
        return numbers

    def _chosen(self, numbers: NDArray[np.int64]) -> GraphSet:
        cut = Cut.of(self.ptr, numbers)
        whole, nodes = self.union, cut.nodes
        indptr, indices, entries = cut.rows(whole.indptr, whole.indices)
        into = (indptr, indices)
        if whole.directed:
            into = cut.rows(whole.in_indptr, whole.in_indices)[:2]
        union = Graph(
            whole.directed, indptr, indices, *into,
            x=None if whole.x is None else whole.x[nodes],
            types=None if whole.types is None else whole.types[nodes],
            type_names=whole.type_names,
            edge_types=None if whole.edge_types is None else whole.edge_types[entries],
            edge_type_names=whole.edge_type_names,
        )  # fmt: skip
        names: Any = self.names
        if names is not None:
            picked = [names[k] for k in numbers]
            # The same graph twice has the same name twice, which no set has.
            distinct = len(set(picked)) == len(picked)
            names = as_names(picked, len(picked)) if distinct else None
        return replace(
            self, union=union, ptr=cut.ptr, names=names,
            y=None if self.y is None else self.y[numbers],
            edge_features=None if self.edge_features is None else self.edge_features.rows(entries),
        )  # fmt: skip

    def with_targets(self, y: Any, task: str | None = None) -> GraphSet:
        """Return the same graphs with other targets, one value per graph; None: without any."""
        target, classes = _targets(y, len(self), task)
        return replace(self, y=target, label_names=classes)

    # -------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the set to an ``.npz`` file, atomically; `grape_gnn.read_graphs` reads it."""
        from grape_gnn.graphs.npz import write_graphs

        write_graphs(self, path)

    def to_pyg(self) -> list[Any]:
        """Return one ``Data`` per graph: ``x`` its features and one-hot types, ``y`` its target.

        ``edge_attr`` are the features of its edges and ``edge_type`` their types; without features
        ``edge_attr`` are the types.
        """
        from grape_gnn.graphs.to_pyg import to_pyg

        return to_pyg(self)

    def __repr__(self) -> str:
        parts = [
            f"graphs={len(self)}", f"nodes={self.num_nodes}", f"edges={self.num_edges}",
            "directed" if self.directed else "undirected",
        ]  # fmt: skip
        if self.node_types:
            parts.append(f"node types={len(self.node_types)}")
        if self.edge_type_names:
            parts.append(f"edge types={len(self.edge_type_names)}")
        if self.edge_features is not None:
            parts.append(f"edge features={self.edge_features.width}")
        if self.union.x is not None:
            parts.append(f"features={self.union.x.shape[1]}")
        if self.label_names is not None:
            kind = "labels" if self.task == "multi-label" else "classes"
            parts.append(f"{kind}={len(self.label_names)}")
        elif self.y is not None:
            parts.append("numbers to predict")
        return f"GraphSet({', '.join(parts)})"


def _targets(
    y: Any, count: int, task: str | None
) -> tuple[NDArray[Any] | None, tuple[Label, ...] | None]:
    if y is None:
        return None, None
    if hasattr(y, "__len__") and len(y) != count:
        raise GraphError(f"y has {len(y):,} targets for {count:,} graphs: give one per graph")
    try:
        return read_target(y, count, task)
    except GraphError as error:
        raise GraphError(f"the targets of {count} graphs: {error}") from error
