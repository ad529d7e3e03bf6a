"""`GrapeRegressor`: GRAPE behind scikit-learn's fit, predict and score, for numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.estimator.base import GrapeEstimator
from grape_gnn.estimator.fitted import NumberAnswers
from grape_gnn.estimator.target import as_numbers
from grape_gnn.graph import Graph
from grape_gnn.training import all_figures

__all__ = ["GrapeRegressor"]


class GrapeRegressor(NumberAnswers, GrapeEstimator):
    """Predict a number for every node of a graph by GRAPE.

    The numbers are standardised by those of the training nodes inside, and given back in their
    units. Parameters, `fit`, `tune`, `save` and `load` are those of `GrapeClassifier`; `metric` is
    ``"rmse"`` (the default), ``"mae"`` or ``"r2"``, and `class_weight` does not apply.

    Attributes
    ----------
    history_ : History
        Loss and validation score of every epoch; errors are negative, the higher the better.
    split_ : Split
        Training, validation and test nodes; kept in the model file.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> src, dst = zip(*[(i, j) for i in range(1, 40) for j in {i // 2, i // 3} if j != i])
    >>> g = grape.Graph.from_edges(src, dst)
    >>> g = grape.Graph.from_edges(src, dst, y=1000.5 + 10 * g.degrees)
    >>> model = grape.GrapeRegressor(templates="edge", epochs=60, seed=0).fit(g)
    >>> model.predict(g).shape, sorted(model.figures(g))
    ((40,), ['mae', 'r2', 'rmse'])
    """

    _task = "regression"

    def _target(self, graph: Graph) -> Graph:
        return as_numbers(graph)

    def predict(self, graph: Any, known: Any = None) -> NDArray[np.float64]:
        """Return a number for every node, in the units of the training labels.

        Parameters
        ----------
        graph, known
            As for `GrapeClassifier.predict_proba`.
        """
        return self.outputs(graph, known)

    def score(self, graph: Any, y: Any = None, *, mask: Any = None) -> float:
        """Return R2, the share of the variance that is explained; the mean alone gets 0.

        Parameters
        ----------
        graph, y, mask
            As for `GrapeClassifier.score`.
        """
        return self._explained(*self._scored(graph, y, mask))

    def figures(self, graph: Any, y: Any = None, *, mask: Any = None) -> dict[str, float | None]:
        """Return all metrics by name; the arguments are those of `score`."""
        return all_figures(*self._scored(graph, y, mask))

    def codes(self, graph: Graph) -> NDArray[np.float64]:
        """Return a graph's labels as numbers."""
        return np.asarray(as_numbers(graph).y, np.float64)

    def _coded(self, y: Any) -> NDArray[Any]:
        return np.asarray(y, np.float64)
