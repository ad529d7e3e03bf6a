"""GRAPE inside PyTorch Geometric: a convolution, and transforms that match beforehand.

Import it explicitly, ``from grape_gnn.pyg import GRAPEConv``: PyG takes seconds to load.
"""

from grape_gnn.extras import named_extra

with named_extra():
    from grape_gnn.nn.role_loader import RoleBatch, RoleLoader
    from grape_gnn.pyg.conv import GRAPEConv
    from grape_gnn.pyg.ego_roles import EgoRoles
    from grape_gnn.pyg.transforms import AddEgoRoles, AddRoleCounts

__all__ = ["AddEgoRoles", "AddRoleCounts", "EgoRoles", "GRAPEConv", "RoleBatch", "RoleLoader"]
