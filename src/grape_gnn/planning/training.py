"""What training will take: full batch, in mini-batches, or decoupled from precomputed products.

All are sums of a few terms: what is held per entry of the role matrices and per node, and how often
an epoch visits them. The figures were fitted to `benchmarks/plan.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grape_gnn.graph import Graph
from grape_gnn.planning.matching import MatchEstimate

__all__ = ["Network", "TrainEstimate", "full_batch"]

# Seconds, per number of a layer that one epoch touches: forward, backward, validation.
_NEAR = 1.0e-9  # an entry of a role next to the ego, times a column
_AWAY = 1.0e-9  # an entry visited for the other roles, times a column
_MAPPED = 3.0e-10  # a message times a column of its map
_MESSAGE = 1.5e-8  # a message: written, standardised, differentiated
_NORMED = 3.0e-8  # a number of a layer: normalised, dropped, added
_EPOCH = 0.01  # what an epoch takes on the smallest graph

# Bytes.
_PER_ENTRY = 4.0  # of the graph: where a member is
_PER_VALUE = 8.0  # of a role next to the ego, both ways
_PER_ACTIVATION = 28.0  # a number of a layer's input or output, and its derivative
_LIBRARIES = 10e6  # what torch takes when it first trains


@dataclass(frozen=True)
class Network:
    """The network to be trained.

    Parameters
    ----------
    features
        Number of features of a node.
    width
        Width of the hidden layers.
    layers
        Number of layers.
    """

    features: int
    width: int = 32
    layers: int = 2


@dataclass(frozen=True)
class TrainEstimate:
    """What one way to train is expected to take, besides the graph itself.

    Parameters
    ----------
    way
        ``"full batch"``, ``"mini-batches"`` or ``"decoupled"``.
    before
        Seconds before the first epoch: matching, products.
    epoch
        Seconds of an epoch.
    memory, disk
        Bytes, at the peak.
    options
        What `grape train` needs to hear.
    """

    way: str
    before: float
    epoch: float
    memory: float
    disk: float = 0.0
    options: tuple[str, ...] = ()


def full_batch(graph: Graph, matched: Sequence[MatchEstimate], network: Network) -> TrainEstimate:
    """Estimate training on all nodes at once."""
    n, entries = graph.num_nodes, graph.indices.size
    near = sum(found.near for found in matched)
    roles = sum(len(found.template.roles) - 1 for found in matched)
    visits = sum(found.visits for found in matched)
    messages = n * roles * network.width * network.layers
    epoch = _EPOCH + network.layers * network.width * (_NEAR * near * entries + _AWAY * visits)
    epoch += messages * (_MESSAGE + _MAPPED * network.width)
    epoch += _NORMED * n * network.width * network.layers
    epoch += _MAPPED * n * network.features * network.width
    held = entries * (_PER_ENTRY + _PER_VALUE * near)
    held += _PER_ACTIVATION * n * network.width * (network.layers + 1)
    held += 4 * messages + 24 * n * roles + 12 * n * network.features
    at_once = max(sum(found.bytes for found in matched), held)
    return TrainEstimate(
        "full batch", sum(found.seconds for found in matched), epoch, _LIBRARIES + at_once
    )
