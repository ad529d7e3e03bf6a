"""What matching a template will take: instances, engine, seconds, bytes.

Enumeration goes ego by ego, so some egos tell of all: it is run around a few hubs and a few others,
spread evenly over the degrees, and its time and entries are scaled up. The algebra does
not go by egos; its steps are counted as for the choice of the engine
(`grape_gnn.roles.algebra.CostModel`), priced by how fast the processor is, and what it stores is
one number per stored place. The choice takes pairs two steps apart for as many as walks that end
anywhere would join; an estimate looks (`grape_gnn.roles.two_steps`).
"""

from __future__ import annotations

import math
import time as clock
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grape_gnn.graph import Graph
from grape_gnn.roles.algebra import CostModel, Evaluator, choose_engine
from grape_gnn.roles.algebra.compile import compile_role
from grape_gnn.roles.algebra.cost import is_clique
from grape_gnn.roles.algebra.operator import AlgebraicRole
from grape_gnn.roles.algebra.share import Local
from grape_gnn.roles.algebra.steps import AlgebraSteps, Figures, seconds_of
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.roles.speed import slowness
from grape_gnn.roles.two_steps import HUBS, HUBS_SEEN, evenly, pairs_two_steps_apart
from grape_gnn.template import Template

__all__ = ["MatchEstimate", "MatchEstimator", "most_bytes"]

PATIENCE = 0.2  # seconds of CPU time for the sampled egos of a template
LONGEST = 2.0  # seconds that a single look may take
EXACT = 0.2  # seconds that an exact number of instances may take

# Bytes, fitted to benchmarks/plan.py.
_PER_STORED = 12.0  # a number with what is needed to find it
_PER_SUM = 9.5  # a number of a sum of stored matrices
_PER_EDGE = 10.0  # what the first number on the graph's own edges brings along
_PER_WRITTEN = 20.5  # an entry of a role matrix, while it is put together
_PER_NODE = (80.0, 16.0)  # sums and row pointers, of the first template and of others
_SECONDS_PER_WRITTEN = 20e-9
_SECONDS_PER_BYTE = 0.3e-9  # of memory that is touched for the first time
# Bytes, as the compiled core asks for them.
_PER_TURNED = 12.0  # an arc turned round, and where it came from
_PER_CLIQUE_ENTRY, _PER_CLIQUE_NODE = 30.0, 28.0  # `clique_roles_bytes`, one thread


@dataclass(frozen=True)
class MatchEstimate:
    """What matching one template is expected to take.

    Parameters
    ----------
    template
        The template.
    engine
        ``"algebra"`` or ``"enumerate"``, as ``engine="auto"`` chooses.
    instances
        Number of instances over all egos.
    exact
        Whether that number is exact, rather than an estimate.
    seconds
        CPU time of the matching on this machine.
    bytes
        Peak of the memory that it takes.
    written
        Entries of the role matrices that are written out.
    visits
        Entries that one product with the roles away from the ego visits.
    """

    template: Template
    engine: str
    instances: float
    exact: bool
    seconds: float
    bytes: float
    written: float
    visits: float

    @property
    def near(self) -> int:
        """Number of roles next to the ego."""
        return len(_near(self.template))


@dataclass(frozen=True)
class _Sample:
    """What enumeration around some egos says of all."""

    instances: float = 0.0
    entries: float = 0.0
    seconds: float = 0.0

    def plus(self, other: _Sample, times: float = 1.0) -> _Sample:
        """Add another sample, so many times."""
        return _Sample(
            self.instances + times * other.instances,
            self.entries + times * other.entries,
            max(0.0, self.seconds + times * other.seconds),
        )


