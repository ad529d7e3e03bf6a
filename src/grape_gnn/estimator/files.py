"""From a fitted estimator to its file and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from grape_gnn.errors import ModelError, ModelFileError
from grape_gnn.estimator.input import device_works
from grape_gnn.estimator.methods import untrained
from grape_gnn.estimator.model_file import SavedModel, load_model, save_model
from grape_gnn.training import Shape
from grape_gnn.version import __version__
from grape_gnn.warn import warn

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator

__all__ = ["load_estimator", "save_estimator"]

E = TypeVar("E", bound="GrapeEstimator")


def save_estimator(model: GrapeEstimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted model, whole or not at all."""
    network = model.network
    save_model(
        path,
        SavedModel(
            params=model.json_params(),
            templates=model.templates_,
            task=model.task_,
            label_names=model.labels_,
            in_features=network.in_features,
            directed=model._directed,
            weights={name: t.clone() for name, t in network.state_dict().items()},
            library=__version__,
            units=model._units,
            metric=model.metric_,
            trained_on=model._trained_on,
            split=getattr(model, "split_", None),
            known=model._known,
            encoder=model.encoder_,
        ),
    )


def load_estimator(kind: type[E], path: str | os.PathLike[str]) -> E:
    """Read a model of the given kind."""
    saved = load_model(path)
    numbers = saved.task == "regression"
    if (kind.__name__ == "GrapeRegressor") != numbers:
        right = "GrapeRegressor" if numbers else "GrapeClassifier"
        raise ModelFileError(Path(path), f"holds a {right}: load it with {right}.load")
    try:
        model = kind(**{**saved.params, "templates": list(saved.templates)})
        model.templates_ = saved.templates
        model.task_ = saved.task
        model.labels_ = saved.label_names
        model.metric_ = saved.metric
        model._directed = saved.directed
        model._units = saved.units
        model._known = saved.known
        model.encoder_ = saved.encoder
        model._trained_on = saved.trained_on
        if saved.split is not None:
            model.split_ = saved.split
        if model.label_inputs and saved.known is None:
            raise ModelError("the training labels are missing")
        shape = Shape(
            saved.in_features,
            model.num_outputs,
            model.hidden,
            model.layers,
            model.dropout,
            model.dropout,
        )
        network = untrained(model._method(), shape, saved.weights)
        network.load_state_dict(saved.weights)
    except (TypeError, ValueError, KeyError, AttributeError, RuntimeError, MemoryError) as error:
        raise ModelFileError(
            Path(path), f"its weights do not fit its description ({error}); save it again"
        ) from error
    if not device_works(model.device):
        warn(f"{path}: trained on {model.device!r}, which this machine lacks: using the cpu")
        model.device = "cpu"
    model._network = network.to(model.device).eval()
    return model
