"""What a model needs of a graph to answer for a block of egos: prepared once, mapped by all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from grape_gnn.cluster.precompute import precompute_parts
from grape_gnn.cluster.predictions_folder import PredictionsFolder
from grape_gnn.errors import ModelError, ProductsFileError
from grape_gnn.graph import Graph
from grape_gnn.graph.feature_matrix import Features, as_features
from grape_gnn.products import ProductFolder, RoleMeans, label_products
from grape_gnn.products.precompute import features_of
from grape_gnn.roles import match
from grape_gnn.workers import WorkerSettings

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.training import Batches

__all__ = ["block_batches", "check_model", "prepare_products"]


def check_model(
    model: GrapeEstimator, graph: Graph, x: Any, known: Any
) -> tuple[Features, NDArray[Any] | None]:
    """Return features and known labels, or refuse a model that cannot answer by blocks."""
    from grape_gnn.estimator.input import check_same_kind, feature_array
    from grape_gnn.nn import GRAPE

    width, network = model.num_features, model.network  # complain if nothing was fitted
    if isinstance(network, GRAPE) and network.preset.maps != "role":
        raise ModelError(
            f"the preset {model.preset!r} weighs templates by averages over all nodes, so no block "
            f"of egos can be predicted by itself: predict it whole, or train with 'default' or "
            f"'decoupled'"
        )
    if x is None:
        features = feature_array(graph, model.encoder_)
    else:
        features = as_features(x, graph.num_nodes)
    check_same_kind(graph, features, width, model._directed)
    return features, model.seen_labels(graph, known)


def prepare_products(
    model: GrapeEstimator,
    path: str | os.PathLike[str],
    graph: Graph,
    x: Features,
    folder: PredictionsFolder,
    given: str | os.PathLike[str] | None,
    memory: int | str | None,
    settings: WorkerSettings,
) -> str | None:
    """Return the folder of products for a decoupled model, computed if need be; None: no need."""
    from grape_gnn.estimator.methods import is_product_folder_of
    from grape_gnn.training.objective import label_columns

    if not _is_decoupled(model):
        return None
    directions = _directions(model)
    columns: Features = x if directions is None else np.asarray(x @ directions)
    if given is not None and not is_product_folder_of(given, graph, columns):
        raise ProductsFileError(
            given, "is not complete, or of another graph or other features: compute them again"
        )
    own = model.products
    if given is None and own is not None and is_product_folder_of(own, graph, columns):
        given = own
    if given is None:
        given, file = folder.path / "products", folder.path / "x.npy"
        if directions is not None:
            file = folder.path / "columns.npy"
            folder.write_array("columns", np.asarray(columns))
        precompute_parts(
            path, model.templates_, given, x=file if file.exists() else None, memory=memory,
            jobs=settings.jobs, backend=settings.backend, scheduler=settings.scheduler,
        )  # fmt: skip
    seen = folder.array("known")
    hops = ProductFolder.open(given).config["hops"]
    if seen is not None and any(folder.array(f"labels{k}") is None for k in range(1, hops + 1)):
        import torch

        shown = label_columns(torch.from_numpy(seen.copy()), model.num_outputs).numpy()
        means = RoleMeans(match(graph, model.templates_))
        labels = label_products(means, shown, hops)
        for hop, product in enumerate(labels, start=1):
            folder.write_array(f"labels{hop}", product)
    return str(Path(given).absolute())


def block_batches(
    model: GrapeEstimator, graph: Graph, folder: PredictionsFolder, products: str | None
) -> Batches:
    """Return what the network is given for some egos, mapped as far as it can be."""
    import torch

    from grape_gnn.estimator.method import Grape
    from grape_gnn.estimator.role_batches import RoleBlocks
    from grape_gnn.nn import as_sparse
    from grape_gnn.training import Prepared, ProductBatches, ProductInputs

    given = folder.array("x")
    x = features_of(graph, None) if given is None else given
    if products is not None:
        found = ProductFolder.open(products).products()
        labels = [folder.array(f"labels{hop}") for hop in range(1, found.hops + 1)]
        shown = None if labels[0] is None else tuple(cast(list[NDArray[np.float32]], labels))
        inputs = ProductInputs(
            x,
            found,
            lambda: RoleMeans(match(graph, model.templates_)),
            shown,
            _directions(model),
        )
        return ProductBatches(inputs, None)
    method = model._method()
    assert isinstance(method, Grape)  # the others have products
    prepared = Prepared(as_sparse(x, model.device), False, (method.roles(graph),))
    seen = folder.array("known")
    if seen is not None:
        visible = torch.from_numpy(seen.copy()).to(model.device)
        prepared = prepared.with_labels(visible, model.num_outputs)
    return RoleBlocks([prepared.x, *prepared.structure], model.layers)


def _is_decoupled(model: GrapeEstimator) -> bool:
    from grape_gnn.nn import DecoupledGRAPE

    return isinstance(model.network, DecoupledGRAPE)


def _directions(model: GrapeEstimator) -> NDArray[np.float32] | None:
    kept = getattr(model.network, "directions", None)
    return None if kept is None else cast("NDArray[np.float32]", kept.cpu().numpy())
