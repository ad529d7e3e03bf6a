"""What the roles of a template cost on a given graph, by the algebra and by enumeration.

Compared is what a user pays until the first result: all roles found, and once multiplied by 32
columns of features. Both sides are counts of elementary steps times what a step takes. The steps
of the algebra follow from sums over the degrees and from how often walks close; those of the
enumeration from random descents through its own search (``native/search_sample.hpp``), since no
formula knows what hubs do to it. Nothing looks at a clock: the same input, the same answer.

The nanoseconds were fitted to `benchmarks/auto.py`.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from grape_gnn import _native
from grape_gnn.errors import BudgetExceededError
from grape_gnn.graph import Graph
from grape_gnn.roles.algebra.expression import Adjacency, Matrix, Vector, chain
from grape_gnn.roles.algebra.induced import MOST_OPEN, open_pairs
from grape_gnn.roles.algebra.quotients import watched
from grape_gnn.roles.algebra.share import Gathered, role_plan, split_chain
from grape_gnn.roles.algebra.steps import COLUMNS, AlgebraSteps, Figures, Steps, seconds_of
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.native_call import compiled, stop_kind
from grape_gnn.template import Template

__all__ = ["Cost", "CostModel", "choose_engine", "is_clique"]

# Nanoseconds per step of the enumeration; the first nine as in native/search_sample.hpp.
_ENUMERATION = {
    "bound": 29.0,
    "derived": 0.72,
    "walked": 3.7,
    "gathered": 4.0,
    "combined": 7.8,
    "words": 0.1,
    "decoded": 4.2,
    "handed": 0.93,
    "finished": 2.9,
    "clique": 5.0,
    "jumped": 0.86,
    "row": 150.0,  # of a role matrix begun
    "entry": 23.0,  # written to a role matrix
    "product": 0.27,
    "fetched": 79.0,
    "output": 5.4,
}
_MULTIPLIED = ("product", "fetched", "output")  # steps with the features
_SEARCH = tuple(_ENUMERATION)[:9]
_CLEARLY_MORE = 100.0  # a rough guess is enough to see that enumeration takes longer
_QUICK = 0.005  # seconds of an enumeration
_PLANNING = 0.02  # of the time of the algebra may go into looking at the enumeration


@dataclass(frozen=True)
class Cost:
    """Seconds to compute the stored parts, and entries stored off the graph's own edges."""

    seconds: float = 0.0
    entries: float = 0.0


