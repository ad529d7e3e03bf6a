"""How much memory training on all nodes at once will take, before it is begun."""

from __future__ import annotations

from grape_gnn.nn.role_maps import LARGEST_KEPT
from grape_gnn.nn.role_values import RoleValues

__all__ = ["full_batch_bytes", "full_batch_bytes_of"]

# Fitted to benchmarks/memory.py.
_LIBRARIES = 60e6  # what torch takes when it first trains
_PER_VALUE = 6.0  # single precision, and half of them transposed as well
_PER_NUMBER = 6.0  # single precision, half as much again between numbers that were let go
_FIXED, _PER_LAYER = 10.0, 2.25  # numbers per node and column: of a step, and kept for each layer
_PER_TOTAL = 16.0  # of a node and role


def full_batch_bytes(
    nodes: int, entries: int, near: int, roles: int, width: int = 32, layers: int = 2
) -> float:
    """Estimate the bytes that full-batch training holds at its peak, besides the graph.

    Parameters
    ----------
    nodes, entries
        Of the graph; an undirected edge has two entries.
    near, roles
        Roles that are next to the ego, and all roles.
    width, layers
        Of the network.

    Examples
    --------
    >>> round(full_batch_bytes(100_000, 2_000_000, near=6, roles=7) / 1e6)
    511
    """
    messages = 4.0 * nodes * roles * width
    kept = messages * (layers if messages <= LARGEST_KEPT else 1)
    numbers = nodes * width * (_FIXED + _PER_LAYER * layers)
    held = _PER_VALUE * near * entries + _PER_NUMBER * numbers + _PER_TOTAL * nodes * roles
    return _LIBRARIES + kept + held


def full_batch_bytes_of(roles: RoleValues, width: int, layers: int) -> float:
    """Estimate the same for roles that were matched; those written out further away count too."""
    graph = roles.graph
    further = sum(op.nbytes * 2.0 for op in roles.operators if op.is_stored and not op.is_near)
    sizes = (graph.num_nodes, graph.indices.size, len(roles.near), roles.num_roles)
    return further + full_batch_bytes(*sizes, width, layers)
