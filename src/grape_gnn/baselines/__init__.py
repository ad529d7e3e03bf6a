"""The baselines GRAPE is compared with, one file and `grape_gnn.training.Method` each."""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.baselines.registry import BASELINES, METHODS, REFERENCE_METHODS, method

__all__ = ["BASELINES", "METHODS", "REFERENCE_METHODS", "method"]
