"""Whether to train on all nodes at once or in mini-batches: by what fits, before the matching.

What matching and training will take is estimated as by `grape_gnn.plan`. Most graphs are so small
that they fit even if every role had all nodes for members: those are not looked at more closely.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass

from grape_gnn.errors import ModelError
from grape_gnn.estimator.decoupled import Decoupled
from grape_gnn.estimator.method import Grape
from grape_gnn.graph import Graph
from grape_gnn.nn import RoleValues
from grape_gnn.planning.machine import this_machine
from grape_gnn.planning.training import (
    Network,
    decoupled,
    full_batch,
    full_batch_bytes,
    mini_batches,
)
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.estimate import MatchEstimator, most_bytes
from grape_gnn.training import checkpoint_identity
from grape_gnn.warn import warn

__all__ = ["Needs", "choose_batches", "needs_of_graph", "needs_of_roles"]

SIZE, SAMPLE = 1024, 10
_SHARE = 0.9  # of the free memory that an estimate may come to


@dataclass(frozen=True)
class Needs:
    """Bytes that training takes, besides the graph.

    Parameters
    ----------
    whole
        On all nodes at once.
    batches
        In mini-batches with a sample of the members.
    decoupled
        By the preset ``decoupled``, in place of the one that was chosen.
    """

    whole: float
    batches: float = 0.0
    decoupled: float = math.inf


def choose_batches(
    size: int | str | None,
    sample: int | None,
    needs: Callable[[float], Needs],
    checkpoint: str | os.PathLike[str] | None = None,
) -> tuple[int | None, int | None]:
    """Return the size of the batches, None for all nodes, and how many members are sampled.

    Parameters
    ----------
    size, sample
        As given to the estimator; ``"auto"``: what fits into the memory that is free.
    needs
        Estimates what training takes, given the bytes that there are.
    checkpoint
        File of an interrupted training; if it is there, ``"auto"`` is what it was then.

    Examples
    --------
    >>> small, large = Needs(1e6), Needs(1e18, 1e6)
    >>> choose_batches("auto", None, lambda _: small), choose_batches(64, 5, lambda _: small)
    ((None, None), (64, 5))
    """
    if size != "auto":
        if isinstance(size, str):
            raise ModelError(f"batch_size={size!r}: give a number, 'auto', or None for all nodes")
        return size, sample
    if sample is not None:
        return SIZE, sample
    before = checkpoint_identity(checkpoint)
    if before is not None:
        settings = before.get("settings", {})
        return settings.get("batch_size"), settings.get("sample_neighbours")
    free = this_machine().memory
    needed = needs(_SHARE * free)
    if needed.whole <= _SHARE * free:
        return None, None
    if needed.batches > _SHARE * free:
        other = "the preset 'decoupled', " if needed.decoupled <= _SHARE * free else ""
        raise ModelError(
            f"training needs about {_size(needed.whole)} on all nodes at once and "
            f"{_size(needed.batches)} in mini-batches, and {_size(free)} are free: use {other}"
            f"fewer templates, or a larger machine; batch_size={SIZE} and "
            f"sample_neighbours={SAMPLE} try it all the same"
        )
    warn(
        f"training on all nodes at once needs about {_size(needed.whole)} and {_size(free)} "
        f"are free: mini-batches of {SIZE:,} nodes are used, with a sample of {SAMPLE} members per "
        f"role and ego, right on average; batch_size=None trains on all nodes all the same"
    )
    return SIZE, SAMPLE


def needs_of_graph(
    graph: Graph, method: Grape | Decoupled, network: Network, enough: float
) -> Needs:
    """Estimate what matching a graph and training on it will take.

    Parameters
    ----------
    graph
        The graph; nothing is matched.
    method
        What is trained; a decoupled model reads its batches from disk and takes little.
    network
        Sizes of the network.
    enough
        If it can never take more than so many bytes, that is all that is looked at.

    Examples
    --------
    >>> g = Graph.from_edges([0, 1], [1, 2])
    >>> needs_of_graph(g, Grape("edge"), Network(features=8), enough=1e9).whole < 1e9
    True
    """
    if isinstance(method, Decoupled):
        return Needs(0.0)
    roles = sum(len(template.roles) - 1 for template in method.templates)
    n, entries = graph.num_nodes, graph.indices.size
    most = most_bytes(graph, roles) + full_batch_bytes(n, entries, roles, roles, network)
    if most <= enough:
        return Needs(most)
    settings = make_settings(weighting=method.preset.weighting, threads=1)
    estimator = MatchEstimator(graph, settings)
    matched = [estimator.estimate(template, count=False) for template in method.templates]
    whole = full_batch(graph, matched, network)
    batches = mini_batches(graph, matched, network, whole)
    return Needs(whole.memory, batches.memory, decoupled(graph, matched, network).memory)


def needs_of_roles(roles: RoleValues, network: Network) -> Needs:
    """Estimate what training on roles takes that were matched before."""
    graph = roles.graph
    further = sum(op.nbytes * 2.0 for op in roles.operators if op.is_stored and not op.is_near)
    sizes = (graph.num_nodes, graph.indices.size, len(roles.near), roles.num_roles)
    return Needs(further + full_batch_bytes(*sizes, network))


def _size(nbytes: float) -> str:
    return f"{nbytes / 1e9:,.1f} GB"
