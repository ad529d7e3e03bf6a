"""Profiles: all orbits of all small graphs at once, for every node or every edge."""

from grape_gnn.roles.profiles.orbits import Orbit, edge_orbits, node_orbits
from grape_gnn.roles.profiles.profile import profile
from grape_gnn.roles.profiles.result import Profile

__all__ = ["Orbit", "Profile", "edge_orbits", "node_orbits", "profile"]
