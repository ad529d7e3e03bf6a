"""`RoleFeatures`: how often every node is the ego of every template, as a transformer.

Counts have heavy tails, so they are taken on a log scale and standardised by the graph that the
transformer was fitted to; any other graph can then be brought to the same scale.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag, one_of
from grape_gnn.errors import ModelError
from grape_gnn.extras import named_extra
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.parameters import Parameters
from grape_gnn.roles.ego_sets import count_instances
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["RoleFeatures"]


class RoleFeatures(Parameters):
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
    >>> features.get_feature_names_out().tolist()
    ['edge', 'triangle']
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "all-4",
        induced: bool = False,
        scaling: bool = True,
    ) -> None:
        self.templates = templates
        self.induced = induced
        self.scaling = scaling

    def fit(self, graph: GraphLike, y: Any = None) -> RoleFeatures:
        """Learn mean and deviation of every feature.

        Parameters
        ----------
        graph
            A graph.
        y
            Not looked at; it is there for pipelines.
        """
        self._learn(self._logs(graph))
        return self

    def transform(self, graph: GraphLike) -> Any:
        """Return the features: a row for every node, as `set_output` says."""
        return self._finished(graph, self._logs(graph))

    def fit_transform(self, graph: GraphLike, y: Any = None) -> Any:
        """Learn, and return the features; the graph is counted once."""
        logs = self._logs(graph)
        self._learn(logs)
        return self._finished(graph, logs)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the templates' names, or their texts."""
        found = find_templates(self.templates)
        return np.array([template.name or template.text for template in found], dtype=object)

    def set_output(self, *, transform: str | None = None) -> RoleFeatures:
        """Choose what `transform` returns: ``"default"`` (an array) or ``"pandas"``."""
        if transform is not None:
            one_of("transform", transform, ("default", "pandas"), error=ModelError)
            # Under this name, scikit-learn's clone() takes it along.
            self._sklearn_output_config = {"transform": transform}
        return self

    def _logs(self, graph: GraphLike) -> NDArray[np.float64]:
        flag("scaling", self.scaling, error=ModelError)
        counts = count_instances(graph, find_templates(self.templates), induced=self.induced)
        logs: NDArray[np.float64] = np.log1p(counts)
        return logs

    def _learn(self, logs: NDArray[np.float64]) -> None:
        if len(logs) == 0:
            raise ModelError("RoleFeatures cannot be fitted to a graph without nodes")
        width = logs.shape[1]
        self.mean_ = logs.mean(axis=0) if self.scaling else np.zeros(width)
        deviation = logs.std(axis=0) if self.scaling else np.ones(width)
        # What rounding leaves of equal numbers is no deviation.
        same = deviation <= 1e-12 * np.maximum(1.0, np.abs(self.mean_))
        self.scale_ = np.where(same, 1.0, deviation)

    def _finished(self, graph: GraphLike, logs: NDArray[np.float64]) -> Any:
        if not hasattr(self, "mean_"):
            raise ModelError("this RoleFeatures is not fitted yet: call fit(graph) first")
        features = (logs - self.mean_) / self.scale_
        if getattr(self, "_sklearn_output_config", {}).get("transform") != "pandas":
            return features
        with named_extra():
            import pandas as pd

        whole = as_graph(graph)
        names = [whole.name_of(v) for v in range(whole.num_nodes)]
        return pd.DataFrame(features, index=names, columns=self.get_feature_names_out())
