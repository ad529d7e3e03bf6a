"""Permutation importance of the features: how much validation accuracy a column is worth.

The values of a column are dealt to the wrong nodes at random, and the trained network is asked
again. Of many columns those are measured that the loss reacts to most (by its gradient), and
measuring ends when the time is over; the result says how many there were.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grape_gnn.explain.measure import loss_of, measured
from grape_gnn.nn import GRAPE, RoleValues, SparseFeatures
from grape_gnn.progress import report

__all__ = ["FeatureGroup", "FeatureImportance", "feature_importance"]

MOST = 25
SECONDS = 20.0

FeatureGroup = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class FeatureImportance:
    """Accuracy lost on the validation nodes, as shares from 0 to 1, the largest loss first.

    Parameters
    ----------
    names
        The columns measured.
    drop, std
        Accuracy lost when a column is permuted: mean and standard deviation over the repeats.
    together
        Accuracy lost when all columns are permuted at once; None if there is nothing to permute.
    columns
        Number of columns that differ between nodes.
    """

    names: tuple[str, ...]
    drop: NDArray[np.float64]
    std: NDArray[np.float64]
    together: float | None
    columns: int


def feature_importance(
    network: GRAPE,
    x: torch.Tensor | SparseFeatures,
    roles: RoleValues,
    labels: NDArray[Any],
    mask: NDArray[np.bool_],
    groups: Sequence[FeatureGroup],
    *,
    repeats: int = 5,
    seed: int = 0,
    most: int = MOST,
    seconds: float = SECONDS,
) -> FeatureImportance:
    """Permute column after column, and see what accuracy is lost.

    Parameters
    ----------
    network, x, roles, labels, mask
        As for `permutation_importance`.
    groups
        The columns of the user's table: a name, and the columns of `x` that were made of it.
    repeats, seed
        Permutations per column, and their seed; every column gets the same ones.
    most
        Largest number of columns to measure.
    seconds
        Measuring ends after this time.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge"))
    >>> network = GRAPE(roles.templates, in_features=2, num_classes=2).eval()
    >>> x = torch.tensor([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [3.0, 1.0]])
    >>> everyone = np.ones(4, dtype=bool)
    >>> found = feature_importance(
    ...     network, x, roles, np.array([0, 0, 1, 1]), everyone, [("age", (0,)), ("one", (1,))]
    ... )
    >>> found.names, found.columns  # a constant column is worth nothing
    (('age',), 1)
    """
    nothing = FeatureImportance((), np.zeros(0), np.zeros(0), None, 0)
    differ = _differing(x)
    groups = [(name, columns) for name, columns in groups if differ[list(columns)].any()]
    if not groups or not mask.any():
        return nothing
    end = time.monotonic() + seconds
    wanted = labels[mask]
    draw = torch.Generator().manual_seed(seed)
    orders = [torch.randperm(x.shape[0], generator=draw) for _ in range(repeats)]
    network.eval()

    def accuracy(given: torch.Tensor | SparseFeatures) -> float:
        with torch.no_grad():
            scores = network(given, roles).cpu().numpy()[mask]
        return float(measured(scores, wanted, scores.shape[1])[0])

    before = accuracy(x)

    def drops(columns: Sequence[int]) -> list[float]:
        return [before - accuracy(_dealt(x, columns, order)) for order in orders]

    every = [column for _, columns in groups for column in columns]
    together = float(np.mean(drops(every)))
    names: list[str] = []
    found: list[list[float]] = []
    ranked = _likely(network, x, roles, wanted, mask, groups)[:most]
    for number, (name, columns) in enumerate(ranked):
        if names and time.monotonic() > end:
            break
        report("permuting features", number, len(ranked))
        names.append(name)
        found.append(drops(columns))
    drop, std = np.mean(found, axis=1), np.std(found, axis=1)
    order = np.argsort(-drop, kind="stable")
    return FeatureImportance(
        tuple(names[k] for k in order), drop[order], std[order], together, len(groups)
    )


def _differing(x: torch.Tensor | SparseFeatures) -> NDArray[np.bool_]:
    """Tell which columns differ between nodes."""
    if isinstance(x, torch.Tensor):
        found: NDArray[np.bool_] = (x != x[:1]).any(dim=0).cpu().numpy()
        return found
    matrix = x.matrix  # a column with gaps differs; one without has an extreme on either side
    low, high = (np.asarray(part.toarray()).ravel() for part in (matrix.min(0), matrix.max(0)))
    return np.asarray(low != high)


def _dealt(
    x: torch.Tensor | SparseFeatures, columns: Sequence[int], order: torch.Tensor
) -> torch.Tensor | SparseFeatures:
    """Deal the values of some columns to other nodes: row i gets those of row ``order[i]``."""
    if isinstance(x, torch.Tensor):
        dealt = x.clone()
        dealt[:, list(columns)] = x[order.to(x.device)][:, list(columns)]
        return dealt
    matrix = x.matrix
    chosen = np.zeros(matrix.shape[1], bool)
    chosen[list(columns)] = True
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    moved = np.where(chosen[matrix.indices], np.argsort(order.numpy())[rows], rows)
    return SparseFeatures(csr_array((matrix.data, (moved, matrix.indices)), matrix.shape))


def _likely(
    network: GRAPE,
    x: torch.Tensor | SparseFeatures,
    roles: RoleValues,
    wanted: NDArray[Any],
    mask: NDArray[np.bool_],
    groups: Sequence[FeatureGroup],
) -> list[FeatureGroup]:
    """Order columns by how much the loss reacts to them: the gradient times the deviation.

    Of a sparse matrix the mean is next to nothing, and the deviation is the value.
    """
    values = x.values if isinstance(x, SparseFeatures) else x
    leaf = values.detach().clone().requires_grad_()
    given = x.with_values(leaf) if isinstance(x, SparseFeatures) else leaf
    scores = network(given, roles)
    loss = loss_of(scores[torch.from_numpy(mask).to(scores.device)], _like(wanted, scores))
    (gradient,) = torch.autograd.grad(loss, leaf)
    if isinstance(x, SparseFeatures):
        sizes = (gradient * values).abs().numpy()
        reaction = np.bincount(x.matrix.indices, sizes, minlength=x.shape[1])
    else:
        reaction = (gradient * (x - x.mean(dim=0))).abs().sum(dim=0).cpu().numpy()
    weight = {name: float(reaction[list(columns)].sum()) for name, columns in groups}
    return sorted(groups, key=lambda group: -weight[group[0]])


def _like(wanted: NDArray[Any], scores: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(wanted).to(scores.device)
