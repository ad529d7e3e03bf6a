"""`GrapeClassifier`: GRAPE behind scikit-learn's fit, predict and score, for classes and labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.estimator.base import GrapeEstimator
from grape_gnn.estimator.fitted import ClassAnswers
from grape_gnn.estimator.known_labels import target_codes
from grape_gnn.estimator.target import refuse_numbers
from grape_gnn.graph import Graph
from grape_gnn.graph.targets import labelled_nodes
from grape_gnn.training import all_figures

__all__ = ["GrapeClassifier"]


class GrapeClassifier(ClassAnswers, GrapeEstimator):
    """Classify the nodes of a graph by GRAPE: one class each, or several labels.

    Templates are matched **non-induced**: further edges between matched nodes do not matter. The
    roles of the last two graphs are kept, so that `predict` after `fit` does not match again.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set. None: ``"social"``, for directed graphs
        ``"ecommerce"``.
    preset
        ``"default"``, ``"paper"``, ``"released"`` or ``"decoupled"``; see `grape_gnn.nn.presets`.
    graph
        For scikit-learn's tools: the graph, given once. The samples ``X`` are then node numbers.
    edge_only
        Leave out all templates but the edges; ``"auto"``: train without and with that and keep what
        validates better, for what the others add does not help on every graph. None: ``"auto"`` if
        no templates are given, else False. Presets other than ``"default"`` have no ``"auto"``.
    hidden, layers, dropout
        Width, depth and dropout of the network.
    label_inputs
        Give the network training labels besides the features: it then counts, role by role, the
        labels around a node. Worth trying where labels cluster and features say little; see
        `grape_gnn.training.LabelInputs`.
    learning_rate, weight_decay, epochs, patience
        The training protocol; see `grape_gnn.training.TrainSettings`.
    class_weight
        ``"balanced"``: every class has the same weight in the loss, however few nodes it has. Or
        weights by label, such as ``{"fraud": 10}``; a class that is not named has 1.
    batch_size
        Nodes of a mini-batch in training; None: all at once. ``"auto"``: all at once if that fits
        into memory, else 1024 with a sample of the members, and a warning says so. The preset
        ``"decoupled"`` has batches always: as many nodes as fit into 64 MB if this says nothing.
    sample_neighbours
        In mini-batches, members per role and ego, drawn anew for every batch so that sums and means
        are right on average; None: all, which in a graph with hubs is soon everybody.
    products
        For the preset ``"decoupled"``: folder of `grape_gnn.precompute`; computed into it if it is
        not there. None: products are kept in memory, or in a temporary folder if they are large.
    metric
        What chooses the epoch, and in `tune` the settings: a name of `grape_gnn.training.METRICS`.
        None: the accuracy; the area under the ROC curve if one of two classes has fewer than 30%
        of the training nodes; micro F1 for several labels.
    min_epochs
        Epochs before early stopping may end the training. None: 200 if all nodes have the same
        features (learning takes off late then) or the preset says so, else 0.
    split
        Which of the splits that come with the graph is used, from 0; ``"random"``: none.
    scaling
        Whether to scale numeric features by their training values; see `grape_gnn.NodeEncoder`.
        None: the columns of a node table are scaled, a matrix of features is taken as it is.
    engine
        Matching engine, as for `grape_gnn.match`.
    device
        ``"cpu"``, ``"cuda"``, ...
    seed
        Seed of the split, the weights and dropout: the same seed gives the same result, for a
        fixed number of torch threads.

    Attributes
    ----------
    classes_ : array
        The labels, in the order of the columns of `predict_proba`.
    history_ : History
        Loss and validation score of every epoch.
    split_ : Split
        Training, validation and test nodes; kept in the model file.
    encoder_ : NodeEncoder or None
        What makes features of the columns of a node table; None: features are taken as they are.
    metric_ : str
        What chose the epoch.
    trials_ : tuple of Trial
        What `tune` tried, or ``edge_only="auto"``.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> src, dst = zip(*[(i, (i + k) % 30) for i in range(30) for k in (1, 2)])
    >>> g = grape.Graph.from_edges(src, dst, y=["left", "right"] * 15)
    >>> clf = grape.GrapeClassifier(templates="edge", epochs=3, seed=0).fit(g)
    >>> clf.predict(g).shape, clf.predict_proba(g).shape
    ((30,), (30, 2))
    """

    def _target(self, graph: Graph) -> Graph:
        return refuse_numbers(graph)

    def predict_proba(self, graph: Any, known: Any = None) -> NDArray[np.float32]:
        """Return the probability of every class for every node, shape (nodes, classes).

        Parameters
        ----------
        graph
            The graph of `fit`, or another one with the same kind of features; node numbers if the
            constructor was given a graph.
        known
            With `label_inputs`, mask or list of the nodes whose labels the network may see. None:
            the training nodes of the graph of `fit`; on another graph none.

        Returns
        -------
        array
            The rows add up to 1. With several labels per node every entry is for itself.
        """
        return self._probabilities(self.outputs(graph, known))

    def predict(self, graph: Any, known: Any = None) -> NDArray[Any]:
        """Return the most likely label of every node, as the training labels were given.

        With several labels per node: zeros and ones, a column for each of `classes_`.
        """
        return self._most_likely(self.predict_proba(graph, known))

    def score(self, graph: Any, y: Any = None, *, mask: Any = None) -> float:
        """Return the accuracy: the share of the nodes predicted right, with all their labels.

        Parameters
        ----------
        graph
            A labelled graph; node numbers if the constructor was given a graph.
        y
            Labels of these nodes, or of all nodes of the graph; None: those that the graph has.
        mask
            Which nodes of a graph. None: of the graph of `fit` the test nodes; of another one all,
            and a warning says so.
        """
        return self._accuracy(*self._scored(graph, y, mask))

    def figures(self, graph: Any, y: Any = None, *, mask: Any = None) -> dict[str, float | None]:
        """Return all metrics by name; the arguments are those of `score`.

        Labels that the model has never seen are left out of all but the accuracy.
        """
        outputs, wanted = self._scored(graph, y, mask)
        known = labelled_nodes(wanted)
        found = all_figures(outputs[known], wanted[known]) if known.any() else {}
        if self.task_ == "classification":
            found["accuracy"] = float((outputs.argmax(axis=1) == wanted).mean())
        return found

    def _coded(self, y: Any) -> NDArray[Any]:
        if self.task_ == "multi-label":
            return np.asarray(y)
        code_of = {label: code for code, label in enumerate(self.labels_)}
        return np.array([code_of.get(label, -1) for label in np.asarray(y).ravel().tolist()])

    def codes(self, graph: Graph) -> NDArray[Any]:
        """Return a graph's labels as codes, or zeros and ones, of `classes_`; -1: none of them."""
        return target_codes(refuse_numbers(graph), self.labels_, self.task_)
