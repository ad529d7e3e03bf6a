"""What all estimators of GRAPE share, for nodes and for whole graphs: parameters, state, answers.

`GrapeEstimator` is fitted to the nodes of a graph, `GraphEstimator` to a set of graphs. What is
answered for, a node or a graph, is called a sample here, as scikit-learn does.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import ModelError
from grape_gnn.estimator.notebook import NotebookModel
from grape_gnn.estimator.sklearn_base import (
    BaseEstimator,
    ClassifierMixin,
    NotFitted,
    RegressorMixin,
)
from grape_gnn.extras import named_extra
from grape_gnn.parameters import Parameters
from grape_gnn.template import Template
from grape_gnn.training import Batches, History, InUnits, Split, as_mask, scores_of
from grape_gnn.training.measures import r2
from grape_gnn.warn import warn

with named_extra():
    import torch

__all__ = ["ClassAnswers", "FittedModel", "NumberAnswers"]

E = TypeVar("E", bound="FittedModel")


class FittedModel(NotebookModel, Parameters, BaseEstimator, ABC):  # type: ignore[misc]
    """Parameters and state of an estimator; subclasses fit it and say what it is asked about."""

    # What the constructors of all keep.
    templates: str | Template | Iterable[str | Template]
    preset: str
    hidden: int
    layers: int
    dropout: float
    learning_rate: float
    weight_decay: float
    class_weight: str | Mapping[Any, float] | None
    metric: str | None
    epochs: int
    patience: int
    engine: str
    device: str
    seed: int

    # What a training leaves behind, or a file.
    templates_: tuple[Template, ...]
    task_: str
    labels_: tuple[str | int, ...]
    metric_: str
    split_: Split
    history_: History
    _network: Any
    _units: tuple[float, float]
    _trained_on: str

    sample = "node"

    @abstractmethod
    def _target(self, data: Any) -> Any:
        """Return the data with targets that this kind of estimator learns, or refuse them."""

    @abstractmethod
    def codes(self, data: Any) -> NDArray[Any]:
        """Return the targets of data in the form that this model learns."""

    @abstractmethod
    def outputs(self, data: Any) -> NDArray[Any]:
        """Return what the network computes for every sample."""

    @abstractmethod
    def _digest(self, data: Any) -> str:
        """Tell data from others."""

    @abstractmethod
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted model to a ``.safetensors`` file, atomically."""

    @classmethod
    @abstractmethod
    def load(cls: type[E], path: str | os.PathLike[str]) -> E:
        """Read a model that `save` wrote; it can predict and score at once."""

    def json_params(self) -> dict[str, Any]:
        """Return the parameters but the graph, the templates written out in full."""
        given = {name: value for name, value in self.get_params().items() if name != "graph"}
        return {**given, "templates": [template.to_json() for template in self.templates_]}

    def _take(self, network: torch.nn.Module) -> None:
        """Keep a trained network, apart from the units of the numbers that it predicts."""
        self._units = (0.0, 1.0)
        if isinstance(network, InUnits):
            self._units, network = (network.centre, network.spread), network.network
        self._network = network

    def outputs_of(self, batches: Batches, samples: torch.Tensor) -> NDArray[Any]:
        """Return what the network computes for some nodes or graphs, given batches of them."""
        self.network.eval()
        scores = scores_of(self.network, batches, samples)
        if self.task_ == "regression":
            centre, spread = self._units
            scores = scores.double().squeeze(1) * spread + centre
        found: NDArray[Any] = scores.cpu().numpy()
        return found

    def _chosen(self, data: Any, count: int, mask: Any) -> NDArray[np.bool_]:
        """Return which of so many samples are scored.

        These are the labelled ones of the mask; without one, of the test part of the training's
        data. Of other data all labelled ones are scored, with a warning that says so.
        """
        if mask is not None:
            chosen = as_mask(mask, count, "mask")
        elif self.is_trained_on(data):
            chosen = self.split_.test
        else:
            chosen = np.ones(count, dtype=bool)
            other = "this is not the graph" if self.sample == "node" else "these are not the graphs"
            warn(
                f"{other} of the training: the score is of all {int(data.labelled.sum()):,} "
                f"labelled {self.sample}s"
            )
        labelled: NDArray[np.bool_] = chosen & data.labelled
        if not labelled.any():
            raise ModelError(
                f"no labelled {self.sample} to score on: give a mask with labelled {self.sample}s"
            )
        return labelled

    def is_trained_on(self, data: Any) -> bool:
        """Tell whether this is the graph, or these are the graphs, that `fit` was given."""
        self.network  # noqa: B018  complains if there is none
        return hasattr(self, "split_") and self._digest(data) == self._trained_on

    @property
    def num_outputs(self) -> int:
        """Number of classes or labels; 1 for numbers."""
        return len(self.labels_) or 1

    @property
    def num_weights(self) -> int:
        """Number of trained weights."""
        return sum(tensor.numel() for tensor in self.network.parameters())

    @property
    def network(self) -> Any:
        """The trained network."""
        if not hasattr(self, "_network"):
            name, what = type(self).__name__, "graph" if self.sample == "node" else "graphs"
            raise NotFitted(f"this {name} is not fitted yet: call fit({what}) first")
        return self._network

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_network")


class ClassAnswers(ClassifierMixin):  # type: ignore[misc]
    """What classifiers make of the outputs of a network."""

    task_: str
    labels_: tuple[str | int, ...]

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, in the order of the columns of `predict_proba`."""
        self.network  # noqa: B018  complains if there is none
        alike = len({type(label) for label in self.labels_}) == 1
        return np.array(self.labels_, dtype=None if alike else object)

    def _probabilities(self, outputs: NDArray[Any]) -> NDArray[np.float32]:
        scores = torch.from_numpy(outputs)
        several = self.task_ == "multi-label"
        shares = torch.sigmoid(scores) if several else torch.softmax(scores, dim=1)
        found: NDArray[np.float32] = shares.numpy()
        return found

    def _most_likely(self, shares: NDArray[np.float32]) -> NDArray[Any]:
        if self.task_ == "multi-label":
            return (shares > 0.5).astype(np.int64)
        answers: NDArray[Any] = self.classes_[shares.argmax(axis=1)]
        return answers

    def _accuracy(self, outputs: NDArray[Any], wanted: NDArray[Any]) -> float:
        if self.task_ == "multi-label":
            return float(((outputs > 0) == (wanted == 1)).all(axis=1).mean())
        return float((outputs.argmax(axis=1) == wanted).mean())


class NumberAnswers(RegressorMixin):  # type: ignore[misc]
    """What regressors make of them."""

    def _explained(self, outputs: NDArray[Any], wanted: NDArray[Any]) -> float:
        found = r2(outputs, wanted)
        if found is None:
            raise ModelError("R2 needs numbers that differ to score on: use a larger part")
        return found
