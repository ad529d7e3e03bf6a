"""What the generated datasets share: their facts, and the checks of their options."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grape_gnn.arguments import whole_number
from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.errors import DatasetError
from grape_gnn.graph import Graph

__all__ = ["checked_size", "generated", "seeded"]


def generated(
    name: str,
    description: str,
    make: Callable[..., Graph],
    counts: tuple[int, int | None, int, int],
    *,
    templates: str = "social",
    directed: bool = False,
) -> Dataset:
    """Describe a graph of our own making; `counts` are nodes, edges, features and classes."""
    nodes, edges, features, classes = counts
    info = DatasetInfo(
        name=name,
        description=f"generated: {description}",
        templates=templates,
        citation="grape-gnn",
        licence="MIT",
        directed=directed,
        num_nodes=nodes,
        num_edges=edges,
        num_features=features,
        num_classes=classes,
    )
    return Dataset(info, make)


def checked_size(name: str, value: int, least: int, multiple: int = 1, reason: str = "") -> int:
    """Return the number of nodes or shapes that was asked for, or say what it must be and why.

    Examples
    --------
    >>> checked_size("num_nodes", 20, 9, 3, "so that each class falls into triangles")
    Traceback (most recent call last):
    grape_gnn.errors.DatasetError: num_nodes=20 must be a multiple of 3, so that each class falls
    into triangles
    """
    size = whole_number(name, value, least, error=DatasetError)
    if size % multiple:
        raise DatasetError(f"{name}={size} must be a multiple of {multiple}, {reason}")
    return size


def seeded(seed: int) -> np.random.Generator:
    """Return the source of everything random."""
    return np.random.default_rng(whole_number("seed", seed, error=DatasetError))
