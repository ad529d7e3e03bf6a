"""Roles: matching templates on graphs, by several engines behind one interface."""

from grape_gnn.roles.algebra import explain_plan
from grape_gnn.roles.dispatch import ENGINES
from grape_gnn.roles.ego_sets import count_instances, ego_ae_sets, ego_role_counts
from grape_gnn.roles.incremental import InstanceStore
from grape_gnn.roles.instances import instances
from grape_gnn.roles.match import match
from grape_gnn.roles.operator import RoleOperator
from grape_gnn.roles.orbits import automorphism_orbits
from grape_gnn.roles.result import RoleMatches, TemplateRoles
from grape_gnn.roles.storage import load_roles

__all__ = [
    "ENGINES",
    "InstanceStore",
    "RoleMatches",
    "RoleOperator",
    "TemplateRoles",
    "automorphism_orbits",
    "count_instances",
    "ego_ae_sets",
    "ego_role_counts",
    "explain_plan",
    "instances",
    "load_roles",
    "match",
]
