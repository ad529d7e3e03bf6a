"""`match`: the roles of any templates on a graph, by the engine of your choice."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import replace

from grape_gnn.errors import MatchError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.graphs import GraphSet
from grape_gnn.progress import advancing, progress_bar, reporter
from grape_gnn.roles.dispatch import role_finder
from grape_gnn.roles.engine import MatchSettings, make_settings
from grape_gnn.roles.incremental import InstanceStore
from grape_gnn.roles.result import RoleMatches, TemplateRoles
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["match"]


def match(
    graph: GraphLike | GraphSet,
    templates: str | Template | Iterable[str | Template],
    *,
    weighting: str = "count",
    engine: str = "auto",
    induced: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    time: float | str | None = None,
    instances: int | None = None,
    on_budget: str = "raise",
    sample: int | None = None,
    seed: int = 0,
    store: InstanceStore | None = None,
    progress: bool | Callable[[int, int], None] = False,
) -> RoleMatches:
    """Find the Ego-AE sets of templates around every node, as operators.

    Matching is **non-induced** by default: an instance is the image of an injective map that
    keeps every edge of the template, and further edges of the graph between the matched nodes
    do not matter (a triangle contains three 3-paths). Maps that differ by a symmetry of the
    template that fixes the anchor are one instance, counted once.

    Parameters
    ----------
    graph
        A `Graph`, or a graph of networkx, igraph, SciPy or PyTorch Geometric, or a data frame of
        edges; or a `GraphSet`, all of whose graphs are matched at once.
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    weighting
        ``"count"``: how often a node plays the role around an ego; ``"set"``: whether it does.
    engine
        ``"algebra"`` (operators that are never enumerated nor stored), ``"enumerate"`` (compiled
        search), ``"incremental"`` (from the stored instances of smaller templates), ``"esu"``
        (Wernicke's algorithm, the paper's baseline), or ``"auto"``: for each template algebra or
        enumeration, whichever is expected to cost less until the roles were multiplied once (see
        `explain_plan`). All agree to the last count.
    induced
        Demand that pairs which are not edges of the template are not edges of the graph. The
        algebra takes those off that have further edges, for all templates of up to five nodes
        (directed: three); larger ones are enumerated, unless they are nearly complete. Not for
        the engine ``incremental``.
    threads
        Number of threads; None: as many as there are processors. The result is the same.
    memory
        Bytes by which the process may grow, such as ``"2GB"``: working memory and results
        together, at their peak. Growth beyond it is at most 10% plus 16 MB.
    time
        Seconds the whole call may take, such as ``30`` or ``"5m"``. It ends within 0.2 s of
        processor time after them, as after Ctrl-C.
    instances
        Number of instances that may be counted per template. The algebra counts none one by
        one: with this budget, ``"auto"`` enumerates.
    on_budget
        When a budget runs out: ``"raise"`` `BudgetExceededError`, or return a ``"partial"``
        result, flagged as truncated, with only the completed egos filled in (not by the
        algebra, which does not go ego by ego).
    sample
        Keep at most this many instances per ego and scale the counts so that they are right on
        average (engine ``incremental`` only). The result is flagged as sampled.
    seed
        Seed of the sampling.
    store
        An `InstanceStore` of this graph, so that instances found in one call serve the next
        (engine ``incremental``).
    progress
        True for a progress bar, or a function called with (egos done, egos in all).

    Returns
    -------
    RoleMatches
        ``result[i][j]`` is the operator of role ``j`` of template ``i``. Of a `GraphSet` it is a
        `SetMatches`, which gives the roles of graph ``k`` as ``result.of(k)``.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = match(g, ["triangle", "3-path"])
    >>> roles[0][1].to_scipy().toarray().tolist()
    [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    >>> roles[1].totals.tolist()
    [3, 3, 2, 2]
    """
    graphs = graph if isinstance(graph, GraphSet) else None
    graph = as_graph(graph) if graphs is None else graphs.union
    settings = make_settings(
        weighting=weighting,
        induced=induced,
        threads=threads,
        memory=memory,
        time=time,
        instances=instances,
        on_budget=on_budget,
        sample=sample,
        seed=seed,
    )
    if store is not None and not isinstance(store, InstanceStore):
        raise MatchError(f"store={store!r} must be an InstanceStore of this graph")
    settings = replace(settings, held=0 if store is None else store.bytes)
    if not isinstance(progress, bool) and not callable(progress):
        raise MatchError(f"progress={progress!r} must be True, False or a function")
    find = role_finder(graph, engine, settings, store)
    wanted = find_templates(templates)
    bar = (
        progress_bar("matching")
        if progress is True
        else nullcontext(progress or reporter("matching"))
    )
    found: dict[Template, TemplateRoles] = {}
    start = clock.monotonic()
    with bar as shown:
        report = None if shown is None else advancing(shown, len(wanted) * graph.num_nodes)
        for done, template in enumerate(wanted):
            if template in found:
                continue
            left = _remaining(settings, clock.monotonic() - start, found.values())
            offset = (done * graph.num_nodes, len(wanted) * graph.num_nodes)
            if report is not None:  # planning comes first and may take all the time there is
                report(*offset)
            found[template] = find(template, replace(left, progress=_shifted(report, *offset)))
            if report is not None:
                report((done + 1) * graph.num_nodes, offset[1])
    result = [found[template] for template in wanted]
    if graphs is not None:
        return SetMatches(graphs, weighting, induced, result)
    return RoleMatches(graph, weighting, induced, result)


def _remaining(
    settings: MatchSettings, elapsed: float, results: Iterable[TemplateRoles]
) -> MatchSettings:
    """Time and memory are budgets of the whole call: what is left for the next template."""
    used = sum(operator.nbytes for roles in results for operator in roles)
    return replace(
        settings,
        seconds=None if settings.seconds is None else max(0.0, settings.seconds - elapsed),
        bytes=None if settings.bytes is None else max(0, settings.bytes - used),
    )


def _shifted(
    report: Callable[[int, int], None] | None, offset: int, total: int
) -> Callable[[int, int], None] | None:
    return None if report is None else lambda done, _: report(offset + done, total)
