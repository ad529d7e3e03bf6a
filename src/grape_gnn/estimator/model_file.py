"""A trained model as a file: safetensors weights with a JSON description in the header.

Loading checks everything it can before it builds anything, and never unpickles.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import torch
from numpy.typing import NDArray

from grape_gnn.errors import ModelFileError, TemplateError
from grape_gnn.estimator.known_labels import KnownLabels
from grape_gnn.features import NodeEncoder
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.graph.given_splits import codes_of, splits_of
from grape_gnn.graph.split import Split
from grape_gnn.graph.targets import TASKS
from grape_gnn.nn import DECOUPLED
from grape_gnn.template import Template

__all__ = ["SavedModel", "load_model", "save_model"]

_FORMAT = "grape-classifier"
_VERSION = 2  # 2: half of the columns are damped by degree
_KNOWN = "label inputs"
_PARTS = "parts"
_KINDS = {
    "params": dict,
    "task": str,
    "metric": str,
    "trained_on": str,
    "units": list,
    "templates": list,
    "label_names": list,
    "in_features": int,
    "directed": bool,
    "library": str,
}


@dataclass(frozen=True)
class SavedModel:
    """What a file holds.

    Parameters
    ----------
    params
        Parameters of the estimator, as `GrapeClassifier.get_params` gives them, but the graph.
    templates
        The templates the model was trained with.
    task, metric
        What it predicts, and what chose the epoch.
    label_names
        Label of every class; none for numbers.
    in_features
        Number of node features.
    directed
        Whether the model was trained on a directed graph.
    weights
        The tensors of the network, scaling constants included.
    library
        Version of the library that wrote the file.
    units
        Centre and spread of the numbers that a regression predicts.
    trained_on, split
        Checksum of the edges of the training's graph, and the parts of its nodes.
    known
        The training labels, for a model that looks at labels.
    encoder
        What makes features of the columns of a node table; None: features are taken as they are.
    """

    params: dict[str, Any]
    templates: tuple[Template, ...]
    label_names: tuple[str | int, ...]
    in_features: int
    directed: bool
    weights: dict[str, torch.Tensor]
    library: str
    task: str = "classification"
    metric: str = "accuracy"
    units: tuple[float, float] = (0.0, 1.0)
    trained_on: str = ""
    split: Split | None = None
    known: KnownLabels | None = None
    encoder: NodeEncoder | None = None


def save_model(path: str | os.PathLike[str], model: SavedModel) -> None:
    """Write a model, whole or not at all."""
    header = {
        "format": _FORMAT,
        "version": _VERSION,
        "library": model.library,
        "params": model.params,
        "templates": [template.to_json() for template in model.templates],
        "task": model.task,
        "metric": model.metric,
        "units": list(model.units),
        "trained_on": model.trained_on,
        "label_names": list(model.label_names),
        "in_features": model.in_features,
        "directed": model.directed,
    }
    tensors = dict(model.weights)
    if model.known is not None:
        tensors[_KNOWN] = torch.from_numpy(model.known.codes)
        header["labels_of"] = model.known.edges
    if model.split is not None:
        tensors[_PARTS] = torch.from_numpy(codes_of([model.split])[:, 0].copy())
    if model.encoder is not None:
        header["encoder"] = model.encoder.to_json()
    write_tensors(path, tensors, header)


def load_model(path: str | os.PathLike[str]) -> SavedModel:
    """Read a model and check its description."""
    weights, header = read_tensors(path)
    if header.get("format") != _FORMAT:
        raise ModelFileError(path, f"is not a saved GrapeClassifier (format {_FORMAT!r})")
    if header.get("version") != _VERSION:
        raise ModelFileError(
            path,
            f"has file version {header.get('version')!r} (written by grape-gnn "
            f"{header.get('library')}), this release reads version {_VERSION}: update grape-gnn "
            f"or train again",
        )
    codes, parts = weights.pop(_KNOWN, None), weights.pop(_PARTS, None)
    try:
        for key, kind in _KINDS.items():
            if not isinstance(header[key], kind) or isinstance(header[key], bool) > (kind is bool):
                raise TypeError(f"{key} is {header[key]!r}")
        names = tuple(header["label_names"])
        if not all(isinstance(name, (str, int)) for name in names) or len(set(names)) < len(names):
            raise ValueError("label_names are not distinct texts or integers")
        _check_sizes(header["params"], header["in_features"], weights)
        if header["task"] not in TASKS or (header["task"] == "regression") != (not names):
            raise ValueError(f"the task is {header['task']!r}, with {len(names)} labels")
        if header["trained_on"] and parts is None:
            raise ValueError("the parts of the split are missing")
        centre, spread = (float(each) for each in header["units"])
        known = None
        if codes is not None:
            seen = _as_labels(codes, header["task"], len(names))
            known = KnownLabels(seen, str(header["labels_of"]))
        encoder = NodeEncoder.from_json(header["encoder"]) if "encoder" in header else None
        return SavedModel(
            params=header["params"],
            templates=tuple(Template.from_json(entry) for entry in header["templates"]),
            label_names=names,
            in_features=header["in_features"],
            directed=header["directed"],
            weights=weights,
            library=header["library"],
            task=header["task"],
            metric=header["metric"],
            units=(centre, spread),
            trained_on=header["trained_on"],
            split=None if parts is None else _as_split(parts),
            known=known,
            encoder=encoder,
        )
    except (KeyError, TypeError, ValueError, AttributeError, TemplateError) as error:
        raise ModelFileError(
            path, f"has an incomplete description ({error}); save the model again"
        ) from error


def _check_sizes(
    params: dict[str, Any], in_features: int, weights: dict[str, torch.Tensor]
) -> None:
    """Refuse sizes that the weights do not have, before a network of that size is built."""
    lengths = {length for tensor in weights.values() for length in tensor.shape}
    for what, size in (("in_features", in_features), ("hidden", params["hidden"])):
        if type(size) is not int or size not in lengths:
            raise ValueError(f"no weights of the size {what} = {size!r}")
    layers = {name.split(".")[1] for name in weights if name.startswith("layers.")}
    found = len(layers) + (params.get("preset") == DECOUPLED)  # whose first one has other names
    if params["layers"] != found:
        raise ValueError(f"layers is {params['layers']!r}, there are weights for {found}")


def _as_labels(labels: torch.Tensor, task: str, count: int) -> NDArray[Any]:
    numbers, several = task == "regression", task == "multi-label"
    kind = torch.float64 if numbers else torch.int64
    if labels.dtype != kind or labels.shape[1:] != ((count,) if several else ()):
        raise ValueError(f"the known labels have type {labels.dtype} and {labels.ndim} dimensions")
    found: NDArray[Any] = labels.numpy()
    largest = 1 if several else count - 1
    if not numbers and found.size and not -1 <= found.min() <= found.max() <= largest:
        raise ValueError("a known label is not a class of the model")
    return found


def _as_split(parts: torch.Tensor) -> Split:
    if parts.dtype != torch.int8 or parts.ndim != 1:
        raise ValueError(f"the parts have type {parts.dtype} and {parts.ndim} dimensions")
    return splits_of(parts.numpy()[:, None])[0]
