"""`RoleEmbedding`: nodes as points of a space in which alike parts lie close, wherever they are.

The features f_0, f_1, ... of `RoleFeatures` (a node's profile, and means of it by role) are
standardised and weighted, ``decay**h`` for hop h, so that every hop as a whole counts like the
profile times that. The leading right singular vectors of this matrix span the space.

Nothing of this knows a node's name or number: nodes that a symmetry of the graph maps on each
other have the same place, and so have the nodes of an isomorphic copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import number, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.roles.role_features import RoleFeatures
from grape_gnn.template import Template
from grape_gnn.transformer import Transformer

__all__ = ["RoleEmbedding"]

_Floats = NDArray[np.float64]
_Templates = str | Template | Iterable[str | Template]


class RoleEmbedding(Transformer):
    """Embed the nodes of a graph by the parts they play, without labels.

    It works as scikit-learn's transformers do, with a graph in the place of a table; what was
    fitted to one graph brings any other into the same space.

    Parameters
    ----------
    templates
        Templates that make up a node's profile.
    hops
        How often means are taken over those who play a role for a node; see `RoleFeatures`.
    means
        Templates whose roles the means are taken over.
    decay
        What a hop counts, compared with the one before it.
    dimensions
        Number of dimensions, at most; fewer if all nodes lie in fewer.

    Attributes
    ----------
    components_ : numpy.ndarray
        What every feature adds to every dimension, shape (features, dimensions).
    explained_ : numpy.ndarray
        Share of the variance in every dimension, falling.
    features_ : RoleFeatures
        The features, fitted.

    Examples
    --------
    The two ends of a path are alike, and so are the two nodes next to them.

    >>> from grape_gnn.graph import Graph
    >>> path = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4])
    >>> places = RoleEmbedding(dimensions=2).fit_transform(path)
    >>> bool(np.allclose(places[[0, 1]], places[[4, 3]]))
    True
    """

    def __init__(
        self,
        templates: _Templates = "all-4",
        hops: int = 2,
        means: _Templates = "edge,3-path,triangle",
        decay: float = 0.5,
        dimensions: int = 16,
    ) -> None:
        self.templates = templates
        self.hops = hops
        self.means = means
        self.decay = decay
        self.dimensions = dimensions

    def fit(self, graph: GraphLike, y: Any = None) -> RoleEmbedding:
        """Find the space.

        Parameters
        ----------
        graph
            A graph.
        y
            Not looked at; it is there for pipelines.
        """
        self.fit_transform(graph)
        return self

    def fit_transform(self, graph: GraphLike, y: Any = None) -> Any:
        """Find the space, and return the nodes' places in it; the graph is counted once."""
        wanted = whole_number("dimensions", self.dimensions, 1, error=ModelError)
        number("decay", self.decay, above=0, error=ModelError)
        graph = as_graph(graph)
        if graph.num_nodes == 0:
            raise ModelError("there are no roles to find in a graph without nodes")
        self.features_ = RoleFeatures(self.templates, hops=self.hops, means=self.means)
        features = self.features_.fit_transform(graph)
        hops = self.features_.feature_hops()
        # All features of a hop together count `decay` times those of the one before.
        weights = self.decay**hops / np.sqrt(np.bincount(hops)[hops] / np.bincount(hops)[0])
        # Of the symmetric square, because a graph has many more nodes than features.
        square = weights[:, None] * (features.T @ features) * weights
        variances, axes = np.linalg.eigh(square)
        largest_first = np.argsort(-variances, kind="stable")
        there = variances[largest_first] > 1e-12 * max(float(variances[-1]), 1e-12)
        kept = largest_first[there][:wanted]
        self.components_ = weights[:, None] * _signed(axes[:, kept])
        self.explained_ = variances[kept] / max(float(variances.sum()), 1e-300)
        return self._placed(graph, features)

    def transform(self, graph: GraphLike) -> Any:
        """Return the places of a graph's nodes, a row for every node, as `set_output` says."""
        self.check_fitted("components_")
        graph = as_graph(graph)
        return self._placed(graph, self.features_.transform(graph))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the dimensions."""
        self.check_fitted("components_")
        names = [f"dimension {k}" for k in range(1, self.components_.shape[1] + 1)]
        return np.array(names, dtype=object)

    def _placed(self, graph: Any, features: _Floats) -> Any:
        rows = range(graph.num_nodes) if graph.names is None else graph.names
        return self.output(features @ self.components_, list(rows))


def _signed(axes: _Floats) -> _Floats:
    """Turn every axis so that its largest entry is positive; of equal ones, the first."""
    sizes = np.abs(axes)
    leading = (sizes >= (1 - 1e-6) * sizes.max(axis=0, initial=0.0)).argmax(axis=0)
    signs = np.sign(axes[leading, np.arange(axes.shape[1])])
    turned: _Floats = axes * np.where(signs == 0, 1.0, signs)
    return turned
