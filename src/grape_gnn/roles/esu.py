"""Engine ``esu``: enumerate all connected subgraphs of the template's size, then classify.

Wernicke's ESU (2006) is the paper's baseline. It visits every connected vertex set of the
template's size exactly once, whether the template occurs in it or not, so it pays for all
subgraphs where the other engines pay for instances only.
"""

from __future__ import annotations

import numpy as np

from grape_gnn import _native
from grape_gnn.graph import Graph
from grape_gnn.roles.engine import EngineOutput, MatchSettings
from grape_gnn.roles.native_call import compiled, csr_matrices, raise_stop, stop_kind
from grape_gnn.template import Template

__all__ = ["esu_roles"]


def esu_roles(graph: Graph, template: Template, settings: MatchSettings) -> EngineOutput:
    """Count the roles of a template with ESU; non-induced unless ``settings.induced``.

    A vertex set contributes to all of its members as egos, so when a budget ends the run early
    no ego is known to be done: a partial result is empty and its ``complete`` mask all False.

    Examples
    --------
    >>> from grape_gnn.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> ends = esu_roles(square, Template("0-1 1-2"), MatchSettings()).matrices[1]
    >>> ends.toarray().tolist()
    [[0, 0, 2, 0], [0, 0, 0, 2], [2, 0, 0, 0], [0, 2, 0, 0]]
    """
    roles, totals, stop, done = _native.esu_roles(
        graph.native,
        compiled(graph, template),
        settings.induced,
        settings.threads,
        (settings.seconds, settings.bytes, settings.instances),
        settings.progress,
    )
    kind = stop_kind(stop)
    if kind is not None and not settings.partial:
        raise_stop(kind, template, settings, done, f"{graph.num_nodes} starting nodes")
    matrices = csr_matrices(roles, graph.num_nodes)
    if settings.weighting == "set":
        for matrix in matrices:
            matrix.data[:] = 1
    complete = None if kind is None else np.zeros(graph.num_nodes, bool)
    return EngineOutput(matrices, totals, complete)