class MatchEstimator:
    """Estimates for one graph; templates share what they have in common, as in `match`.

    Parameters
    ----------
    graph
        The graph.
    settings
        As for `match`.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> estimate = MatchEstimator(graph, MatchSettings()).estimate(grape.template("3-path"))
    >>> estimate.engine, estimate.instances
    ('algebra', 10)
    """

    def __init__(self, graph: Graph, settings: MatchSettings) -> None:
        self.graph = graph
        self.settings = settings
        self.model = CostModel(graph, induced=settings.induced)
        self._evaluator = Evaluator(graph)
        self._sums: set[Local] = set()
        self._others = self._turned = False

    def estimate(self, template: Template, *, count: bool = True) -> MatchEstimate:
        """Estimate one template; what earlier ones have stored costs nothing again.

        Parameters
        ----------
        template
            The template.
        count
            Whether the number of instances matters: it takes longer than all the rest, and is NaN
            otherwise if it does not come by itself.
        """
        engine = choose_engine(self.model, template, self.settings)
        entries = self.model.figures.entries
        if engine == "enumerate":
            sample = self._sample(template)
            instances, exact = sample.instances, False
            seconds, stored, written = sample.seconds, self._kernel(template), sample.entries
            visits = max(0.0, written - entries * len(_near(template)))
        else:
            instances, exact = self._instances(template) if count else (math.nan, False)
            seconds, stored, visits = self._algebra(template)
            self.model.keep(template)
            # Sets are written out to see what is positive.
            as_set = self.settings.weighting == "set"
            written = entries * (template.num_roles - 1) if as_set else 0.0
        stored += _PER_WRITTEN * written + _PER_NODE[self._others] * self.graph.num_nodes
        self._others = True
        seconds += _SECONDS_PER_WRITTEN * written + _SECONDS_PER_BYTE * stored
        return MatchEstimate(template, engine, instances, exact, seconds, stored, written, visits)

    @cached_property
    def figures(self) -> Figures:
        """What is known of the graph; of an undirected one, pairs two steps apart by a look."""
        found = self.model.figures
        if self.graph.directed:
            return found
        return replace(found, two_hops=min(found.wedges, pairs_two_steps_apart(self.graph)))

    # ------------------------------------------------------ algebra

    def _algebra(self, template: Template) -> tuple[float, float, float]:
        """Seconds and bytes until the roles of a template can be multiplied, and their visits."""
        known = self.model.known()
        building = AlgebraSteps(self.figures, set(known))
        stored = visits = 0.0
        if self.graph.directed and len(template.edges) > 1 and not self._turned:
            # Arcs are turned round once, for products and sums against their direction.
            self._turned = True
            stored += _PER_TURNED * self.figures.entries + 8 * self.figures.nodes
            building.count("jumped", self.figures.entries)
        for role, plan in enumerate(self.model.plans(template), start=1):
            for product in plan.products:
                for factor in product.factors:
                    building.factor(factor)
                    places = building.length(
                        factor.pieces[0][2] if isinstance(factor, Local) else factor
                    )
                    visits += 0.0 if role in _near(template) else places
                    if isinstance(factor, Local) and factor not in self._sums:
                        self._sums.add(factor)
                        stored += 0.0 if building.streams(factor) else _PER_SUM * places
                for vector in (v for parts in product.diagonals for _, v in parts.parts):
                    building.weigh(vector)
        for matrix in building.seen - known:
            stored += _PER_STORED * building.length(matrix)
        if building.seen and not known:
            stored += _PER_EDGE * self.model.figures.entries
        return slowness() * seconds_of(building.steps), stored, visits

    def _instances(self, template: Template) -> tuple[float, bool]:
        """Return the exact number of instances where it is cheap, else an estimate."""
        induced = self.settings.induced
        costs = {}
        for role in range(1, template.num_roles):
            terms = compile_role(template, role, induced=induced).terms
            costs[role] = self.model.prepare(matrix for _, matrix in terms).seconds
        cheapest = min(costs, key=lambda role: costs[role])
        if costs[cheapest] <= EXACT:
            easiest = AlgebraicRole(self._evaluator, template, cheapest, induced=induced)
            totals = easiest.totals()
            return sum(totals.tolist()), True
        return self._sample(template, pairs=False).instances, False

    # ------------------------------------------------------ enumeration

    def _kernel(self, template: Template) -> float:
        """Bytes of the kernel for cliques, which counts edge by edge, whatever there is to find."""
        if not is_clique(template):
            return 0.0
        return _PER_CLIQUE_ENTRY * self.figures.entries + _PER_CLIQUE_NODE * self.figures.nodes

    def _sample(self, template: Template, *, pairs: bool = True) -> _Sample:
        """Enumerate around some egos, and scale up.

        A few of the largest hubs stand for those. The other nodes are sorted by degree, and more
        and more of them, evenly spread, are looked at until the time is up.
        """
        order = np.argsort(-self.graph.degrees, kind="stable").astype(np.int32)
        few = evenly(order[:HUBS], min(order.size, HUBS_SEEN))
        setup = self._around(template, order[:0], pairs)  # what any call takes, however few egos
        hubs = self._around(template, few, pairs)
        if setup is None or hubs is None:
            return self._guess(template)
        rest = order[HUBS:]
        found, looked_at, size, start = _Sample(), 0, 64, clock.process_time()
        while looked_at < rest.size and clock.process_time() - start < PATIENCE:
            if size >= rest.size:  # then all of them, and nothing twice
                found, looked_at, size = _Sample(), 0, rest.size
            more = self._around(template, evenly(rest, size), pairs)
            if more is None:
                break
            found, looked_at, size = found.plus(more.plus(setup, -1)), looked_at + size, 2 * size
        if rest.size and not looked_at:
            return self._guess(template)
        scaled = setup.plus(hubs.plus(setup, -1), min(order.size, HUBS) / max(1, few.size))
        return scaled.plus(found, rest.size / max(1, looked_at))

    def _around(self, template: Template, egos: NDArray[np.int32], pairs: bool) -> _Sample | None:
        """Return what enumeration around some egos finds and takes; None if it takes too long."""
        settings = replace(self.settings, threads=1, seconds=LONGEST, partial=True, bytes=None)
        start = clock.process_time()
        output = enumerate_roles(self.graph, template, settings, egos, pairs=pairs)
        seconds = clock.process_time() - start
        if output.complete is not None:
            return None
        entries = sum(matrix.nnz for matrix in output.matrices)
        return _Sample(float(output.totals.sum()), float(entries), seconds)

    def _guess(self, template: Template) -> _Sample:
        """Return what random descents through the search say, where a single hub takes long."""
        steps = self.model.enumeration_steps(template, 10.0)
        seconds = self.model.enumeration(template, spare=10.0)
        return _Sample(self.model.instances(template), steps["entry"], seconds)


def most_bytes(graph: Graph, roles: int) -> float:
    """Bytes of a matching in which every node plays every role of every ego: few come close to it.

    Examples
    --------
    >>> round(most_bytes(Graph.from_edges([0, 1], [1, 2]), roles=7))
    1572
    """
    n, entries = float(graph.num_nodes), graph.indices.size
    return roles * _PER_WRITTEN * n * n + _PER_EDGE * entries + _PER_NODE[0] * n


def _near(template: Template) -> set[int]:
    """Return the roles next to the ego."""
    joined = {node for edge in template.edges if 0 in edge for node in edge}
    return {j for j, role in enumerate(template.roles) if j and role[0] in joined}