class CostModel:
    """Costs on one graph.

    Parameters
    ----------
    graph
        The graph.
    induced
        Whether induced instances are asked for.

    Examples
    --------
    >>> from grape_gnn.roles.algebra.expression import Adjacency, chain, hadamard
    >>> A = Adjacency("out")
    >>> model = CostModel(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> model.prepare([chain(A, A, A)]).seconds == 0.0  # applied step by step, never formed
    True
    >>> model.prepare([hadamard(chain(A, A), chain(A, A))]).entries > 0  # two-hop pairs
    True
    """

    def __init__(self, graph: Graph, *, induced: bool = False) -> None:
        self.graph = graph
        self.induced = induced
        self._now = MatchSettings()
        self._deadline: float | None = None
        self._memory: int | None = None
        self._chosen: list[Template] = []  # not looked at until another template is planned
        self._kept: set[Matrix] = set()

    @contextmanager
    def within(self, settings: MatchSettings) -> Iterator[None]:
        """Limit the time and the bytes of the estimates made inside the block."""
        self._now, self._memory, seconds = settings, settings.bytes, settings.seconds
        self._deadline = None if seconds is None else clock.monotonic() + seconds
        try:
            with watched(lambda: self._check(0)):
                yield
        finally:
            self._deadline = self._memory = None

    @cached_property
    def figures(self) -> Figures:
        """Sums over the degrees, and how often walks close."""
        *found, stop = _native.graph_profile(self.graph.native, self._limits())
        self._check(stop)
        return Figures(float(self.graph.num_nodes), float(len(self.graph.indices)), *found)

    def _limits(self) -> tuple[float | None, int | None, None]:
        left = None if self._deadline is None else max(0.0, self._deadline - clock.monotonic())
        return (left, self._memory, None)

    def _check(self, stop: int) -> None:
        if stop_kind(stop) == "time" or self._limits()[0] == 0.0:
            raise BudgetExceededError(
                "time",
                f"the time budget of {self._now.time_words} ran out while an engine was chosen for "
                f"{self.graph!r}: allow more with time=..., or name the engine",
            )

    # ------------------------------------------------------ algebra

    def prepare(self, matrices: Iterable[Matrix]) -> Cost:
        """Everything that has to be stored before operators with these terms can be applied."""
        building = AlgebraSteps(self.figures, set())
        for matrix in matrices:
            factors, vectors = split_chain(matrix)
            for factor in factors:
                building.store(factor)
            for vector in vectors:
                building.weigh(vector)
        return Cost(seconds_of(building.steps), building.pairs)

    def weigh(self, vectors: Iterable[Vector]) -> float:
        """Seconds to compute vectors, one number per node each; infinite if they do not fit."""
        building = AlgebraSteps(self.figures, set())
        for vector in vectors:
            self._check(0)
            building.weigh(vector)
        return seconds_of(building.steps) if building.pairs_fit else math.inf

    def algebra(self, template: Template) -> float:
        """Seconds to build all roles by the algebra, and to multiply them once."""
        return seconds_of(self.algebra_steps(template))

    def algebra_steps(self, template: Template) -> Steps:
        """Return the steps of the algebra by kind; what is kept already costs nothing."""
        building = AlgebraSteps(self.figures, self.known())
        passes = set()
        for plan in self.plans(template):
            for product in plan.products:
                for factor in product.factors:
                    building.factor(factor)
                for vector in (v for sums in product.diagonals for _, v in sums.parts):
                    building.weigh(vector)
                rest = range(len(product.factors))
                passes |= {(product.factors[k:], product.diagonals[k:]) for k in rest}
        for factors, _ in passes:
            building.multiply(factors[0])
        building.count("output", (template.num_roles - 1) * self.figures.nodes * COLUMNS)
        return building.steps

    def written(self, template: Template) -> tuple[float, float]:
        """Seconds to write all roles out as matrices, by the algebra and by enumeration.

        The algebra pushes every row through all factors of a product; an enumeration writes what
        its search finds.
        """
        building = AlgebraSteps(self.figures, self.known())
        for plan in self.plans(template):
            longest = 1
            for product in plan.products:
                for factor in product.factors:
                    building.factor(factor)
                building.push(len(product.factors) - 1)
                longest = max(longest, len(product.factors))
            building.count("written", building.length(chain(*[Adjacency("out")] * longest)))
        algebra = seconds_of(building.steps)
        steps = self.enumeration_steps(template, algebra)
        found = {kind: count for kind, count in steps.items() if kind not in _MULTIPLIED}
        return algebra, seconds_of(found, _ENUMERATION)

    def keep(self, template: Template) -> None:
        """Note that the stored parts of a template will be there for the next one."""
        self._chosen.append(template)

    def known(self) -> set[Matrix]:
        """Return what is stored for the templates chosen so far."""
        while self._chosen:
            building = AlgebraSteps(self.figures, self._kept)
            for plan in self.plans(self._chosen.pop()):
                for factor in (f for product in plan.products for f in product.factors):
                    building.factor(factor)
        return set(self._kept)

    def plans(self, template: Template) -> Iterator[Gathered]:
        """Return the gathered terms of all roles of a template."""
        for role in range(1, template.num_roles):
            yield role_plan(template, role, induced=self.induced)
            self._check(0)  # large templates have long expressions

    # ------------------------------------------------------ enumeration

    def instances(self, template: Template) -> float:
        """Return an estimate of the number of instances, over all egos."""
        return self._maps(template) / template.num_automorphisms

    def enumeration(self, template: Template, *, spare: float = 1.0) -> float:
        """Seconds to find all roles by enumeration, and to multiply them once.

        Parameters
        ----------
        template
            What to enumerate.
        spare
            Seconds of another engine: an enumeration that clearly takes longer is not looked at.
        """
        rough = self.rough_enumeration(template)
        if rough > _CLEARLY_MORE * spare:
            return rough
        return seconds_of(self.enumeration_steps(template, spare), _ENUMERATION)

    def is_quick(self, template: Template) -> bool:
        """Whether an enumeration takes so little that nothing else is worth a look."""
        return self.rough_enumeration(template) < _QUICK

    def rough_enumeration(self, template: Template) -> float:
        """Seconds of the search as its plan sees them, without a look at the graph's hubs."""
        if is_clique(template):  # has a kernel of its own
            return 0.0
        return self._plan(template)[1] * self.figures.nodes * 1e-9

    def enumeration_steps(self, template: Template, spare: float) -> Steps:
        """Return the steps of the enumeration by kind."""
        if is_clique(template):  # has a kernel of its own, the same as the algebra's
            building = AlgebraSteps(self.figures, set())
            found = building.clique(template.num_nodes)
            steps, additions = building.steps, [0.0, found]
        else:
            counts, additions, stop = _native.enumeration_work(
                self.graph.native,
                compiled(self.graph, template),
                self.induced,
                _PLANNING * spare * 1e9,
                self._limits(),
            )
            self._check(stop)
            steps = dict(zip(_SEARCH, counts, strict=True))
            if stop_kind(stop) == "memory":
                return steps | {"bound": math.inf}  # it would not fit
        entries = 0.0
        for role in range(1, template.num_roles):
            room = self._room(_distance(template, template.roles[role][0]))
            entries += -room * math.expm1(-additions[role] / room) if room else 0.0
        steps["row"] = (template.num_roles - 1) * self.figures.nodes
        steps["entry"] = entries
        steps["product"] = entries * COLUMNS
        steps["fetched"] = entries * self.figures.far
        steps["output"] = (template.num_roles - 1) * self.figures.nodes * COLUMNS
        return steps

    def search(self, template: Template) -> str:
        """Say how the compiled search would go, in words."""
        return self._plan(template)[0]

    def _plan(self, template: Template) -> tuple[str, float]:
        fitted = compiled(self.graph, template)
        return _native.enumeration_plan(self.graph.native, fitted, self.induced)

    def _room(self, distance: int) -> float:
        """Pairs of nodes so many steps apart, at most."""
        return {1: self.figures.entries, 2: self.figures.two_hops}.get(
            distance, self.figures.nodes**2
        )

    def _maps(self, template: Template) -> float:
        """Estimated maps, node by node in the template's connected order."""
        placed: set[int] = set()
        maps = self.figures.nodes
        for node in template.canonical_order:
            ties = sum({a, b} == {node, c} for a, b in template.edges for c in placed)
            if len(placed) == 1:
                maps = self.figures.entries
            elif placed:
                maps *= self.figures.reach * self.figures.closing ** (ties - 1)
            placed.add(node)
        return maps


