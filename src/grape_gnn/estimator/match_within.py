"""Templates that can be matched within a time; the others are left out, and a warning names them.

For sets such as ``expressive``, whose largest templates take no time on molecules and hours on
dense graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from grape_gnn.errors import BudgetExceededError, ModelError
from grape_gnn.graphs import GraphSet
from grape_gnn.roles.engine import parse_seconds
from grape_gnn.roles.match import match
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.template import Template
from grape_gnn.warn import warn

__all__ = ["match_within"]


def match_within(
    graphs: GraphSet,
    templates: Sequence[Template],
    time: float | str,
    weighting: str = "count",
    engine: str = "auto",
) -> tuple[SetMatches, tuple[Template, ...]]:
    """Match templates, the small ones first, each in the time that is left.

    Parameters
    ----------
    graphs
        The set.
    templates
        The templates.
    time
        For all of them: seconds, or a text such as ``"5m"``.
    weighting, engine
        As for `grape_gnn.match`.

    Returns
    -------
    tuple
        What was matched, in the order of the templates, and the templates that were not.

    Examples
    --------
    >>> import networkx as nx
    >>> import grape_gnn as grape
    >>> graphs = GraphSet.of([nx.cycle_graph(8), nx.path_graph(4)])
    >>> found, skipped = match_within(graphs, grape.templates("expressive"), "1m")
    >>> len(found), skipped
    (9, ())
    """
    end = monotonic() + parse_seconds(time, "match_time")
    found, skipped = {}, []
    for number in sorted(range(len(templates)), key=lambda k: templates[k].num_nodes):
        template, left = templates[number], max(end - monotonic(), 1e-3)
        try:
            [found[number]] = match(
                graphs, [template], weighting=weighting, engine=engine, time=left
            )
        except BudgetExceededError:
            skipped.append(template)
    names = ", ".join(template.name or template.text for template in skipped)
    if not found:
        raise ModelError(f"no template could be matched within match_time={time}: give more time")
    if skipped:
        warn(f"left out, as match_time={time} was over: {names}")
    matched = [found[number] for number in sorted(found)]
    return SetMatches(graphs, weighting, False, matched), tuple(skipped)
