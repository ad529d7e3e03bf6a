"""Sets of templates by name, each with its reason."""

from __future__ import annotations

__all__ = ["REASONS", "SETS", "WHOLE_SETS", "default_set"]

_SMALL = ("edge", "joined-tips", "4-clique", "5-clique", "k33", "6-cycle")

SETS: dict[str, tuple[str, ...]] = {
    "citation": ("S1", "S2", "S3", "S4", "S6"),
    "social": ("S1", "S2", "S3", "S5", "S6"),
    "ecommerce": ("S7", "S8", "S9", "S10", "S11"),
    "molecule": ("edge", "3-path", "4-path", "5-cycle", "6-cycle"),
    "graph-small": _SMALL,
    "cycles-8": ("edge", "triangle", *(f"{k}-cycle" for k in range(4, 9))),
    "expressive": (*_SMALL, "7-cycle", "8-cycle", "cube"),
}
"""The templates of every set, by their names; the paper's sets first, by its numbers."""

WHOLE_SETS = {"all-4": 4, "all-5": 5}
"""Sets of all connected templates up to a number of nodes, with every choice of the ego."""

REASONS = {
    "citation": "the paper's set for citation graphs: chains of references, few cliques",
    "social": "the paper's set for social graphs: strong ties and close-knit groups",
    "ecommerce": "the paper's set for directed graphs",
    "molecule": "chains, and the rings of five and six atoms that chemistry is made of",
    "graph-small": "six templates that tell most hard pairs of graphs apart, at up to six nodes",
    "cycles-8": "rings of every size, which message passing cannot see",
    "expressive": "graph-small with the larger rings and the cube; on dense graphs give a budget",
    "all-4": "all 15 templates of two to four nodes: nothing of that size is overlooked",
    "all-5": "all 73 templates of two to five nodes",
}
"""What every set is for."""


def default_set(directed: bool) -> str:
    """Return the set for a graph of which nothing else is known.

    Examples
    --------
    >>> default_set(directed=False)
    'social'
    """
    return "ecommerce" if directed else "social"