def choose_engine(model: CostModel, template: Template, settings: MatchSettings) -> str:
    """Pick ``"algebra"`` or ``"enumerate"`` for a template by estimated cost.

    One engine finds all roles of a template: an enumeration has them all anyway. The set weighting
    needs enumeration, unless all roles live on the graph's own edges, where a positive count is all
    there is to know. So do induced templates that the algebra does not reach.

    Examples
    --------
    >>> from grape_gnn.template import Template
    >>> model = CostModel(Graph.from_edges([0, 1, 2], [1, 2, 3]))
    >>> choose_engine(model, Template("0-1 1-2"), MatchSettings())
    'algebra'
    >>> choose_engine(model, Template("0-1 1-2"), MatchSettings(weighting="set"))
    'enumerate'
    """
    loose = open_pairs(template) if model.induced else []
    if len(loose) > MOST_OPEN or (loose and model.is_quick(template)):
        return "enumerate"
    plans = list(model.plans(template))
    if settings.weighting == "set" and not all(plan.on_edges for plan in plans):
        return "enumerate"
    if all(isinstance(f, Adjacency) for plan in plans for p in plan.products for f in p.factors):
        return "algebra"  # nothing is computed beforehand
    algebra = model.algebra(template)
    return "algebra" if algebra <= model.enumeration(template, spare=algebra) else "enumerate"


def is_clique(template: Template) -> bool:
    """Whether a template has the kernel for cliques."""
    pairs = template.num_nodes * (template.num_nodes - 1) // 2
    plain = not (template.directed or template.has_labels or template.has_edge_types)
    return plain and template.num_nodes > 3 and len(template.edges) == pairs


def _distance(template: Template, node: int) -> int:
    """Edges between the anchor and a node."""
    reached, steps = {0}, 0
    while node not in reached:
        steps += 1
        reached |= {b for edge in template.edges for a in edge for b in edge if a in reached}
    return steps
