"""What it takes to check an engine: a brute-force oracle and seeded random inputs.

The tests of grape-gnn use nothing else, so whoever adds an engine can run the same checks.
"""

from grape_gnn.testing.brute_force import brute_force_instances, brute_force_roles
from grape_gnn.testing.chains import mutation_chain, random_template
from grape_gnn.testing.contract import Case, disagreement
from grape_gnn.testing.random_graphs import (
    FAMILIES,
    bipartite,
    complete,
    disconnected,
    gnp,
    hubs,
    named,
    random_graph,
    reciprocal,
    star,
    typed,
)
from grape_gnn.testing.shrinking import shrink

__all__ = [
    "FAMILIES",
    "Case",
    "bipartite",
    "brute_force_instances",
    "brute_force_roles",
    "complete",
    "disagreement",
    "disconnected",
    "gnp",
    "hubs",
    "mutation_chain",
    "named",
    "random_graph",
    "random_template",
    "reciprocal",
    "shrink",
    "star",
    "typed",
]
