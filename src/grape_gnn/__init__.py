"""grape-gnn: graph neural networks that see structural roles.

>>> import grape_gnn as grape
>>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], names=["ann", "bob", "cat", "dan"])
>>> [sorted(s) for s in grape.ego_ae_sets(g, "triangle", "ann")]
[['ann'], ['bob', 'cat']]
"""

from typing import TYPE_CHECKING, Any

from grape_gnn import datasets
from grape_gnn.differ import (
    Difference,
    RoleColours,
    pair_colours,
    role_colours,
    separate,
    why_different,
)
from grape_gnn.drawing import ego_figure
from grape_gnn.embedding import RoleClusters, RoleEmbedding, most_similar
from grape_gnn.errors import GrapeError, GrapeWarning
from grape_gnn.extras import named_extra
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph, as_graph, convert, read_graph
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.planning import Plan, plan
from grape_gnn.products import precompute
from grape_gnn.roles import (
    InstanceStore,
    RoleMatches,
    automorphism_orbits,
    count_instances,
    ego_ae_sets,
    ego_role_counts,
    explain_plan,
    instances,
    load_roles,
    match,
)
from grape_gnn.roles.pair_roles import PairRoles
from grape_gnn.roles.profiles import Orbit, Profile, profile
from grape_gnn.roles.role_features import RoleFeatures
from grape_gnn.search import SearchSettings, search
from grape_gnn.significance import Significance, rewire, significance
from grape_gnn.template import Template, load_templates, save_templates
from grape_gnn.template.by_edge_type import by_edge_type
from grape_gnn.template.zoo import template, templates
from grape_gnn.version import __version__

if TYPE_CHECKING:
    from grape_gnn.estimator import (
        GrapeClassifier,
        GrapeGraphClassifier,
        GrapeGraphRegressor,
        GrapeRegressor,
    )
    from grape_gnn.links import GrapeLinkPredictor

__all__ = [
    "Difference",
    "GrapeClassifier",
    "GrapeError",
    "GrapeGraphClassifier",
    "GrapeGraphRegressor",
    "GrapeLinkPredictor",
    "GrapeRegressor",
    "GrapeWarning",
    "Graph",
    "GraphSet",
    "InstanceStore",
    "NodeEncoder",
    "Orbit",
    "PairRoles",
    "Plan",
    "Profile",
    "RoleClusters",
    "RoleColours",
    "RoleEmbedding",
    "RoleFeatures",
    "RoleMatches",
    "SearchSettings",
    "Significance",
    "Template",
    "__version__",
    "as_graph",
    "automorphism_orbits",
    "by_edge_type",
    "convert",
    "count_instances",
    "datasets",
    "ego_ae_sets",
    "ego_figure",
    "ego_role_counts",
    "explain_plan",
    "instances",
    "load_roles",
    "load_templates",
    "match",
    "most_similar",
    "pair_colours",
    "plan",
    "precompute",
    "profile",
    "read_graph",
    "read_graphs",
    "rewire",
    "role_colours",
    "save_templates",
    "search",
    "separate",
    "significance",
    "template",
    "templates",
    "why_different",
]


_ESTIMATORS = ("GrapeClassifier", "GrapeGraphClassifier", "GrapeGraphRegressor", "GrapeRegressor")


def __getattr__(name: str) -> Any:
    # Importing torch takes seconds, and matching does not need it.
    if name in _ESTIMATORS:
        with named_extra():
            from grape_gnn import estimator

        return getattr(estimator, name)
    if name == "GrapeLinkPredictor":
        from grape_gnn import links

        return links.GrapeLinkPredictor
    raise AttributeError(f"module 'grape_gnn' has no attribute {name!r}")
