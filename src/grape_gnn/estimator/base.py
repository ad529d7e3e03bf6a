"""What `GrapeClassifier` and `GrapeRegressor` share: fitting GRAPE to a graph, and asking it.

A graph is given to `fit` and `predict`; or, as scikit-learn wants it, once to the constructor, and
the samples are node numbers (`grape_gnn.estimator.target.node_numbers`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.collapse import warn_of_one_answer
from grape_gnn.estimator.files import load_estimator, save_estimator
from grape_gnn.estimator.input import (
    check_network,
    check_roles,
    check_same_kind,
    fit_encoder,
    node_features,
    report_empty,
)
from grape_gnn.estimator.known_labels import KnownLabels, given_labels
from grape_gnn.estimator.method import Grape, edges_of
from grape_gnn.estimator.notebook import NotebookModel
from grape_gnn.estimator.role_cache import RoleCache
from grape_gnn.estimator.sklearn_base import BaseEstimator, NotFitted, TransformerMixin
from grape_gnn.estimator.target import (
    VALIDATION,
    check_labels,
    check_parts,
    choose_split,
    metric_for,
    node_numbers,
    num_outputs,
    with_labels,
)
from grape_gnn.estimator.tuning import try_settings
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph, as_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.targets import hide_labels
from grape_gnn.nn import GRAPE, RoleValues, SparseFeatures, as_sparse
from grape_gnn.parameters import Parameters
from grape_gnn.roles import RoleMatches
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import (
    History,
    InUnits,
    Prepared,
    Split,
    as_mask,
    check_metric,
    is_constant,
    random_split,
    with_all_labels,
)
from grape_gnn.warn import warn

with named_extra():
    import torch

__all__ = ["GrapeEstimator"]

E = TypeVar("E", bound="GrapeEstimator")

# What the comparison tunes, and the estimator is told.
_POINT = (
    "hidden", "layers", "dropout", "label_inputs", "learning_rate", "weight_decay", "min_epochs",
    "class_weight",
)  # fmt: skip
TRAINED = 30  # epochs; who asks for fewer is trying things out
# Of graphs given to constructors: copies of an estimator, as a search makes them, share them.
_SHARED: WeakKeyDictionary[Graph, RoleCache] = WeakKeyDictionary()


class GrapeEstimator(NotebookModel, Parameters, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Everything but what is predicted; see `GrapeClassifier` for the parameters."""

    _task: ClassVar[str | None] = None  # of labels that are given besides a graph

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        *,
        graph: Any = None,
        edge_only: bool = False,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.3,
        label_inputs: bool = False,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-5,
        class_weight: str | None = None,
        metric: str | None = None,
        epochs: int = 500,
        patience: int = 50,
        min_epochs: int | None = None,
        split: int | str = 0,
        scaling: bool | None = None,
        engine: str = "auto",
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self.templates = templates
        self.preset = preset
        self.graph = graph
        self.edge_only = edge_only
        self.hidden = hidden
        self.layers = layers
        self.dropout = dropout
        self.label_inputs = label_inputs
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.class_weight = class_weight
        self.metric = metric
        self.epochs = epochs
        self.patience = patience
        self.min_epochs = min_epochs
        self.split = split
        self.scaling = scaling
        self.engine = engine
        self.device = device
        self.seed = seed

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
        whole, _ = self._asked(graph)
        data, self.split_ = self.split_for(graph, train_mask, val_mask, y)
        labels = check_labels(data)
        check_network(
            self.hidden, self.layers, self.dropout, self.label_inputs, self.device, self.seed
        )
        check_parts(labels, self.split_)
        self.templates_ = tuple(find_templates(self.templates))
        if self.edge_only:
            self.templates_ = edges_of(self.templates_)
        method = self._method()
        self.metric_ = self.metric or metric_for(labels, self.split_)
        check_metric(self.metric_, data.task)
        if method.preset.head == 0 and data.task != "classification":
            raise ModelError(
                f"the preset {self.preset!r} computes no negative numbers, which {data.task} "
                f"needs: use 'default' or 'paper'"
            )
        self.encoder_ = fit_encoder(data, self.split_.train, self.scaling)
        x = node_features(data, self.encoder_)
        settings = method.settings(
            is_constant(x),
            {name: getattr(self, name) for name in _POINT},
            epochs=self.epochs,
            patience=self.patience,
            seed=self.seed,
            metric=self.metric_,
        )
        values = self._roles(whole, roles)
        report_empty(values)
        self.task_ = str(data.task)
        self.labels_: tuple[str | int, ...] = data.label_names or ()
        self._directed = data.directed
        self._trained_on = checksum(data)
        self._known = None
        if self.label_inputs:
            self._known = KnownLabels.of(data, hide_labels(labels, self.split_.train))
        network, inputs, self.history_ = method.train(
            self._prepared(x, values),
            torch.from_numpy(labels.copy()).to(self.device),
            torch.from_numpy(self.split_.train).to(self.device),
            torch.from_numpy(self.split_.validation).to(self.device),
            num_outputs(data),
            settings,
            checkpoint=checkpoint,
            identity=self._identity(data, x),
            progress=progress,
        )
        self._units = (0.0, 1.0)
        if isinstance(network, InUnits):
            self._units = (network.centre, network.spread)
            network = network.network
        self._network = cast(GRAPE, network)
        if len(self.history_.epochs) >= TRAINED:
            warn_of_one_answer(self._outputs(*with_all_labels(inputs)), labels, self.split_, x)
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
        self.trials_ = try_settings(self, graph, time, **options)
        masks = {name: options.get(name) for name in ("train_mask", "val_mask")}
        return self.fit(graph, **masks, progress=options.get("progress"))

    def _target(self, graph: Graph) -> Graph:
        """Return the graph with labels that this kind of estimator learns, or refuse them."""
        raise NotImplementedError

    def codes(self, graph: Graph) -> NDArray[Any]:
        """Return a graph's labels in the form that this model learns."""
        raise NotImplementedError

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

    def _asked(self, graph: Any) -> tuple[Graph, NDArray[np.int64] | None]:
        """Return the graph, and which nodes are meant if node numbers were given; None: all."""
        listed = isinstance(graph, list | tuple | range) or hasattr(graph, "__array__")
        if self.graph is None or not listed:
            return as_graph(graph), None
        whole = as_graph(self.graph)
        return whole, node_numbers(graph, whole.num_nodes)

    def _method(self) -> Grape:
        return Grape(self.templates_, self.preset, self.engine)

    def _prepared(self, x: torch.Tensor, roles: RoleValues) -> Prepared:
        return Prepared(as_sparse(x.to(self.device)), is_constant(x), (roles,))

    def _roles(self, graph: Graph, given: RoleMatches | None = None) -> RoleValues:
        """Return the roles of a graph: those given, those of a call before, or matched now."""
        method = self._method()
        preset = method.preset
        if given is not None:
            check_roles(graph, given, self.templates_, preset)
            if any(roles.sampled or roles.truncated for roles in given):
                return method.roles(graph, given)  # predicting takes exact ones
        texts = tuple((template.name, template.text) for template in self.templates_)
        what = (texts, preset.weighting, preset.values)
        return self.role_cache.get(graph, what, lambda: method.roles(graph, given))

    @property
    def role_cache(self) -> RoleCache:
        """The roles of the last two graphs."""
        if isinstance(self.graph, Graph):
            return _SHARED.setdefault(self.graph, RoleCache())
        if not hasattr(self, "_cache"):
            self._cache = RoleCache()
        return self._cache

    def _identity(self, graph: Graph, x: torch.Tensor) -> dict[str, Any]:
        """Tell what a checkpoint must agree with to be continued."""
        data = checksum(graph, x.numpy(), graph.y, *vars(self.split_).values())
        return {"parameters": self._json_params(), "data": data}

    # -------------------------------------------------------------- asking

    def outputs(self, graph: Any, known: Any = None) -> NDArray[Any]:
        """Return what the network computes, before it is turned into probabilities.

        Parameters
        ----------
        graph, known
            As for `predict`.

        Returns
        -------
        array
            Shape (nodes, classes) or (nodes, labels); for numbers (nodes,), in their units.
        """
        self.network  # noqa: B018  complains if there is none
        whole, nodes = self._asked(graph)
        found = self._outputs(*self.inputs(whole, known))
        return found if nodes is None else found[nodes]

    def in_units(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Return numbers to predict in the units of the network, which `outputs` undoes."""
        centre, spread = self._units
        return (numbers - centre) / spread

    def _outputs(self, x: torch.Tensor | SparseFeatures, roles: RoleValues) -> NDArray[Any]:
        self.network.eval()
        with torch.no_grad():
            scores = self.network(x, roles)
        if self.task_ == "regression":
            centre, spread = self._units
            scores = scores.double().squeeze(1) * spread + centre
        found: NDArray[Any] = scores.cpu().numpy()
        return found

    def transform(self, graph: Any) -> NDArray[np.float32]:
        """Return what the last layer knows of every node, shape (nodes, hidden).

        Parameters
        ----------
        graph
            As for `predict`: a graph, or node numbers of the constructor's graph.
        """
        self.network  # noqa: B018  complains if there is none
        whole, nodes = self._asked(graph)
        kept: list[torch.Tensor] = []
        hook = self.network.head.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
        try:
            self._outputs(*self.inputs(whole))
        finally:
            hook.remove()
        found: NDArray[np.float32] = kept[0].cpu().numpy()
        return found if nodes is None else found[nodes]

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Return the names of the columns that `transform` gives."""
        width = self.hidden if self.network.preset.head else self.num_outputs
        return np.array([f"grape{number}" for number in range(width)], dtype=object)

    def inputs(
        self, graph: Any, known: Any = None
    ) -> tuple[torch.Tensor | SparseFeatures, RoleValues]:
        """Return what the network is given for a graph: its features and role matrices."""
        width = self.num_features  # complains if nothing was fitted
        data, _ = self._asked(graph)
        x = node_features(data, self.encoder_)
        check_same_kind(data, x, width, self._directed)
        if self._known is None and known is not None:
            raise ModelError("known= is for models with label_inputs=True")
        prepared = self._prepared(x, self._roles(data))
        if self._known is not None:
            if known is None:
                seen = self._known.on(data)
            else:
                data = self._target(data)
                seen = given_labels(data, known, self.labels_, self.task_)
            given = torch.from_numpy(seen).to(self.device)
            prepared = prepared.with_labels(given, self.num_outputs)
        features, roles = with_all_labels([prepared.x, *prepared.structure])
        return features, roles

    def scored_nodes(self, graph: Any, mask: Any = None) -> tuple[Graph, NDArray[np.bool_]]:
        """Return a graph and the mask of its nodes that a score is of.

        These are the labelled nodes among those of the mask; without one, among the test nodes of
        the training's graph. On another graph all labelled nodes are scored, with a warning that
        says so.
        """
        data = as_graph(graph)
        if data.y is None:
            raise ModelError("the graph has no labels to score against: set y")
        if mask is not None:
            chosen = as_mask(mask, data.num_nodes, "mask")
        elif self._is_trained_on(data):
            chosen = self.split_.test
        else:
            chosen = np.ones(data.num_nodes, dtype=bool)
            warn(
                f"this is not the graph of the training: the score is of all "
                f"{int(data.labelled.sum()):,} labelled nodes"
            )
        chosen = chosen & data.labelled
        if not chosen.any():
            raise ModelError("no labelled node to score on: give a mask with labelled nodes")
        return data, chosen

    def _is_trained_on(self, graph: Graph) -> bool:
        self.network  # noqa: B018  complains if there is none
        return hasattr(self, "split_") and checksum(graph) == self._trained_on

    @property
    def num_outputs(self) -> int:
        """Number of classes or labels; 1 for numbers."""
        return len(self.labels_) or 1

    @property
    def num_features(self) -> int:
        """Number of features of a node, without label inputs."""
        width = self.network.in_features
        extra = 0 if self.task_ == "classification" else 1  # that a label is given
        return width - (self.num_outputs + extra if self.label_inputs else 0)

    @property
    def num_weights(self) -> int:
        """Number of trained weights."""
        return sum(tensor.numel() for tensor in self.network.parameters())

    @property
    def network(self) -> GRAPE:
        """The trained network."""
        if not hasattr(self, "_network"):
            name = type(self).__name__
            raise NotFitted(f"this {name} is not fitted yet: call fit(graph) first")
        return self._network

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_network")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True  # of node numbers, or one column of them
        tags.target_tags.required = False  # the graph has labels
        tags.non_deterministic = False
        return tags

    # -------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a ``.safetensors`` file, atomically."""
        save_estimator(self, path)

    @classmethod
    def load(cls: type[E], path: str | os.PathLike[str]) -> E:
        """Read a model that `save` wrote; it can predict and score at once."""
        return load_estimator(cls, path)

    def _json_params(self) -> dict[str, Any]:
        """Return the parameters but the graph, the templates written out in full."""
        written = [template.to_json() for template in self.templates_]
        given = {name: value for name, value in self.get_params().items() if name != "graph"}
        return {**given, "templates": written}
