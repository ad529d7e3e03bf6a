"""`GrapeGraphClassifier` and `GrapeGraphRegressor`: one answer per graph."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.fitted import ClassAnswers, NumberAnswers
from grape_gnn.estimator.graph_base import GraphEstimator
from grape_gnn.estimator.known_labels import target_codes
from grape_gnn.estimator.target import as_numbers
from grape_gnn.graphs import GraphSet

__all__ = ["GrapeGraphClassifier", "GrapeGraphRegressor"]


class GrapeGraphClassifier(ClassAnswers, GraphEstimator):
    """Classify graphs by GRAPE: one class each, or several labels.

    Templates are matched **non-induced**, on all graphs at once. The types of nodes and edges are
    inputs besides the features: a node's type is one-hot, and every role next to an ego has a map
    of its own for every type of edge that leads there, and for every feature of the edge, whose
    numbers weigh the members.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"molecule"``.
    preset
        ``"default"``, ``"paper"`` or ``"released"``; see `grape_gnn.nn.presets`.
    pooling
        How nodes make up their graph: ``"sum"``, ``"mean"``, ``"max"``, ``"attention"``, or several
        separated by commas. None: ``"sum,mean"``; for numbers, which go with sizes and counts,
        ``"sum"``.
    totals
        Give the logarithms of the totals of all roles as inputs, as they are and standardised.
    both
        Give every role by its counts and by its sets; together they tell more graphs apart than
        either.
    pair_layer
        Refine the role counts of all pairs of nodes besides (`grape_gnn.nn.PairLayer`): it sees
        what message passing cannot, in graphs of up to 200 nodes. Larger ones have no such part,
        and a warning says so.
    hidden, layers, dropout
        Width, depth and dropout of the network.
    learning_rate, weight_decay, epochs, patience, min_epochs
        The training protocol; see `grape_gnn.training.TrainSettings`.
    class_weight
        ``"balanced"``, or weights by label.
    batch_size
        Graphs of a batch. What is predicted for a graph does not depend on its batch.
    metric
        What chooses the epoch: a name of `grape_gnn.training.METRICS`. None: as for
        `grape_gnn.GrapeClassifier`.
    engine
        Matching engine, as for `grape_gnn.match`.
    match_time
        Time for matching the training's graphs, such as ``"1m"``: templates that do not fit are
        left out, the largest ones first, and a warning names them. None: all are matched.
    device
        ``"cpu"``, ``"cuda"``, ...
    seed
        Seed of the split, the weights, dropout and the order of the batches: the same seed gives
        the same result, for a fixed number of torch threads.

    Attributes
    ----------
    classes_ : array
        The labels, in the order of the columns of `predict_proba`.
    history_ : History
        Loss and validation score of every epoch.
    split_ : Split
        Training, validation and test graphs; kept in the model file.
    skipped_ : tuple of Template
        What `match_time` was too short for.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> rings = [nx.cycle_graph(n) for n in range(4, 24)]
    >>> trees = [nx.path_graph(n) for n in range(4, 24)]
    >>> graphs = grape.GraphSet.of(rings + trees, y=["ring"] * 20 + ["tree"] * 20)
    >>> model = grape.GrapeGraphClassifier("edge,3-path", epochs=20, seed=0).fit(graphs)
    >>> model.predict([nx.path_graph(30)]).tolist(), model.score(graphs)
    (['tree'], 1.0)
    """

    usual_pooling = "sum,mean"

    def _target(self, graphs: GraphSet) -> GraphSet:
        if graphs.task == "regression":
            raise ModelError(
                "the targets are numbers: use GrapeGraphRegressor, or make the set with "
                "task='classification' if they are the names of classes"
            )
        return graphs

    def predict_proba(self, graphs: Any) -> NDArray[np.float32]:
        """Return the probability of every class for every graph, shape (graphs, classes).

        The rows add up to 1. With several labels per graph every entry is for itself.
        """
        return self._probabilities(self.outputs(graphs))

    def predict(self, graphs: Any) -> NDArray[Any]:
        """Return the most likely label of every graph; zeros and ones if there are several."""
        return self._most_likely(self.predict_proba(graphs))

    def score(self, graphs: Any, y: Any = None, *, mask: Any = None) -> float:
        """Return the accuracy: the share of the graphs predicted right, with all their labels.

        Parameters
        ----------
        graphs
            The set of `fit`, of which the test graphs are scored, or another one.
        y
            Targets of the graphs; None: those of the set.
        mask
            Which graphs.
        """
        return self._accuracy(*self.scored(self._with(graphs, y), mask))

    def codes(self, graphs: GraphSet) -> NDArray[Any]:
        """Return the targets as codes, or zeros and ones, of `classes_`; -1: none of them."""
        return target_codes(cast(Any, self._target(graphs)), self.labels_, self.task_)


class GrapeGraphRegressor(NumberAnswers, GraphEstimator):
    """Predict a number for every graph by GRAPE.

    The parameters are those of `GrapeGraphClassifier`; `metric` is ``"rmse"`` (the default),
    ``"mae"`` or ``"r2"``, and `class_weight` does not apply. Numbers are standardised inside.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> trees = [nx.random_labeled_tree(n % 9 + 3, seed=n) for n in range(60)]
    >>> graphs = grape.GraphSet.of(trees, y=[tree.number_of_edges() + 0.5 for tree in trees])
    >>> model = grape.GrapeGraphRegressor("edge", epochs=60, seed=0).fit(graphs)
    >>> model.score(graphs) > 0.9
    True
    """

    usual_pooling = "sum"

    def _target(self, graphs: GraphSet) -> GraphSet:
        return cast(GraphSet, as_numbers(cast(Any, graphs), "GrapeGraphClassifier"))

    def predict(self, graphs: Any) -> NDArray[np.float64]:
        """Return a number for every graph, in the units of the training targets."""
        return self.outputs(graphs)

    def score(self, graphs: Any, y: Any = None, *, mask: Any = None) -> float:
        """Return R2, the share of the variance that is explained; the mean alone gets 0."""
        return self._explained(*self.scored(self._with(graphs, y), mask))

    def codes(self, graphs: GraphSet) -> NDArray[np.float64]:
        """Return the targets as numbers."""
        return np.asarray(self._target(graphs).y, np.float64)
