"""What a job will take before it is run: instances, time, memory, disk, and what fits."""

from grape_gnn.planning.plan import Plan, plan

__all__ = ["Plan", "plan"]
