"""A trained model for graphs as a file: safetensors weights and a JSON description.

Loading checks everything it can before it builds anything, and never unpickles.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import torch

from grape_gnn.errors import ModelFileError
from grape_gnn.estimator.graph_inputs import GraphInputs
from grape_gnn.estimator.input import device_works
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.graph.given_splits import codes_of, splits_of
from grape_gnn.graph.targets import TASKS
from grape_gnn.template import Template
from grape_gnn.version import __version__
from grape_gnn.warn import warn

if TYPE_CHECKING:
    from grape_gnn.estimator.graph_base import GraphEstimator

__all__ = ["is_graph_model", "load_graph_model", "save_graph_model"]

E = TypeVar("E", bound="GraphEstimator")

_FORMAT, _VERSION, _PARTS = "grape-graph-model", 1, "parts"


def save_graph_model(model: GraphEstimator, path: str | os.PathLike[str]) -> None:
    """Write a fitted model, whole or not at all."""
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "library": __version__,
        "params": model.json_params(),
        "task": model.task_,
        "metric": model.metric_,
        "units": list(model._units),
        "label_names": list(model.labels_),
        "inputs": model.inputs_.to_json(),
        "trained_on": model._trained_on,
        "skipped": [template.to_json() for template in model.skipped_],
    }
    tensors = {name: tensor.clone() for name, tensor in model.network.state_dict().items()}
    tensors[_PARTS] = torch.from_numpy(codes_of([model.split_])[:, 0].copy())
    write_tensors(path, tensors, header)


def is_graph_model(path: str | os.PathLike[str]) -> bool:
    """Tell whether a file of tensors holds a model for graphs."""
    return read_tensors(path)[1].get("format") == _FORMAT


def load_graph_model(kind: type[E], path: str | os.PathLike[str]) -> E:
    """Read a model of the given kind."""
    weights, header = read_tensors(path)
    file = Path(path)
    if header.get("format") != _FORMAT:
        raise ModelFileError(file, "holds no model for whole graphs")
    if header.get("version") != _VERSION:
        raise ModelFileError(
            file,
            f"has file version {header.get('version')!r} (written by grape-gnn "
            f"{header.get('library')}), this release reads version {_VERSION}: update grape-gnn",
        )
    right = "GrapeGraphRegressor" if header.get("task") == "regression" else "GrapeGraphClassifier"
    if kind.__name__ != right:
        raise ModelFileError(file, f"holds a {right}: load it with {right}.load")
    try:
        model = _assembled(kind, header, weights)
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, MemoryError) as error:
        raise ModelFileError(
            file, f"its weights do not fit its description ({error}); save it again"
        ) from error
    if not device_works(model.device):
        warn(f"{path}: trained on {model.device!r}, which this machine lacks: using the cpu")
        model.device = "cpu"
    model._network.to(model.device).eval()
    return model


def _assembled(kind: type[E], header: dict[str, Any], weights: dict[str, torch.Tensor]) -> E:
    parts = weights.pop(_PARTS)
    if parts.dtype != torch.int8 or parts.ndim != 1:
        raise ValueError(f"the parts have type {parts.dtype} and {parts.ndim} dimensions")
    params = header["params"]
    templates = [Template.from_json(entry) for entry in params["templates"]]
    sizes = {length for tensor in weights.values() for length in tensor.shape}
    layers = {name.split(".")[1] for name in weights if name.startswith("layers.")}
    if params["hidden"] not in sizes or params["layers"] != len(layers):
        raise ValueError(f"no weights for hidden {params['hidden']!r}, layers {params['layers']!r}")
    model = kind(**{**params, "templates": templates})
    model.templates_ = tuple(templates)
    model.skipped_ = tuple(Template.from_json(entry) for entry in header.get("skipped", ()))
    model.inputs_ = GraphInputs.from_json(header["inputs"])
    model.task_, model.metric_ = header["task"], str(header["metric"])
    model.labels_ = tuple(header["label_names"])
    if model.task_ not in TASKS or (model.task_ == "regression") != (not model.labels_):
        raise ValueError(f"the task is {model.task_!r}, with {len(model.labels_)} labels")
    centre, spread = (float(each) for each in header["units"])
    model._units = (centre, spread)
    model._trained_on = str(header["trained_on"])
    model.split_ = splits_of(parts.numpy()[:, None])[0]
    network = model._fresh()
    network.load_state_dict(weights)
    model._network = network
    return model
