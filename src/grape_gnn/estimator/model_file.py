"""A trained classifier as a file: safetensors weights with a JSON description in the header.

Loading checks everything it can before it builds anything, and never unpickles.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grape_gnn.errors import ModelFileError, TemplateError
from grape_gnn.estimator.known_labels import KnownLabels
from grape_gnn.features import NodeEncoder
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.template import Template

__all__ = ["SavedModel", "load_model", "save_model"]

_FORMAT = "grape-classifier"
_VERSION = 1
_KNOWN = "shown labels"  # the name in files of this version
_KINDS = {
    "params": dict,
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
        Parameters of the classifier, as `GrapeClassifier.get_params` gives them.
    templates
        The templates the model was trained with.
    label_names
        Label of every class.
    in_features
        Number of node features.
    directed
        Whether the model was trained on a directed graph.
    weights
        The tensors of the network, scaling constants included.
    library
        Version of the library that wrote the file.
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
        "label_names": list(model.label_names),
        "in_features": model.in_features,
        "directed": model.directed,
    }
    tensors = dict(model.weights)
    if model.known is not None:
        tensors[_KNOWN] = torch.from_numpy(model.known.codes)
        header["shown_on"] = model.known.edges
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
    codes = weights.pop(_KNOWN, None)
    try:
        for key, kind in _KINDS.items():
            if not isinstance(header[key], kind) or isinstance(header[key], bool) > (kind is bool):
                raise TypeError(f"{key} is {header[key]!r}")
        names = tuple(header["label_names"])
        if not all(isinstance(name, (str, int)) for name in names) or len(set(names)) < len(names):
            raise ValueError("label_names are not distinct texts or integers")
        _check_sizes(header["params"], header["in_features"], weights)
        known = None
        if codes is not None:
            known = KnownLabels(_as_codes(codes, len(names)), str(header["shown_on"]))
        encoder = NodeEncoder.from_json(header["encoder"]) if "encoder" in header else None
        return SavedModel(
            params=header["params"],
            templates=tuple(Template.from_json(entry) for entry in header["templates"]),
            label_names=names,
            in_features=header["in_features"],
            directed=header["directed"],
            weights=weights,
            library=header["library"],
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
    if params["layers"] != len(layers):
        raise ValueError(f"layers is {params['layers']!r}, there are weights for {len(layers)}")


def _as_codes(codes: torch.Tensor, classes: int) -> NDArray[np.int64]:
    if codes.dtype != torch.int64 or codes.ndim != 1:
        raise ValueError(f"the known labels have type {codes.dtype} and {codes.ndim} dimensions")
    found: NDArray[np.int64] = codes.numpy()
    if found.size and not -1 <= found.min() <= found.max() < classes:
        raise ValueError("a known label is not a class of the model")
    return found
