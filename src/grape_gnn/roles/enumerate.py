"""Engine ``enumerate``: exact role counts by a compiled search around every ego.

Each template becomes a plan: an order in which its nodes are matched, symmetry breaking by the
anchor's stabiliser, and a tail of nodes that are counted instead of visited. Works for every
template, both weightings, induced or not, directed or not, with labels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grape_gnn import _native
from grape_gnn.graph import Graph
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.native_call import compiled, csr_matrices, raise_stop, stop_kind
from grape_gnn.template import Template

__all__ = ["enumerate_roles", "enumerate_totals"]


def enumerate_roles(
    graph: Graph,
    template: Template,
    settings: MatchSettings,
    egos: Sequence[int] | NDArray[np.int32] | None = None,
    *,
    pairs: bool = True,
) -> EngineOutput:
    """Count the roles of a template; non-induced unless ``settings.induced``.

    Parameters
    ----------
    graph, template, settings
        What to match, and how.
    egos
        Count around these nodes only; the rows of all others are empty.
    pairs
        False: only the number of instances per ego, no role matrices.

    Examples
    --------
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> ends = enumerate_roles(square, Template("0-1 1-2"), MatchSettings()).matrices[1]
    >>> ends.toarray().tolist()
    [[0, 0, 2, 0], [0, 0, 0, 2], [2, 0, 0, 0], [0, 2, 0, 0]]
    """
    chosen = np.arange(graph.num_nodes, dtype=np.int32) if egos is None else np.asarray(egos)
    roles, totals, complete, stop, done = _native.enumerate_roles(
        graph.native,
        compiled(graph, template),
        np.ascontiguousarray(chosen, dtype=np.int32),
        settings.weighting == "set",
        settings.induced,
        pairs,
        settings.partial,
        settings.threads,
        (settings.seconds, settings.bytes, settings.instances),
        settings.progress,
    )
    kind = stop_kind(stop)
    if kind == "overflow" or (kind is not None and not settings.partial):
        raise_stop(kind, template, settings, done, f"{len(chosen)} egos")
    return EngineOutput(
        csr_matrices(roles, graph.num_nodes),
        totals,
        None if kind is None else complete.astype(bool),
    )


def enumerate_totals(graph: Graph, template: Template, settings: MatchSettings) -> EngineOutput:
    """Count the instances around every ego without any role matrix."""
    return enumerate_roles(graph, template, settings, pairs=False)
