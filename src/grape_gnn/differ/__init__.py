"""Telling graphs and nodes apart: by the smallest template, and by colours refined over roles."""

from grape_gnn.differ.api import separate, why_different
from grape_gnn.differ.colours import RoleColours, role_colours
from grape_gnn.differ.difference import Difference
from grape_gnn.differ.pairs import pair_colours

__all__ = ["Difference", "RoleColours", "pair_colours", "role_colours", "separate", "why_different"]
