"""The baselines GRAPE is compared with, one file each, all through the interface of `Method`."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.baselines.method import Fitted, Method, Prepared, Shape
    from grape_gnn.baselines.registry import BASELINES, METHODS, REFERENCE_METHODS, method

__all__ = [
    "BASELINES",
    "METHODS",
    "REFERENCE_METHODS",
    "Fitted",
    "Method",
    "Prepared",
    "Shape",
    "method",
]
