"""What training will take: full batch, in mini-batches, or decoupled from precomputed products.

All are sums of a few terms: what is held per entry of the role matrices and per node, and how often
an epoch visits them. The figures were fitted to `benchmarks/plan.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from grape_gnn.graph import Graph
from grape_gnn.roles.estimate import MatchEstimate

__all__ = [
    "LARGEST_KEPT",
    "Network",
    "TrainEstimate",
    "decoupled",
    "full_batch",
    "full_batch_bytes",
    "mini_batches",
]

# Seconds, per number of a layer that one epoch touches: forward, backward, validation.
_NEAR = 2.3e-10  # an entry of a role next to the ego, times a column
_AWAY = 3.0e-10  # an entry visited for the other roles, times a column
_MAPPED = 1.2e-10  # a message times a column of its map
_MESSAGE = 1.6e-9  # a message: written, standardised, differentiated
_NORMED = 1.6e-8  # a number of a layer: normalised, dropped, added
_EPOCH = 0.005  # what an epoch takes on the smallest graph

BATCH, SAMPLE, HOPS = 1024, 10, 2
_TRAINED = 0.6  # of the nodes are trained on
_STEP = 0.15  # of the time of an epoch goes into the same nodes of a batch
_MULTIPLIED = 1.5e-9  # an entry times a column, by all roles together
_WRITTEN = 1.0e-8  # a product, to disk
_LEARNT = 1.5e-8  # a product, read and mapped

# Bytes, fitted to benchmarks/memory.py and plan.py.
_LIBRARIES = 20e6  # what torch takes when it first trains
_PER_VALUE = 4.0  # single precision
_PER_NUMBER = 5.0  # single precision, a quarter as much between numbers that were let go
_FIXED, _PER_LAYER = 10.0, 2.25  # numbers per node and column: of a step, and kept for each layer
_PER_TOTAL = 16.0  # of a node and role
_PER_FEATURE = 12.0
_PER_NEEDED = 12.0  # of a message in a batch
_COLUMNS = 8  # multiplied at once where memory is short
_WINDOWS = 1.5e9  # read from disk at a time, with what is learnt from them
LARGEST_KEPT = 1 << 26  # bytes of a layer's messages; larger ones are computed again


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
    needed = full_batch_bytes(n, entries, near, roles, network)
    return TrainEstimate(
        "full batch",
        sum(found.seconds for found in matched),
        epoch,
        max(needed, sum(found.bytes for found in matched)),
    )


def mini_batches(
    graph: Graph, matched: Sequence[MatchEstimate], network: Network, whole: TrainEstimate
) -> TrainEstimate:
    """Estimate training in batches of egos with a sample of their members.

    A batch needs the members of its members, layer by layer: with so many neighbours as an ego has
    or are sampled, soon a large part of the graph. Of those it takes a share of the time that they
    take in an epoch of all nodes, as the first layers are for all of them and the last for few.
    """
    n, entries = graph.num_nodes, graph.indices.size
    roles = sum(len(found.template.roles) - 1 for found in matched)
    near = sum(found.near for found in matched)
    reached = 1 + min(SAMPLE * roles, entries / max(1, n))
    needed = min(n, BATCH * reached**network.layers)
    steps = math.ceil(_TRAINED * n / BATCH)
    held = _PER_VALUE * near * entries + 2 * _PER_TOTAL * n * roles
    held += _PER_FEATURE * n * network.features + sum(found.bytes for found in matched)
    held += _PER_NEEDED * needed * network.width * roles
    return TrainEstimate(
        "mini-batches",
        whole.before,
        steps * (_EPOCH + _STEP * needed * whole.epoch / max(1, n)),
        _LIBRARIES + held,
        options=("--batch-size", str(BATCH), "--sample-neighbours", str(SAMPLE)),
    )


def decoupled(graph: Graph, matched: Sequence[MatchEstimate], network: Network) -> TrainEstimate:
    """Estimate training on products that are computed once, by blocks of columns, and kept on disk.

    Products of the second hop are means over the neighbours of those of the first.
    """
    n, entries = graph.num_nodes, graph.indices.size
    roles = sum(len(found.template.roles) - 1 for found in matched)
    near = sum(found.near for found in matched)
    visits = sum(found.visits for found in matched)
    products = HOPS * n * roles * network.features
    before = sum(found.seconds for found in matched)
    before += _MULTIPLIED * network.features * ((near + roles) * entries + visits)
    before += _WRITTEN * products
    block = n * (4 * (HOPS * roles + 2) + 48) * min(network.features, _COLUMNS)
    held = sum(found.bytes for found in matched) + 24 * n * roles + block
    return TrainEstimate(
        "decoupled",
        before,
        _EPOCH + _LEARNT * products * (1 + network.width / 64),
        _LIBRARIES + max(held, min(_WINDOWS, 8.0 * products)),
        disk=4.0 * (products + HOPS * n * roles),
        options=("--preset", "decoupled", "--products", "products"),
    )


def full_batch_bytes(nodes: int, entries: int, near: int, roles: int, network: Network) -> float:
    """Estimate the bytes that full-batch training holds at its peak, besides the graph.

    Parameters
    ----------
    nodes, entries
        Of the graph; an undirected edge has two entries.
    near, roles
        Roles that are next to the ego, and all roles.
    network
        The network.

    Examples
    --------
    >>> round(full_batch_bytes(100_000, 2_000_000, 6, 7, Network(features=32)) / 1e6)
    439
    """
    messages = 4.0 * nodes * roles * network.width
    kept = messages * (network.layers if messages <= LARGEST_KEPT else 1)
    numbers = nodes * network.width * (_FIXED + _PER_LAYER * network.layers)
    held = _PER_VALUE * near * entries + _PER_NUMBER * numbers + _PER_TOTAL * nodes * roles
    return _LIBRARIES + kept + held + _PER_FEATURE * nodes * network.features
