"""Role products: what members of roles are on average, computed once and kept, in memory or not."""

from grape_gnn.products.folder import ProductFolder
from grape_gnn.products.means import RoleMeans, label_products
from grape_gnn.products.precompute import precompute
from grape_gnn.products.products import Products

__all__ = ["ProductFolder", "Products", "RoleMeans", "label_products", "precompute"]
