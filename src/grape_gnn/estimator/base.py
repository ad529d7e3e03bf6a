"""What `GrapeClassifier` and `GrapeRegressor` share: fitting GRAPE to a graph, and its file."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.batch_size import (
    Needs,
    choose_batches,
    needs_of_graph,
    needs_of_roles,
)
from grape_gnn.estimator.collapse import warn_of_one_answer
from grape_gnn.estimator.edge_choice import fit_better, is_choice
from grape_gnn.estimator.files import load_estimator, save_estimator
from grape_gnn.estimator.input import check_network, feature_array, fit_encoder, report_empty
from grape_gnn.estimator.known_labels import KnownLabels
from grape_gnn.estimator.method import Grape, edges_of
from grape_gnn.estimator.methods import occurring
from grape_gnn.estimator.target import (
    VALIDATION,
    check_labels,
    check_parts,
    choose_split,
    class_weights,
    metric_for,
    num_outputs,
    with_labels,
)
from grape_gnn.estimator.trained import TrainedModel
from grape_gnn.estimator.tuning import try_settings
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import Features, stored_columns
from grape_gnn.graph.targets import hide_labels
from grape_gnn.planning.training import Network
from grape_gnn.progress import report
from grape_gnn.roles import RoleMatches
from grape_gnn.template.sets import default_set
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import (
    History,
    Split,
    check_metric,
    is_constant,
    processes,
    random_split,
)

with named_extra():
    import torch

__all__ = ["GrapeEstimator"]

E = TypeVar("E", bound="GrapeEstimator")

# What the comparison tunes, and the estimator is told.
_POINT = (
    "hidden", "layers", "dropout", "label_inputs", "learning_rate", "weight_decay", "min_epochs",
)  # fmt: skip
TRAINED = 30  # epochs; who asks for fewer is trying things out


class GrapeEstimator(TrainedModel):
    """Everything but what is predicted; see `GrapeClassifier` for the parameters."""

    _task: ClassVar[str | None] = None  # of labels that are given besides a graph
    _shares: int | None = None  # of every batch, if another number of processes began the training

    # -------------------------------------------------------------- fitting

    def fit(
        self: E,
        graph: Any,
        y: Any = None,
        *,
        train_mask: Any = None,
        val_mask: Any = None,
        roles: RoleMatches | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, History], None] | None = None,
    ) -> E:
        """Train on a graph.

        Parameters
        ----------
        graph
            A `Graph` with labels, or PyG ``Data``. Nodes whose label is missing take no part in
            training and scoring, but their edges and features do. If the constructor was given a
            graph: numbers of the nodes to train on, of which a quarter validates.
        y
            Labels of the nodes; None: those of the graph.
        train_mask, val_mask
            Boolean masks or lists of nodes. Without them the split that comes with the graph
            (masks of PyG ``Data``, a column of the node table), or else a random 60/20/20 split by
            the seed.
        roles
            What `match` found for the same templates on the same graph, with the weighting of
            the preset; None: they are matched now.
        checkpoint
            File for interrupted trainings: if it is there, training goes on from it.
        progress
            Called after every epoch with the number of epochs and the history.

        Returns
        -------
        GrapeClassifier or GrapeRegressor
            Itself.
        """
        if is_choice(self):
            options = {"train_mask": train_mask, "val_mask": val_mask, "progress": progress}
            fit_better(self, graph, y, roles=roles, checkpoint=checkpoint, options=options)
            return self
        whole, nodes = self._asked(graph)
        check_network(
            self.hidden, self.layers, self.dropout, self.label_inputs, self.device, self.seed
        )
        meant = whole if nodes is None else nodes  # converted once
        data, self.split_ = self.split_for(meant, train_mask, val_mask, y)
        labels = check_labels(data)
        check_parts(labels, self.split_)
        given = default_set(whole.directed) if self.templates is None else self.templates
        self.templates_ = tuple(find_templates(given))
        if self.edge_only and self.edge_only != "auto":
            self.templates_ = edges_of(self.templates_)
        method = self._method()
        self.metric_ = self.metric or metric_for(labels, self.split_)
        check_metric(self.metric_, data.task)
        ends = isinstance(method, Grape) and method.preset.head == 0
        if ends and data.task != "classification":
            raise ModelError(
                f"the preset {self.preset!r} computes no negative numbers, which {data.task} "
                f"needs: use 'default' or 'paper'"
            )
        self.encoder_ = fit_encoder(data, self.split_.train, self.scaling)
        x = feature_array(data, self.encoder_, self.split_.train)
        self.__dict__.pop("_network", None)  # of an earlier training
        sizes = Network(stored_columns(x), self.hidden, self.layers)

        def needs(enough: float) -> Needs:
            if roles is None or not isinstance(method, Grape):
                return needs_of_graph(whole, method, sizes, enough)
            return needs_of_roles(self._roles(method, whole, roles), sizes)

        chosen = choose_batches(self.batch_size, self.sample_neighbours, needs, checkpoint)
        prepared = self._prepared(whole, x, roles)
        together = processes(torch.device(self.device))
        self.batch_size_, self.sample_neighbours_ = together.from_first(chosen)
        settings = method.settings(
            is_constant(x),
            {
                **{name: getattr(self, name) for name in _POINT},
                "class_weight": class_weights(self.class_weight, data),
                "batch_size": self.batch_size_,
                "sample_neighbours": self.sample_neighbours_,
            },
            epochs=self.epochs,
            patience=self.patience,
            seed=self.seed,
            metric=self.metric_,
        )
        report_empty(self.templates_, occurring(prepared))
        self.task_ = str(data.task)
        self.labels_ = data.label_names or ()
        self._directed = data.directed
        self._trained_on = checksum(data)
        self._known = None
        if self.label_inputs:
            self._known = KnownLabels.of(data, hide_labels(labels, self.split_.train))
        report("first epoch")
        network, batches, self.history_ = method.train(
            prepared,
            torch.from_numpy(labels.copy()).to(self.device),
            torch.from_numpy(self.split_.train).to(self.device),
            torch.from_numpy(self.split_.validation).to(self.device),
            num_outputs(data),
            settings,
            checkpoint=checkpoint,
            identity=self._identity(data, x),
            progress=progress,
            shares=self._shares,
        )
        self._take(network)
        if len(self.history_.epochs) >= TRAINED:
            everyone = torch.arange(data.num_nodes, device=self.device)
            warn_of_one_answer(self.outputs_of(batches, everyone), labels, self.split_, x)
        return self

    def tune(self: E, graph: Any, time: str | float | None = "10m", **options: Any) -> E:
        """Choose settings by the validation score, take them over, and train.

        Parameters
        ----------
        graph
            As for `fit`.
        time
            Time for the trials; None: until no step helps. One more training comes after them.
        **options
            Of `grape_gnn.estimator.tuning.try_settings`.

        Returns
        -------
        GrapeClassifier or GrapeRegressor
            Itself, fitted with the best settings; `trials_` has all trials.

        Examples
        --------
        >>> import grape_gnn as grape
        >>> g = grape.datasets.load("planted-roles", num_shapes=9)
        >>> clf = grape.GrapeClassifier("edge,triangle", epochs=3)
        >>> len(clf.tune(g, None, settings=["label_inputs"]).trials_)
        2
        """
        trials = try_settings(self, graph, time, **options)
        masks = {name: options.get(name) for name in ("train_mask", "val_mask")}
        self.fit(graph, **masks, progress=options.get("progress"))
        self.trials_ = trials
        return self

    def split_for(
        self, graph: Any, train_mask: Any = None, val_mask: Any = None, y: Any = None
    ) -> tuple[Graph, Split]:
        """Return the graph with the labels that are learnt, and its split; as for `fit`."""
        whole, nodes = self._asked(graph)
        data = whole
        if nodes is not None or y is not None:
            chosen = np.arange(whole.num_nodes) if nodes is None else nodes
            data = with_labels(whole, chosen, y, self._task)
        data = self._target(data)
        if nodes is not None and train_mask is None:
            shares = (1 - VALIDATION, VALIDATION, 0.0)
            return data, random_split(check_labels(data), self.seed, shares)
        return data, choose_split(data, train_mask, val_mask, self.split, self.seed)

    def _identity(self, graph: Graph, x: Features) -> dict[str, Any]:
        """Tell what a checkpoint must agree with to be continued."""
        data = checksum(graph, x, graph.y, *vars(self.split_).values())
        return {"parameters": self.json_params(), "data": data}

    def _scored(self, graph: Any, y: Any, mask: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return outputs and labels, as the model's codes, of the nodes to be scored."""
        data, nodes = self._asked(graph)
        if nodes is None:
            if y is not None:
                if np.asarray(y).dtype == bool:
                    raise ModelError(
                        "y is of truth values: give a mask as mask=..., or labels as 0 and 1"
                    )
                data = with_labels(data, np.arange(data.num_nodes), y, self._task)
            data, chosen = self.scored_nodes(data, mask)
            return self.outputs(data)[chosen], self.codes(data)[chosen]
        return self.outputs(nodes), self.codes(data)[nodes] if y is None else self._coded(y)

    @abstractmethod
    def _coded(self, y: Any) -> NDArray[Any]:
        """Return labels that were given in the form that this model learns."""

    # -------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a ``.safetensors`` file, atomically."""
        save_estimator(self, path)

    @classmethod
    def load(cls: type[E], path: str | os.PathLike[str]) -> E:
        """Read a model that `save` wrote; it can predict and score at once."""
        return load_estimator(cls, path)
