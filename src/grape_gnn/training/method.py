"""The one interface all models of a comparison go through, GRAPE and its baselines alike.

A method prepares what depends on the graph alone (normalised matrices, distances, role matrices)
once, and builds a fresh network for every run. Training is the same for all: `Method.fit` calls
`grape_gnn.training.train` with the same optimiser, schedule and early stopping.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.nn import SparseFeatures, as_sparse
from grape_gnn.training.batches import Batches, FullBatch, scores_of
from grape_gnn.training.history import History
from grape_gnn.training.label_inputs import LabelInputs
from grape_gnn.training.min_epochs import is_constant, min_epochs
from grape_gnn.training.objective import InUnits, hide_labels
from grape_gnn.training.product_inputs import ProductInputs
from grape_gnn.training.settings import TrainSettings
from grape_gnn.training.trainer import seeded, train

__all__ = ["DEPTHS", "LABEL_INPUTS", "NORMS", "Fitted", "Method", "Prepared", "Shape"]

M = TypeVar("M", bound="Method")

NORMS: Mapping[str, Sequence[Any]] = {"norm": ("none", "batch")}
DEPTHS: Mapping[str, Sequence[Any]] = {"layers": (2, 3)}
# Where features say nothing, they are noise on top of the labels: validation decides.
LABEL_INPUTS: Mapping[str, Sequence[Any]] = {"label_inputs": (True,), "use_features": (True, False)}


@dataclass(frozen=True, eq=False)
class Prepared:
    """What a method needs of a graph, worked out once and shared by all runs.

    Parameters
    ----------
    x
        Node features, stored sparsely where that pays, or with the training labels among them; or
        products of roles with them.
    constant
        Whether all nodes have the same features.
    structure
        Further arguments of the network, such as a normalised adjacency matrix.
    """

    x: torch.Tensor | SparseFeatures | LabelInputs | ProductInputs
    constant: bool
    structure: tuple[Any, ...] = ()

    def with_labels(self, labels: torch.Tensor, num_classes: int) -> Prepared:
        """Put labels among the features; missing for nodes whose label may not be seen."""
        if isinstance(self.x, LabelInputs):
            raise TypeError("the labels are among the features already")
        if isinstance(self.x, ProductInputs):
            return replace(self, x=self.x.with_labels(labels, num_classes))
        return replace(self, x=LabelInputs(self.x, labels, num_classes))

    def without_features(self) -> Prepared:
        """Put a constant in the place of the features."""
        return replace(self, x=torch.ones(self.x.shape[0], 1), constant=True)


@dataclass(frozen=True)
class Shape:
    """Widths and dropout of a network to be built.

    Parameters
    ----------
    in_features, num_classes
        Width at both ends: classes, labels, or 1 for a number.
    hidden, layers
        Width and number of the layers.
    dropout, input_dropout
        Share of values dropped before each layer, and of the node features.
    norm
        ``"none"``, or ``"batch"``: batch normalisation of what the layers but the last compute.
    """

    in_features: int
    num_classes: int
    hidden: int
    layers: int
    dropout: float
    input_dropout: float
    norm: str = "none"


@dataclass(frozen=True, eq=False)
class Fitted:
    """The outcome of one training: scores of all nodes at the best validation epoch.

    Parameters
    ----------
    scores
        Shape (nodes, classes) or (nodes, labels), or (nodes,) for numbers.
    validation_score
        At the chosen epoch, by the metric of the settings: the higher the better.
    best_epoch, epochs
        The chosen epoch, from 0, and how many there were.
    logits
        Whether the softmax of the scores of classes are probabilities; if not, there is no log
        loss and no calibration.
    """

    scores: torch.Tensor
    validation_score: float
    best_epoch: int
    epochs: int
    logits: bool = True


class Method(ABC):
    """A way to classify nodes.

    Attributes
    ----------
    name, title
        What commands and tables call it.
    reference
        True for reference methods: in the table for orientation, not among the paper's baselines.
    stopping
        Rule of early stopping, as in `grape_gnn.training.TrainSettings`.
    grid
        Parameters of its own to try instead of the protocol's grid; None for all networks.
    depths
        Numbers of layers it can have; None: any.
    choices
        What is tried besides the protocol's grid: batch normalisation, for the networks that were
        published without it and gain by it on some graphs; the depth, for GIN, which has it built
        in; with label inputs, whether the features are used besides.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[bool] = False
    stopping: str = "patience"
    grid: ClassVar[Mapping[str, Sequence[Any]] | None] = None
    depths: ClassVar[tuple[int, ...] | None] = None
    choices: Mapping[str, Sequence[Any]] = MappingProxyType({})

    def prepare(self, graph: Graph, x: torch.Tensor | SparseFeatures) -> Prepared:
        """Do all the work that depends on the graph and the features only."""
        return Prepared(as_sparse(x), is_constant(x), self.structure(graph))

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Return the network's arguments after the features."""
        return ()

    @abstractmethod
    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""

    def describe(self) -> dict[str, Any]:
        """Return what else tells this method from others, for the record of a run."""
        return {}

    def with_label_inputs(self: M) -> M:
        """Return the same method with training labels among its inputs, if it trains at all."""
        changed = copy.copy(self)
        if self.grid is None:
            changed.choices = {**self.choices, **LABEL_INPUTS}
        return changed

    def build(
        self,
        prepared: Prepared,
        num_classes: int,
        *,
        hidden: int = 32,
        dropout: float = 0.3,
        layers: int = 2,
        seed: int = 0,
        norm: str = "none",
    ) -> tuple[nn.Module, list[Any]]:
        """Return an untrained network and its arguments, ready for `grape_gnn.training.train`.

        Parameters
        ----------
        prepared
            What `prepare` returned.
        num_classes
            Number of classes.
        hidden, dropout, layers
            Width, dropout and depth.
        seed
            Seed of the weights.
        norm
            ``"none"`` or ``"batch"``, for the methods whose `choices` name it.
        """
        shape = Shape(
            in_features=prepared.x.shape[1],
            num_classes=num_classes,
            hidden=hidden,
            layers=layers,
            dropout=dropout,
            # Dropping features that are the same for all nodes would only add noise.
            input_dropout=0.0 if prepared.constant else dropout,
            norm=norm,
        )
        with seeded(seed):
            network = self.network(shape, prepared)
        return network, [prepared.x, *prepared.structure]

    def settings(
        self,
        constant: bool,
        point: Mapping[str, Any],
        *,
        epochs: int,
        patience: int,
        seed: int,
        metric: str = "accuracy",
    ) -> dict[str, Any]:
        """Return all that a training is set to.

        Parameters
        ----------
        constant
            Whether all nodes have the same features: `min_epochs` is larger then.
        point
            A point of the grid; `min_epochs`, `class_weight` and `batch_size` in it are taken as
            they are.
        epochs, patience, seed, metric
            As in `grape_gnn.training.TrainSettings`.
        """
        constant = constant or not point.get("use_features", True)
        least = point.get("min_epochs")
        chosen = TrainSettings(
            epochs=epochs,
            patience=patience,
            min_epochs=min(epochs, min_epochs(constant, self.stopping)) if least is None else least,
            learning_rate=point["learning_rate"],
            weight_decay=point["weight_decay"],
            stopping=self.stopping,
            metric=metric,
            class_weight=point.get("class_weight"),
            batch_size=point.get("batch_size"),
            sample_neighbours=point.get("sample_neighbours"),
            seed=seed,
        )
        return {**point, **chosen.to_json()}

    def chosen(self, prepared: Prepared, settings: dict[str, Any]) -> tuple[Method, Prepared]:
        """Take choices that only this method knows out of the settings; return who trains on what.

        Parameters
        ----------
        prepared
            What `prepare` returned.
        settings
            Of the training; what is understood here is taken out.
        """
        return self, prepared

    def train(
        self,
        prepared: Prepared,
        labels: torch.Tensor,
        train_mask: torch.Tensor,
        validation_mask: torch.Tensor,
        num_classes: int,
        settings: Mapping[str, Any],
        **options: Any,
    ) -> tuple[nn.Module, Batches, History]:
        """Train a fresh network on the device of the labels.

        Parameters
        ----------
        prepared
            What `prepare` returned.
        labels
            Label of every node, in the form of its task; only those of the two masks are read.
        train_mask, validation_mask
            Boolean masks over the nodes.
        num_classes
            Number of classes or labels; 1 for numbers.
        settings
            What `settings` returned.
        **options
            Of `grape_gnn.training.train`: checkpoint, identity, progress.

        Returns
        -------
        tuple
            The network with the weights of the best validation epoch, its batches, and the history.
        """
        rest = dict(settings)
        method, prepared = self.chosen(prepared, rest)
        shape = {k: v for k, v in rest.items() if k in ("hidden", "dropout", "layers", "norm")}
        protocol = {k: v for k, v in rest.items() if k not in shape}
        if not protocol.pop("use_features", True):
            prepared = prepared.without_features()
        if protocol.pop("label_inputs", False):
            prepared = prepared.with_labels(hide_labels(labels, train_mask), num_classes)
        network, inputs = method.build(prepared, num_classes, seed=settings["seed"], **shape)
        if labels.is_floating_point():
            network = InUnits(network, labels[train_mask])
        network.to(labels.device)
        chosen = TrainSettings(**protocol)
        batches = method.batches(
            inputs, chosen.batch_size, shape.get("layers", 2), chosen.sample_neighbours
        )
        history = train(network, batches, labels, train_mask, validation_mask, chosen, **options)
        return network, batches, history

    def batches(
        self, inputs: list[Any], size: int | None, layers: int = 2, sample: int | None = None
    ) -> Batches:
        """Return what `train` goes through: mini-batches, or all nodes at once.

        Parameters
        ----------
        inputs
            Arguments of the network.
        size
            Nodes of a batch; None: all at once.
        layers
            Number of layers of the network.
        sample
            Members per role and ego in a batch; None: all.
        """
        if size is not None:
            raise ModelError(f"{self.title} has no mini-batches: leave out batch_size")
        return FullBatch(inputs)

    def fit(
        self,
        prepared: Prepared,
        labels: torch.Tensor,
        train_mask: torch.Tensor,
        validation_mask: torch.Tensor,
        num_classes: int,
        settings: Mapping[str, Any],
    ) -> Fitted:
        """Train a fresh network and score all nodes; the parameters are those of `train`."""
        network, batches, history = self.train(
            prepared, labels, train_mask, validation_mask, num_classes, settings
        )
        scores = scores_of(network, batches, torch.arange(len(labels), device=labels.device))
        best = history.epochs[history.best]
        return Fitted(scores, best.score, history.best, len(history.epochs))
