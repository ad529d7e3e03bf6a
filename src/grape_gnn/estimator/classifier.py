"""`GrapeClassifier`: GRAPE behind scikit-learn's fit, predict and score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError, ModelFileError
from grape_gnn.estimator.input import (
    as_graph,
    check_labels,
    check_network,
    check_parts,
    check_roles,
    check_same_kind,
    choose_split,
    device_works,
    fit_encoder,
    node_features,
    report_empty,
)
from grape_gnn.estimator.known_labels import KnownLabels, given_labels
from grape_gnn.estimator.method import Grape, edges_of
from grape_gnn.estimator.model_file import SavedModel, load_model, save_model
from grape_gnn.estimator.notebook import NotebookModel
from grape_gnn.estimator.role_cache import RoleCache
from grape_gnn.estimator.tuning import try_settings
from grape_gnn.extras import named_extra
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.nn import GRAPE, RoleValues, SparseFeatures, as_sparse
from grape_gnn.parameters import Parameters
from grape_gnn.roles import RoleMatches
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import History, Prepared, Shape, as_mask, is_constant, with_all_labels
from grape_gnn.version import __version__
from grape_gnn.warn import warn

with named_extra():
    import torch

__all__ = ["GrapeClassifier"]

# What the comparison tunes, and the classifier is told.
_POINT = (
    "hidden", "layers", "dropout", "label_inputs", "learning_rate", "weight_decay", "min_epochs",
)  # fmt: skip


class GrapeClassifier(NotebookModel, Parameters):
    """Classify the nodes of a graph by GRAPE.

    Templates are matched **non-induced**: further edges between matched nodes do not matter. The
    roles of the last two graphs are kept, so that `predict` after `fit` does not match again.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    preset
        ``"default"``, ``"paper"`` or ``"released"``; see `grape_gnn.nn.presets`.
    edge_only
        Leave out all templates but the edges. `tune` tries it: what the others add does not help
        on every graph.
    hidden, layers, dropout
        Width, depth and dropout of the network.
    label_inputs
        Give the network training labels besides the features: it then counts, role by role, the
        labels around a node. Worth trying where labels cluster and features say little; see
        `grape_gnn.training.LabelInputs`.
    learning_rate, weight_decay, epochs, patience
        The training protocol; see `grape_gnn.training.TrainSettings`.
    min_epochs
        Epochs before early stopping may end the training. None: 200 if all nodes have the same
        features (learning takes off late then) or the preset says so, else 0.
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
    classes_ : tuple
        The labels, in the order of the columns of `predict_proba`.
    history_ : History
        Loss and validation accuracy of every epoch.
    split_ : Split
        Training, validation and test nodes.
    encoder_ : NodeEncoder or None
        What makes features of the columns of a node table; None: features are taken as they are.
    trials_ : tuple of Trial
        What `tune` tried.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> src, dst = zip(*[(i, (i + k) % 30) for i in range(30) for k in (1, 2)])
    >>> g = grape.Graph.from_edges(src, dst, y=["left", "right"] * 15)
    >>> clf = grape.GrapeClassifier(templates="edge", epochs=3, seed=0).fit(g)
    >>> clf.predict(g).shape, clf.predict_proba(g).shape
    ((30,), (30, 2))
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        *,
        edge_only: bool = False,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.3,
        label_inputs: bool = False,
        learning_rate: float = 0.01,
        weight_decay: float = 5e-5,
        epochs: int = 500,
        patience: int = 50,
        min_epochs: int | None = None,
        scaling: bool | None = None,
        engine: str = "auto",
        device: str = "cpu",
        seed: int = 0,
    ) -> None:
        self.templates = templates
        self.preset = preset
        self.edge_only = edge_only
        self.hidden = hidden
        self.layers = layers
        self.dropout = dropout
        self.label_inputs = label_inputs
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.epochs = epochs
        self.patience = patience
        self.min_epochs = min_epochs
        self.scaling = scaling
        self.engine = engine
        self.device = device
        self.seed = seed

    # -------------------------------------------------------------- fitting

    def fit(
        self,
        graph: Any,
        *,
        train_mask: Any = None,
        val_mask: Any = None,
        roles: RoleMatches | None = None,
        checkpoint: str | os.PathLike[str] | None = None,
        progress: Callable[[int, History], None] | None = None,
    ) -> GrapeClassifier:
        """Train on a graph.

        Parameters
        ----------
        graph
            A `Graph` with labels, or PyG ``Data``. Nodes whose label is missing (-1) take no part
            in training and scoring, but their edges and features do.
        train_mask, val_mask
            Boolean masks or lists of nodes. Without them the masks of PyG ``Data`` are used, or
            else a random 60/20/20 split by the seed.
        roles
            What `match` found for the same templates on the same graph, with the weighting of
            the preset; None: they are matched now.
        checkpoint
            File for interrupted trainings: if it is there, training goes on from it.
        progress
            Called after every epoch with the number of epochs and the history.

        Returns
        -------
        GrapeClassifier
            Itself.
        """
        data, masks = as_graph(graph)
        labels = check_labels(data)
        check_network(
            self.hidden, self.layers, self.dropout, self.label_inputs, self.device, self.seed
        )
        self.templates_ = tuple(find_templates(self.templates))
        if self.edge_only:
            self.templates_ = edges_of(self.templates_)
        method = self._method()
        self.split_ = choose_split(labels, masks, train_mask, val_mask, self.seed)
        check_parts(labels, self.split_)
        self.encoder_ = fit_encoder(data, self.split_.train, self.scaling)
        x = node_features(data, self.encoder_)
        settings = method.settings(
            is_constant(x),
            {name: getattr(self, name) for name in _POINT},
            epochs=self.epochs,
            patience=self.patience,
            seed=self.seed,
        )
        values = self._roles(data, roles)
        report_empty(values)
        self.classes_: tuple[str | int, ...] = data.label_names or ()
        self._directed = data.directed
        self._known = None
        if self.label_inputs:
            self._known = KnownLabels.of(data, np.where(self.split_.train, labels, -1))
        network, _, self.history_ = method.train(
            self._prepared(x, values),
            torch.from_numpy(labels.copy()).to(self.device),
            torch.from_numpy(self.split_.train).to(self.device),
            torch.from_numpy(self.split_.validation).to(self.device),
            len(self.classes_),
            settings,
            checkpoint=checkpoint,
            identity=self._identity(data, x),
            progress=progress,
        )
        self._network = cast(GRAPE, network)
        return self

    def tune(self, graph: Any, time: str | float | None = "10m", **options: Any) -> GrapeClassifier:
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
        GrapeClassifier
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
        if not hasattr(self, "_cache"):
            self._cache = RoleCache()
        return self._cache

    def _identity(self, graph: Graph, x: torch.Tensor) -> dict[str, Any]:
        """Tell what a checkpoint must agree with to be continued."""
        data = checksum(graph, x.numpy(), graph.y, *vars(self.split_).values())
        return {"parameters": self._json_params(), "data": data}

    # -------------------------------------------------------------- prediction

    def predict_proba(self, graph: Any, known: Any = None) -> NDArray[np.float32]:
        """Return the probability of every class for every node, shape (nodes, classes).

        Parameters
        ----------
        graph
            The graph of `fit`, or another one with the same kind of features.
        known
            With `label_inputs`, mask or list of the nodes whose labels the network may see. None:
            the training nodes of the graph of `fit`; on another graph none.
        """
        x, roles = self.inputs(graph, known)
        self.network.eval()
        with torch.no_grad():
            scores = self.network(x, roles)
            found: NDArray[np.float32] = torch.softmax(scores, dim=1).cpu().numpy()
        return found

    def inputs(
        self, graph: Any, known: Any = None
    ) -> tuple[torch.Tensor | SparseFeatures, RoleValues]:
        """Return what the network is given for a graph: its features and role matrices."""
        width = self.num_features
        data, _ = as_graph(graph)
        x = node_features(data, self.encoder_)
        check_same_kind(data, x, width, self._directed)
        if self._known is None and known is not None:
            raise ModelError("known= is for classifiers with label_inputs=True")
        prepared = self._prepared(x, self._roles(data))
        if self._known is not None:
            codes = (
                self._known.on(data) if known is None else given_labels(data, known, self.classes_)
            )
            given = torch.from_numpy(codes).to(self.device)
            prepared = prepared.with_labels(given, len(self.classes_))
        features, roles = with_all_labels([prepared.x, *prepared.structure])
        return features, roles

    def predict(self, graph: Any, known: Any = None) -> NDArray[Any]:
        """Return the most likely label of every node, as the training labels were given."""
        best = self.predict_proba(graph, known).argmax(axis=1)
        return np.array([self.classes_[code] for code in best])

    def score(self, graph: Any, mask: Any = None) -> float:
        """Return the accuracy on the labelled nodes.

        Parameters
        ----------
        graph
            A labelled graph.
        mask
            Which nodes; None: the test part of the split if this is a graph of the same size as
            that of `fit`, else all.
        """
        predicted = self.predict(graph)
        data, _ = as_graph(graph)
        if data.y is None or data.label_names is None:
            raise ModelError("the graph has no labels to score against: set y")
        if mask is not None:
            chosen = as_mask(mask, data.num_nodes, "mask")
        elif hasattr(self, "split_") and self.split_.test.size == data.num_nodes:
            chosen = self.split_.test
        else:
            chosen = np.ones(data.num_nodes, dtype=bool)
        chosen = chosen & (data.y >= 0)
        if not chosen.any():
            raise ModelError("no labelled node to score on: give a mask with labelled nodes")
        wanted = np.array([data.label_names[code] for code in data.y[chosen]])
        return float((predicted[chosen] == wanted).mean())

    @property
    def num_features(self) -> int:
        """Number of features of a node, without label inputs."""
        return self.network.in_features - (len(self.classes_) if self.label_inputs else 0)

    @property
    def num_weights(self) -> int:
        """Number of trained weights."""
        return sum(tensor.numel() for tensor in self.network.parameters())

    @property
    def network(self) -> GRAPE:
        """The trained network."""
        if not hasattr(self, "_network"):
            raise ModelError("this GrapeClassifier is not fitted yet: call fit(graph) first")
        return self._network

    # -------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a ``.safetensors`` file, atomically."""
        weights = {name: t.clone() for name, t in self.network.state_dict().items()}
        save_model(
            path,
            SavedModel(
                params=self._json_params(),
                templates=self.templates_,
                label_names=self.classes_,
                in_features=self.network.in_features,
                directed=self._directed,
                weights=weights,
                library=__version__,
                known=self._known,
                encoder=self.encoder_,
            ),
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GrapeClassifier:
        """Read a model that `save` wrote; it can predict and score at once."""
        saved = load_model(path)
        try:
            model = cls(**{**saved.params, "templates": list(saved.templates)})
            model.templates_ = saved.templates
            model.classes_ = saved.label_names
            model._directed = saved.directed
            model._known = saved.known
            model.encoder_ = saved.encoder
            if model.label_inputs and saved.known is None:
                raise ModelError("the training labels are missing")
            network = model._method().network(
                Shape(
                    saved.in_features,
                    len(saved.label_names),
                    model.hidden,
                    model.layers,
                    model.dropout,
                    model.dropout,
                )
            )
            network.load_state_dict(saved.weights)
        except (TypeError, ValueError, AttributeError, RuntimeError, MemoryError) as error:
            raise ModelFileError(
                Path(path), f"its weights do not fit its description ({error}); save it again"
            ) from error
        if not device_works(model.device):
            warn(f"{path}: trained on {model.device!r}, which this machine lacks: using the cpu")
            model.device = "cpu"
        model._network = network.to(model.device).eval()
        return model

    def _json_params(self) -> dict[str, Any]:
        """Return the parameters, the templates written out in full."""
        written = [template.to_json() for template in self.templates_]
        return {**self.get_params(), "templates": written}
