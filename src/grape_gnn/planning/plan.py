"""`plan`: what matching and training will take on this machine, and which way fits."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any

from grape_gnn.arguments import parse_bytes
from grape_gnn.graph import Graph, GraphLike, as_graph
from grape_gnn.graph.feature_matrix import stored_columns
from grape_gnn.planning.machine import Machine, this_machine
from grape_gnn.planning.training import (
    Network,
    TrainEstimate,
    decoupled,
    full_batch,
    mini_batches,
)
from grape_gnn.roles.engine import make_settings
from grape_gnn.roles.estimate import MatchEstimate, MatchEstimator
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["Plan", "plan"]


@dataclass(frozen=True)
class Plan:
    """What a job will take, estimated.

    Parameters
    ----------
    graph
        The graph.
    machine
        What there is.
    matching
        What every template takes.
    training
        Ways to train on them, the one with the best models first.
    """

    graph: Graph
    machine: Machine
    matching: tuple[MatchEstimate, ...]
    training: tuple[TrainEstimate, ...]

    @property
    def seconds(self) -> float:
        """CPU time of the matching."""
        return sum(found.seconds for found in self.matching)

    @property
    def memory(self) -> float:
        """Peak memory of the matching, in bytes."""
        return sum(found.bytes for found in self.matching)

    def fits(self, way: TrainEstimate) -> bool:
        """Say whether this machine has the memory and the disk for a way to train."""
        return way.memory <= self.machine.memory and way.disk <= self.machine.disk

    @property
    def best(self) -> TrainEstimate | None:
        """The first way to train that fits; None if none does."""
        return next((way for way in self.training if self.fits(way)), None)

    def to_json(self) -> dict[str, Any]:
        """Return all figures, for scripts."""
        return {
            "machine": asdict(self.machine),
            "matching": [
                asdict(row) | {"template": row.template.name or row.template.text}
                for row in self.matching
            ],
            "training": [asdict(way) | {"fits": self.fits(way)} for way in self.training],
        }


def plan(
    graph: GraphLike,
    templates: str | Template | Iterable[str | Template] = "social",
    *,
    weighting: str = "count",
    induced: bool = False,
    features: int | None = None,
    hidden: int = 32,
    layers: int = 2,
    memory: int | str | None = None,
    folder: str | os.PathLike[str] = ".",
) -> Plan:
    """Estimate what matching and training will take, without doing it.

    Times of matching are CPU seconds of this machine, whose speed is looked at for a moment; those
    of an epoch are of the processor that they were fitted on. `benchmarks/plan.py` compares them
    with measured ones.

    Parameters
    ----------
    graph
        The graph.
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    weighting, induced
        As for `match`.
    features
        Number of features of a node; None: those of the graph, or one.
    hidden, layers
        Of the network, as for `GrapeClassifier`.
    memory
        What may be taken, such as ``"8GB"``; None: what is free on this machine.
    folder
        Where results would be written: its free space counts.

    Returns
    -------
    Plan

    Examples
    --------
    >>> import grape_gnn as grape
    >>> found = grape.plan(grape.datasets.load("planted-roles", num_shapes=30), "triangle")
    >>> [(row.engine, row.instances) for row in found.matching]
    [('algebra', 708)]
    >>> found.best.way
    'full batch'
    """
    graph = as_graph(graph)
    settings = make_settings(weighting=weighting, induced=induced, threads=1)
    estimator = MatchEstimator(graph, settings)
    matched = tuple(estimator.estimate(template) for template in find_templates(templates))
    machine = this_machine(folder)
    if memory is not None:
        machine = replace(machine, memory=parse_bytes(memory))
    network = Network(_columns(graph) if features is None else features, hidden, layers)
    whole = full_batch(graph, matched, network)
    batches = mini_batches(graph, matched, network, whole)
    return Plan(graph, machine, matched, (whole, batches, decoupled(graph, matched, network)))


def _columns(graph: Graph) -> int:
    if graph.x is not None:
        return max(1, stored_columns(graph.x))
    return max(1, len(graph.columns or ()))
