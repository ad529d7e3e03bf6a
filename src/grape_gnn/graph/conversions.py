"""What a graph can be made of, and turned into: the other libraries' graphs, and data frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grape_gnn.graph.graph import Graph

__all__ = ["Conversions"]


class Conversions:
    """The methods ``from_...`` and ``to_...`` of :class:`grape_gnn.graph.Graph`."""

    @classmethod
    def from_scipy(cls, matrix: Any, directed: bool | None = None, **attributes: Any) -> Graph:
        """Build a graph from a square SciPy sparse matrix: entries that are not 0 are edges.

        Parameters
        ----------
        matrix
            Adjacency matrix; values other than 0 all mean "edge".
        directed
            None: directed exactly if the matrix is not symmetric. False on an asymmetric matrix
            joins ``i`` and ``j`` if either entry is set.
        **attributes
            ``x``, ``y``, ``names``, ``strict``, ``label_names``, ``task`` of :meth:`from_edges`.

        Examples
        --------
        >>> from scipy.sparse import csr_array
        >>> from grape_gnn.graph import Graph
        >>> Graph.from_scipy(csr_array([[0, 1], [1, 0]]))
        Graph(nodes=2, edges=1, undirected)
        """
        from grape_gnn.graph.convert_scipy import from_scipy

        return from_scipy(matrix, directed, **attributes)

    @classmethod
    def from_dask(cls, edges: Any, out: Any, *, nodes: Any = None, **options: Any) -> Graph:
        """Build a graph on disk from data frames of Dask, partition by partition.

        If the call is cut off, the same call goes on: partitions that were computed are kept in
        ``something.grape.frames`` until the graph is there. Other data frames begin anew.

        Parameters
        ----------
        edges
            A Dask data frame of edges, such as ``dask.dataframe.read_parquet`` gives.
        out
            The folder to make, ``something.grape``.
        nodes
            A Dask data frame of nodes, or None.
        **options
            Those of `grape_gnn.convert`: ``memory``, ``directed``, ``source``, ``label``, ...

        Examples
        --------
        >>> import tempfile
        >>> import dask.dataframe as dd
        >>> import pandas as pd
        >>> from grape_gnn.graph import Graph
        >>> frame = pd.DataFrame({"source": [0, 1, 2], "target": [1, 2, 0]})
        >>> edges = dd.from_pandas(frame, npartitions=2)
        >>> Graph.from_dask(edges, tempfile.mkdtemp() + "/g.grape")
        Graph(nodes=3, edges=3, undirected)
        """
        from grape_gnn.graph.convert_dask import from_dask

        return from_dask(edges, out, nodes=nodes, **options)

    @classmethod
    def from_networkx(
        cls,
        source: Any,
        label: str | None = "label",
        features: str | Sequence[str] | None = "features",
        strict: bool = False,
        task: str | None = None,
        types: str | None = "type",
        edge_types: str | None = "type",
    ) -> Graph:
        """Build a graph from a networkx graph, keeping node order, names and direction.

        Parameters
        ----------
        source
            Any networkx graph; parallel edges of a multigraph are repeated edges.
        label
            Node attribute with the labels; nodes without it have a missing label.
        features
            Node attribute, or several, that make up the features: numbers or vectors. The
            attributes named ``label`` and ``features`` are used if they are there; pass None
            to ignore them.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.
        task
            What the labels are, as for :meth:`from_edges`.
        types, edge_types
            Node attribute and edge attribute with the types that templates can ask for; the
            attributes named ``type`` are used if they are there, None ignores them.

        Examples
        --------
        >>> import networkx as nx
        >>> from grape_gnn.graph import Graph
        >>> Graph.from_networkx(nx.karate_club_graph(), label="club")
        Graph(nodes=34, edges=78, undirected, classes=2)
        """
        from grape_gnn.graph.convert_networkx import from_networkx

        return from_networkx(source, label, features, strict, task, types, edge_types)

    @classmethod
    def from_igraph(
        cls,
        source: Any,
        label: str | None = "label",
        features: str | Sequence[str] | None = "features",
        strict: bool = False,
        task: str | None = None,
        types: str | None = "type",
        edge_types: str | None = "type",
    ) -> Graph:
        """Build a graph from an igraph graph; names come from the vertex attribute ``name``.

        The parameters are those of :meth:`from_networkx`.
        """
        from grape_gnn.graph.convert_igraph import from_igraph

        return from_igraph(source, label, features, strict, task, types, edge_types)

    @classmethod
    def from_pyg(
        cls,
        data: Any,
        directed: bool | None = None,
        strict: bool = False,
        task: str | None = None,
        types: str | None = None,
        edge_types: str | None = None,
    ) -> Graph:
        """Build a graph from PyTorch Geometric ``Data``: edge_index, x, y and masks.

        Parameters
        ----------
        data
            The ``Data`` object. ``node_names`` and ``label_names``, which :meth:`to_pyg` sets,
            are used if present. Masks become `splits`, one for each of their columns.
        directed
            None: undirected exactly if ``edge_index`` holds both arcs of every edge.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.
        task
            What the labels are, as for :meth:`from_edges`.
        types
            The tensor with the types of nodes; None: ``node_type`` if there is one.
        edge_types
            The tensor with the types of edges: one column of whole numbers, or rows with a single
            one. None: ``edge_type`` if there is one, else ``edge_attr`` if it is such a tensor.
        """
        from grape_gnn.graph.convert_pyg import from_pyg

        return from_pyg(data, directed, strict, task, types, edge_types)

    @classmethod
    def from_pandas(
        cls,
        edges: Any,
        nodes: Any = None,
        *,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        directed: bool = False,
        strict: bool = False,
        task: str | None = None,
        edge_types: str | None = None,
        **columns: Any,
    ) -> Graph:
        """Build a graph from data frames of pandas or polars, or Arrow tables.

        Parameters
        ----------
        edges
            An edge a row.
        nodes
            A node a row: its name in the first column or in the index, its label and features in
            the others. A node that is in no edge is a node without edges.
        source, target
            The columns of `edges` with the two ends. None: those whose names read like
            ``source`` and ``target``, ``from`` and ``to``, ``src`` and ``dst``, or else the first
            two.
        weight
            A column of weights: an edge of weight 0 is none, all others count alike.
        directed
            Whether edges are arcs.
        strict
            Refuse self-loops and repeated edges instead of dropping them with a warning.
        task
            What the labels are, as for :meth:`from_edges`.
        edge_types
            A column of `edges` with their types, which templates can ask for.
        **columns
            About the columns of `nodes`: ``label``, ``types``, ``features``, ``categorical``,
            ``ignore`` and ``id``, as for :func:`grape_gnn.read_graph`.

        Examples
        --------
        >>> import pandas as pd
        >>> from grape_gnn.graph import Graph
        >>> friends = pd.DataFrame({"from": ["ann", "bob"], "to": ["bob", "cat"]})
        >>> people = pd.DataFrame({"age": [31, None, 45, 28]}, index=["ann", "bob", "cat", "dan"])
        >>> Graph.from_pandas(friends, people)
        Graph(nodes=4, edges=2, undirected, columns=1, named)
        """
        from grape_gnn.graph.convert_pandas import from_pandas

        return from_pandas(
            edges, nodes, source=source, target=target, weight=weight, directed=directed,
            strict=strict, task=task, edge_types=edge_types, **columns,
        )  # fmt: skip

    def to_scipy(self: Any) -> Any:
        """Return the adjacency matrix as a SciPy CSR array of int64 ones.

        Examples
        --------
        >>> from grape_gnn.graph import Graph
        >>> Graph.from_edges([0], [1], directed=True).to_scipy().toarray().tolist()
        [[0, 1], [0, 0]]
        """
        from grape_gnn.graph.convert_scipy import to_scipy

        return to_scipy(self)

    def to_networkx(self: Any) -> Any:
        """Return a networkx graph with the original names, attributes ``label``, ``features``."""
        from grape_gnn.graph.convert_networkx import to_networkx

        return to_networkx(self)

    def to_igraph(self: Any) -> Any:
        """Return an igraph graph with vertex attributes ``name``, ``label``, ``features``."""
        from grape_gnn.graph.convert_igraph import to_igraph

        return to_igraph(self)

    def to_pyg(self: Any) -> Any:
        """Return PyTorch Geometric ``Data``; an undirected edge gives two arcs, ``y`` is codes."""
        from grape_gnn.graph.convert_pyg import to_pyg

        return to_pyg(self)
