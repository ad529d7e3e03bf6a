"""Whether to train on all nodes at once or in mini-batches: by what fits into memory."""

from __future__ import annotations

import os
from typing import Any

from grape_gnn.errors import ModelError
from grape_gnn.nn import RoleValues
from grape_gnn.planning.machine import this_machine
from grape_gnn.planning.training import Network, full_batch_bytes
from grape_gnn.training import checkpoint_identity
from grape_gnn.warn import warn

__all__ = ["choose_batches"]

SIZE, SAMPLE = 1024, 10
_SHARE = 0.9  # of the free memory that an estimate may come to


def choose_batches(
    size: int | str | None,
    sample: int | None,
    roles: Any,
    network: Network,
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[int | None, int | None]:
    """Return the size of the batches, None for all nodes, and how many members are sampled.

    Parameters
    ----------
    size, sample
        As given to the estimator; ``"auto"``: what fits into the memory that is free.
    roles
        The roles of the graph; anything else has no roles to hold and is trained as it likes.
    network
        Sizes of the network.
    checkpoint
        File of an interrupted training; if it is there, ``"auto"`` is what it was then.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> roles = RoleValues(grape.match(grape.Graph.from_edges([0], [1]), "edge"))
    >>> network = Network(features=8)
    >>> choose_batches("auto", None, roles, network), choose_batches(64, 5, roles, network)
    ((None, None), (64, 5))
    """
    if size != "auto":
        if isinstance(size, str):
            raise ModelError(f"batch_size={size!r}: give a number, 'auto', or None for all nodes")
        return size, sample
    if not isinstance(roles, RoleValues):
        return None, sample
    if sample is not None:
        return SIZE, sample
    before = checkpoint_identity(checkpoint)
    if before is not None:
        settings = before.get("settings", {})
        return settings.get("batch_size"), settings.get("sample_neighbours")
    needed, free = _needed(roles, network), this_machine().memory
    if needed <= _SHARE * free:
        return None, None
    warn(
        f"training on all nodes at once needs about {needed / 1e9:.1f} GB and {free / 1e9:.1f} GB "
        f"are free: mini-batches of {SIZE:,} nodes are used, with a sample of {SAMPLE} members per "
        f"role and ego, right on average; batch_size=None trains on all nodes all the same"
    )
    return SIZE, SAMPLE


def _needed(roles: RoleValues, network: Network) -> float:
    """Bytes of training on all nodes; roles written out further away count too."""
    graph = roles.graph
    further = sum(op.nbytes * 2.0 for op in roles.operators if op.is_stored and not op.is_near)
    sizes = (graph.num_nodes, graph.indices.size, len(roles.near), roles.num_roles)
    return further + full_batch_bytes(*sizes, network)
