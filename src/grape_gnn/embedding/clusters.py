"""`RoleClusters`: nodes in groups that play alike parts, and what sets every group apart."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import whole_number
from grape_gnn.embedding.embedding import RoleEmbedding
from grape_gnn.embedding.kmeans import best_groups, group, nearest
from grape_gnn.embedding.reasons import Mark, marks_of
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.parameters import Parameters

__all__ = ["RoleClusters"]


class RoleClusters(Parameters):
    """Group the nodes of a graph by the parts they play, without labels.

    Parameters
    ----------
    clusters
        Number of clusters; None: the one with the largest silhouette.
    most
        Clusters that are tried, at most, if no number is given.
    embedding
        How to embed the nodes; None: ``RoleEmbedding()``.
    seed
        Seed of the centres that k-means starts from.

    Attributes
    ----------
    labels_ : numpy.ndarray
        The cluster of every node; 0 is the largest.
    silhouettes_ : dict of int to float
        For every number of clusters that was tried how well they are apart, 1 at best.
    graph_ : Graph
        The graph they were found in.
    places_ : numpy.ndarray
        Its nodes in the space of the embedding.

    Examples
    --------
    >>> import networkx as nx
    >>> found = RoleClusters().fit(nx.star_graph(5))
    >>> found.labels_.tolist()
    [1, 0, 0, 0, 0, 0]
    >>> [str(mark) for mark in found.marks(1)]
    ['edge 5 (others 1)']
    >>> found.predict(nx.star_graph(4)).tolist()
    [1, 0, 0, 0, 0]
    """

    def __init__(
        self,
        clusters: int | None = None,
        most: int = 10,
        embedding: RoleEmbedding | None = None,
        seed: int = 0,
    ) -> None:
        self.clusters = clusters
        self.most = most
        self.embedding = embedding
        self.seed = seed

    def fit(self, graph: GraphLike, y: Any = None) -> RoleClusters:
        """Find the clusters of a graph.

        Parameters
        ----------
        graph
            A graph.
        y
            Not looked at; it is there for pipelines.
        """
        most = whole_number("most", self.most, 2, error=ModelError)
        seed = whole_number("seed", self.seed, error=ModelError)
        if self.clusters is not None:
            whole_number("clusters", self.clusters, 1, error=ModelError)
        vars(self).pop("_logs", None)
        self.graph_: Graph = as_graph(graph)
        given = RoleEmbedding() if self.embedding is None else self.embedding
        self.embedding_ = RoleEmbedding(**given.get_params())
        self.places_: NDArray[np.float64] = self.embedding_.fit_transform(self.graph_)
        self.silhouettes_: dict[int, float] = {}
        if self.clusters is None:
            found, self.silhouettes_ = best_groups(self.places_, most, seed)
        else:
            found = group(self.places_, self.clusters, seed)
        self.labels_, self.centres_ = found.labels, found.centres
        self.silhouette_ = found.silhouette
        return self

    def fit_predict(self, graph: GraphLike, y: Any = None) -> NDArray[np.int64]:
        """Find the clusters, and return that of every node."""
        return self.fit(graph).labels_

    def predict(self, graph: GraphLike) -> NDArray[np.int64]:
        """Return the nearest cluster for every node of a graph, the one of `fit` or another."""
        self._check_fitted()
        return nearest(np.asarray(self.embedding_.transform(graph)), self.centres_)[0]

    def marks(self, cluster: int, most: int = 3) -> list[Mark]:
        """Return what sets a cluster apart from all other nodes, the clearest first."""
        self._check_fitted()
        whole_number("cluster", cluster, 0, len(self.centres_) - 1, error=ModelError)
        features = self.embedding_.features_
        names, hops = features.get_feature_names_out().tolist(), features.feature_hops()
        inside = self.labels_ == cluster
        return marks_of(inside, self._logs, features.scale_, names, hops, most)

    @cached_property
    def _logs(self) -> NDArray[np.float64]:
        """The features as they were before they were standardised."""
        features = self.embedding_.features_
        logs: NDArray[np.float64] = features.transform(self.graph_)
        logs *= features.scale_
        logs += features.mean_
        return logs

    def typical(self, cluster: int) -> str | int:
        """Return the name of the node that is nearest to a cluster's centre."""
        self._check_fitted()
        whole_number("cluster", cluster, 0, len(self.centres_) - 1, error=ModelError)
        members = np.flatnonzero(self.labels_ == cluster)
        apart = ((self.places_[members] - self.centres_[cluster]) ** 2).sum(axis=1)
        return self.graph_.name_of(int(members[apart.round(9).argmin()]))

    def svg(self) -> str:
        """Draw the graph in the colours of the clusters, or the map of a large one."""
        from grape_gnn.embedding.figure import clusters_figure

        self._check_fitted()
        return clusters_figure(self.graph_, self.labels_, self.places_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "labels_"):
            raise ModelError("these RoleClusters are not fitted yet: call fit(graph) first")
