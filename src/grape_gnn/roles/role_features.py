"""`RoleFeatures`: how often every node is the ego of every template, as a transformer.

    f_0(v) = log(1 + instances of every template with ego v)
    f_h(v) = for every role of a few templates, the mean of f_(h-1) over those who play it for v

Counts have heavy tails, so they are taken on a log scale; all is standardised by the graph that
the transformer was fitted to, and any other graph can then be brought to the same scale.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag, whole_number
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.roles.ego_sets import count_instances
from grape_gnn.roles.match import match
from grape_gnn.roles.together import multiply_arrays
from grape_gnn.template import Template
from grape_gnn.template.titles import title_of
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.transformer import Transformer

__all__ = ["RoleFeatures"]

_Floats = NDArray[np.float64]
_Templates = str | Template | Iterable[str | Template]


class RoleFeatures(Transformer):
    """Make features of a graph's nodes: logarithms of instances per ego, standardised.

    It works as scikit-learn's transformers do, with a graph in the place of a table; rows are
    nodes in the order of the graph.

    Parameters
    ----------
    templates
        Templates, their names, or a set such as ``"all-4"`` or ``"all-5"``.
    induced
        Count induced instances only.
    scaling
        Whether to standardise by mean and deviation of the graph of `fit`.
    hops
        How often to take means over those who play a role: 1 adds the means of a node's own
        features by role, 2 also the means of these.
    means
        Templates whose roles, the ego's left out, the means are taken over.

    Attributes
    ----------
    mean_, scale_ : numpy.ndarray
        What is subtracted from every feature, and what it is divided by.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> features = RoleFeatures("edge,triangle")
    >>> print(features.fit_transform(g).round(1))
    [[ 0.1  0.6]
     [ 0.1  0.6]
     [ 1.3  0.6]
     [-1.5 -1.7]]
    >>> RoleFeatures("edge,triangle", hops=1, means="edge").get_feature_names_out().tolist()
    ['edge', 'triangle', 'edge of edge (1)', 'triangle of edge (1)']
    """

    def __init__(
        self,
        templates: _Templates = "all-4",
        induced: bool = False,
        scaling: bool = True,
        hops: int = 0,
        means: _Templates = "edge,3-path,triangle",
    ) -> None:
        self.templates = templates
        self.induced = induced
        self.scaling = scaling
        self.hops = hops
        self.means = means

    def fit(self, graph: GraphLike, y: Any = None) -> RoleFeatures:
        """Learn mean and deviation of every feature.

        Parameters
        ----------
        graph
            A graph.
        y
            Not looked at; it is there for pipelines.
        """
        self._learn(self._raw(as_graph(graph)))
        return self

    def transform(self, graph: GraphLike) -> Any:
        """Return the features: a row for every node, as `set_output` says."""
        graph = as_graph(graph)
        return self._finished(graph, self._raw(graph))

    def fit_transform(self, graph: GraphLike, y: Any = None) -> Any:
        """Learn, and return the features; the graph is counted once."""
        graph = as_graph(graph)
        raw = self._raw(graph)
        self._learn(raw)
        return self._finished(graph, raw)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the templates' names, or their texts; of a mean also the role it is taken over."""
        names = [title_of(template) for template in find_templates(self.templates)]
        roles = [
            f"{title_of(template)} ({role})"
            for template in find_templates(self.means)
            for role in range(1, len(template.roles))
        ]
        found = last = names
        for _ in range(self.hops):
            last = [f"{name} of {role}" for role in roles for name in last]
            found = found + last
        return np.array(found, dtype=object)

    def feature_hops(self) -> NDArray[np.int64]:
        """Return for every feature how often means were taken: 0 for the templates themselves."""
        width = len(find_templates(self.templates))
        roles = sum(len(template.roles) - 1 for template in find_templates(self.means))
        hops = np.arange(self.hops + 1)
        return np.repeat(hops, width * roles**hops)

    def _raw(self, graph: Graph) -> _Floats:
        """Return the features before they are standardised."""
        flag("scaling", self.scaling, error=ModelError)
        hops = whole_number("hops", self.hops, 0, 3, error=ModelError)
        for name in ("templates", "means") if hops else ("templates",):
            if not find_templates(getattr(self, name)):
                raise ModelError(
                    f"{name}={getattr(self, name)!r} has no template: name one at least"
                )
        counts = count_instances(graph, find_templates(self.templates), induced=self.induced)
        found = [np.log1p(counts)]
        if hops:
            roles = [role for one in match(graph, find_templates(self.means)) for role in one[1:]]
            # Where nobody plays a role, there is nothing to divide, and the mean is zero.
            sizes = [np.maximum(role.row_sums(), 1)[:, None] for role in roles]
        for _ in range(hops):
            sums = multiply_arrays(roles, found[-1])
            found.append(np.hstack([a / size for a, size in zip(sums, sizes, strict=True)]))
        return np.hstack(found)

    def _learn(self, raw: _Floats) -> None:
        if len(raw) == 0:
            raise ModelError("RoleFeatures cannot be fitted to a graph without nodes")
        width = raw.shape[1]
        self.mean_ = raw.mean(axis=0) if self.scaling else np.zeros(width)
        deviation = raw.std(axis=0) if self.scaling else np.ones(width)
        # What rounding leaves of equal numbers is no deviation.
        same = deviation <= 1e-9 * np.maximum(1.0, np.abs(self.mean_))
        self.scale_ = np.where(same, 1.0, deviation)

    def _finished(self, graph: Graph, raw: _Floats) -> Any:
        self.check_fitted("mean_")
        rows = range(graph.num_nodes) if graph.names is None else graph.names
        return self.output((raw - self.mean_) / self.scale_, list(rows))
