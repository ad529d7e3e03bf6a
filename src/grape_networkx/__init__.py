"""grape-gnn as a back end of networkx: ``nx.triangles(G, backend="grape")``.

networkx loads this module whenever it is imported itself, by the entry point
``networkx.backend_info`` of `pyproject.toml`, to learn what the back end offers. So the module
stands beside grape_gnn, not inside, and imports nothing; `grape_networkx.backend` is loaded when a
function first runs on it.
"""

from __future__ import annotations

from typing import Any

__all__ = ["FUNCTIONS", "information"]

FUNCTIONS = {
    "triangles": "Counted by intersecting the rows of the graph; self-loops are ignored.",
    "clustering": "Of undirected graphs, without weights.",
    "average_clustering": "Of undirected graphs, without weights.",
    "transitivity": "Of undirected graphs.",
    "square_clustering": "Of undirected graphs; 4-cycles are counted by the algebra of roles.",
    "generalized_degree": "From the triangles at every edge.",
    "jaccard_coefficient": "Common neighbours of all pairs at once; without self-loops.",
    "adamic_adar_index": "Weighted walks of two steps; without self-loops.",
    "resource_allocation_index": "Weighted walks of two steps; without self-loops.",
}
"""The functions of networkx that the back end has, and what to know about each."""


def information() -> dict[str, Any]:
    """Return what networkx wants to know of a back end.

    Examples
    --------
    >>> information()["backend_name"]
    'grape'
    """
    return {
        "backend_name": "grape",
        "project": "grape-gnn",
        "package": "grape_networkx",
        "short_summary": "Exact counts of small subgraphs in compiled code.",
        "functions": {name: {"additional_docs": words} for name, words in FUNCTIONS.items()},
    }
