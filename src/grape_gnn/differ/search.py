"""The search for the smallest template that tells two groups of egos apart, within a time.

Templates are tried in the order of `candidates.order`. After the smallest it is asked whether any
template can do it at all. Before the hundreds with six nodes and more, a few that are counted fast
are tried: if one of them does it there is an answer, and the time left goes into a smaller one.
If the counts of no template do it, or not in four fifths of the time, those that were counted are
tried again with the colours that refinement over their roles ends with: two nodes far from the ends
of a long path differ in no small template, and in their colours they do.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from grape_gnn.differ.candidates import order
from grape_gnn.differ.counts import Egos, Evidence, compare, compare_refined
from grape_gnn.errors import BudgetExceededError, CountOverflowError
from grape_gnn.graph import Graph
from grape_gnn.progress import report
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.template import Template

__all__ = ["Outcome", "search"]

# Templates that are tried before it is asked whether any can, in large graphs and in small ones:
# those up to three and up to four nodes.
_FIRST = (4, 15)
_SMALL = 1000  # edges
_MANY = 6  # from so many nodes on there are hundreds of templates
_SHARE = 0.1  # of the time left that a quick template may take
_COUNTING = 0.8  # of the time, the rest of which is for colours

Image = NDArray[np.int64]


@dataclass
class Outcome:
    """How far a search came.

    Parameters
    ----------
    template, evidence
        What tells the groups apart; None if nothing was found.
    minimal
        Whether all templates before it were counted.
    exhausted
        Whether all templates were counted.
    isomorphic
        Whether a map turns one group into the other; None if there was no time to find out.
    image
        That map.
    tried
        Number of templates that were counted in order, by their number of nodes.
    """

    template: Template | None = None
    evidence: Evidence | None = None
    minimal: bool = False
    exhausted: bool = False
    isomorphic: bool | None = None
    image: Image | None = None
    tried: Counter[int] = field(default_factory=Counter)


def search(
    graph: Graph,
    groups: tuple[Egos, Egos],
    candidates: Iterable[Template],
    quick: Sequence[Template],
    find_image: Callable[[float], Image | None],
    settings: MatchSettings,
) -> Outcome:
    """Try templates until one tells two groups of egos apart.

    Parameters
    ----------
    graph
        The graph with all egos.
    groups
        The egos.
    candidates
        Templates in order.
    quick
        Templates to try before those of six nodes and more.
    find_image
        Finds the map that shows that no template can, or None; told when to give up.
    settings
        Time and threads.
    """
    seconds = float("inf") if settings.seconds is None else settings.seconds
    start = time.monotonic()
    deadline = start + seconds * _COUNTING
    found = Outcome()
    first = _FIRST[graph.num_edges <= _SMALL]
    complete, asked, probed = True, False, False
    in_vain: list[Template] = []

    def left(share: float = 1.0) -> MatchSettings:
        seconds = (deadline - time.monotonic()) * share
        if seconds <= 0:  # small counts end before they look at the clock
            raise BudgetExceededError("time", "no time left")
        return settings if settings.seconds is None else replace(settings, seconds=seconds)

    def ask() -> None:
        now = time.monotonic()
        try:
            found.image = find_image(now + (deadline - now) / 2)
            found.isomorphic = found.image is not None
        except BudgetExceededError:
            found.isomorphic = None

    for template in candidates:
        if not asked and sum(found.tried.values()) == first:
            asked = True
            ask()
            if found.isomorphic:
                return found
        if not probed and template.num_nodes >= _MANY:
            probed = True
            for each in quick:
                try:
                    found.evidence = compare(graph, each, groups, left(_SHARE))
                except (BudgetExceededError, CountOverflowError):
                    continue
                if found.evidence is not None:
                    found.template = each
                    break
        if found.template is not None and order(template) >= order(found.template):
            found.minimal = complete
            return found
        report(f"counting {template.num_nodes} nodes", sum(found.tried.values()))
        try:
            evidence = compare(graph, template, groups, left())
        except BudgetExceededError:
            break
        except CountOverflowError:
            complete = False
            continue
        found.tried[template.num_nodes] += 1
        if evidence is not None:
            found.template, found.evidence, found.minimal = template, evidence, complete
            return found
        in_vain.append(template)
    else:
        found.exhausted = complete
    deadline = start + seconds
    if not asked:
        ask()
    for template in [] if found.isomorphic or found.template is not None else in_vain:
        try:
            found.evidence = compare_refined(graph, template, groups, left())
        except BudgetExceededError:
            break
        if found.evidence is not None:
            found.template, found.minimal = template, complete
            break
    return found
