"""The rivals of GRAPE, one file each, all through the interface of `Method`."""

from grape_gnn.baselines.method import Fitted, Method, Prepared, Shape
from grape_gnn.baselines.registry import METHODS, RIVALS, YARDSTICKS, method

__all__ = ["METHODS", "RIVALS", "YARDSTICKS", "Fitted", "Method", "Prepared", "Shape", "method"]
