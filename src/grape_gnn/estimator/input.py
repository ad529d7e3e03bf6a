"""What an estimator accepts: graphs, features and parameters, with clear refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import flag, number, whole_number
from grape_gnn.errors import DirectionMismatchError, GraphError, ModelError
from grape_gnn.extras import named_extra
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph
from grape_gnn.graph.feature_matrix import Features, refuse_infinite
from grape_gnn.nn import Preset
from grape_gnn.roles import RoleMatches
from grape_gnn.template import Template
from grape_gnn.warn import warn

with named_extra():
    import torch

    from grape_gnn.nn import SparseFeatures, as_sparse

__all__ = [
    "check_network",
    "check_roles",
    "check_same_kind",
    "device_works",
    "feature_array",
    "fit_encoder",
    "node_features",
    "report_empty",
]

_LARGE = 100.0  # mean size of a feature above which trainings were seen to fail
_ROWS = 1 << 16  # looked at together: features may be larger than memory
_WIDEST = 1 << 16  # two such layers have 17 GB of weights between them


def fit_encoder(
    graph: Graph, training: NDArray[np.bool_], scaling: bool | None
) -> NodeEncoder | None:
    """Learn how to make features of a graph's columns.

    Parameters
    ----------
    graph
        The graph.
    training
        Mask of the training nodes, which alone are learnt from.
    scaling
        Whether to scale numbers; None: those of a table, not a matrix of features.

    Returns
    -------
    NodeEncoder or None
        None: the graph's features are taken as they are.
    """
    if scaling is not None:
        flag("scaling", scaling, error=ModelError)
    if graph.columns is None and (graph.x is None or not scaling):
        if scaling is None and graph.x is not None:
            _report_scale(graph.x)
        return None
    return NodeEncoder(scaling=scaling is not False).fit(graph, nodes=training)


def _report_scale(x: Features) -> None:
    """Warn of features that are too large to learn from."""
    begins = range(0, x.shape[0] if x.shape[1] else 0, _ROWS)
    parts = [abs(x[k : k + _ROWS]).sum(axis=0, dtype=float) for k in begins]
    sizes = np.sum(parts, axis=0) / x.shape[0] if parts else np.zeros(1)
    if sizes.max() > _LARGE:
        warn(
            f"column {int(sizes.argmax())} of the features has values around {sizes.max():.2g}, "
            f"and training needs values around 1: pass scaling=True"
        )


def node_features(
    graph: Graph, encoder: NodeEncoder | None = None
) -> torch.Tensor | SparseFeatures:
    """Return a copy of `feature_array` as a network takes it."""
    x = feature_array(graph, encoder)
    return torch.from_numpy(np.array(x)) if isinstance(x, np.ndarray) else as_sparse(x)


def feature_array(
    graph: Graph, encoder: NodeEncoder | None = None, trained: Any = None
) -> Features:
    """Return the node features, made by an encoder or as they are; all ones if there are none.

    Features that are mapped into memory stay on disk, and sparse ones stay sparse. `trained` is as
    for `NodeEncoder.transform`.
    """
    if encoder is not None:
        encoded: Features = encoder.transform(graph, trained=trained)
        return encoded
    if graph.columns is not None:
        raise ModelError(
            f"the graph has a table of nodes with the columns "
            f"{', '.join(column.name for column in graph.columns)}, and the model was trained "
            f"without one: make features of it by NodeEncoder, or leave it out"
        )
    if graph.x is None:
        return np.ones((graph.num_nodes, 1), np.float32)
    try:
        refuse_infinite(graph.x)
    except GraphError as error:
        raise ModelError(f"{error}; fill in missing values first") from None
    return graph.x


def check_same_kind(graph: Graph, x: Features, in_features: int, directed: bool) -> None:
    """Refuse a graph of another kind than the one a model was trained on."""
    if graph.directed != directed:
        kinds = ("undirected", "directed")
        trained = ("an undirected", "a directed")[directed]
        raise DirectionMismatchError(
            f"the model was trained on {trained} graph, this one is "
            f"{kinds[graph.directed]}: convert it, or train on such a graph"
        )
    if x.shape[1] != in_features:
        raise ModelError(
            f"the graph has {x.shape[1]} features per node, the model was trained with "
            f"{in_features}: give the same features in the same order"
        )


def check_roles(
    graph: Graph, roles: RoleMatches, templates: Sequence[Template], preset: Preset
) -> None:
    """Refuse given roles that are not what a classifier would have matched."""
    found = [matched.template.canonical for matched in roles]
    if roles.graph is not graph or found != [t.canonical for t in templates]:
        raise ModelError(
            "the given roles are of other templates or of another graph: match the templates "
            "of the classifier on the graph that it is fitted on"
        )
    if roles.weighting != preset.weighting or roles.induced:
        raise ModelError(
            f"preset {preset.name!r} needs non-induced roles with "
            f"weighting={preset.weighting!r}: match them so"
        )


def check_network(
    hidden: int, layers: int, dropout: float, label_inputs: bool, device: str, seed: int
) -> None:
    """Refuse parameters that torch would refuse with a traceback, or take for others."""
    whole_number("hidden", hidden, 1, _WIDEST, error=ModelError)
    whole_number("layers", layers, 1, error=ModelError)
    whole_number("seed", seed, error=ModelError)
    number("dropout", dropout, least=0, below=1, error=ModelError)
    flag("label_inputs", label_inputs, error=ModelError)
    if not isinstance(device, str) or not device_works(device):
        raise ModelError(f"the device {device!r} is not available on this machine: try 'cpu'")


def device_works(name: str) -> bool:
    """Whether torch can put tensors on a device.

    Examples
    --------
    >>> device_works("cpu"), device_works("abacus")
    (True, False)
    """
    try:
        torch.empty(0, device=name)
    except (RuntimeError, AssertionError):  # the latter: a build of torch without CUDA
        return False
    return True


def report_empty(templates: Sequence[Template], found: Sequence[bool]) -> None:
    """Warn of templates that have no instance anywhere."""
    pairs = zip(templates, found, strict=True)
    empty = [template.name or template.text for template, any_there in pairs if not any_there]
    if empty:
        warn(
            f"no instance of {', '.join(empty)} in the graph: these templates see only the "
            f"nodes themselves; leave them out or choose others"
        )
