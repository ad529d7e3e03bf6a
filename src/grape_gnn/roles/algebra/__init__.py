"""The role algebra: role operators with counts, exact and never enumerated."""

from grape_gnn.roles.algebra.cost import CostModel, choose_engine
from grape_gnn.roles.algebra.execute_numpy import Evaluator
from grape_gnn.roles.algebra.explain import explain_plan
from grape_gnn.roles.algebra.operator import AlgebraicRole, multiply_roles
from grape_gnn.roles.algebra.roles import algebra_roles

__all__ = [
    "AlgebraicRole",
    "CostModel",
    "Evaluator",
    "algebra_roles",
    "choose_engine",
    "explain_plan",
    "multiply_roles",
]
