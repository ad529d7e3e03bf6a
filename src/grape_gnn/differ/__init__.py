"""Telling graphs and nodes apart: by the smallest template, and by colours refined over roles."""

from grape_gnn.differ.api import separate, why_different
from grape_gnn.differ.colours import RoleColours, role_colours
from grape_gnn.differ.difference import Difference

__all__ = ["Difference", "RoleColours", "role_colours", "separate", "why_different"]
