"""Which method a preset is, and what the estimator asks of both kinds."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import torch

from grape_gnn.estimator.decoupled import Decoupled
from grape_gnn.estimator.method import Grape
from grape_gnn.graph import Graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import Features
from grape_gnn.nn import DECOUPLED, GRAPE, DecoupledGRAPE
from grape_gnn.products import ProductFolder
from grape_gnn.template import Template
from grape_gnn.training import Prepared, ProductInputs, Shape

__all__ = ["find_method", "is_product_folder_of", "occurring", "untrained"]


def find_method(
    templates: str | Template | Iterable[str | Template], preset: str, engine: str = "auto"
) -> Grape | Decoupled:
    """Return GRAPE by its preset, with layers or decoupled.

    Examples
    --------
    >>> find_method("social", "decoupled").title
    'GRAPE, decoupled'
    """
    if preset == DECOUPLED:
        return Decoupled(templates, engine)
    return Grape(templates, preset, engine)


def untrained(
    method: Grape | Decoupled, shape: Shape, weights: Mapping[str, torch.Tensor]
) -> GRAPE | DecoupledGRAPE:
    """Return an untrained network that weights of a file may fit."""
    if isinstance(method, Decoupled):
        return method.network_of(shape, weights)
    return method.network(shape)


def occurring(prepared: Prepared) -> list[bool]:
    """Return for every template whether the graph has an instance of it."""
    if not isinstance(prepared.x, ProductInputs):
        (roles,) = prepared.structure
        return [bool(np.any(totals)) for totals in roles.totals]
    products = prepared.x.products
    largest = products.logs[0].max(axis=0, initial=0.0)
    sizes = [len(template.roles) - 1 for template in products.templates]
    starts = np.cumsum([0, *sizes[:-1]])
    return [bool(largest[k] > 0) for k in starts]


def is_product_folder_of(path: str | os.PathLike[str], graph: Graph, x: Features) -> bool:
    """Whether a folder has the products of a graph and features, and not of others."""
    if not Path(path, "config.json").exists():
        return False
    found = ProductFolder.open(path)
    return not found.missing and found.config["features"] == checksum(graph, x)
