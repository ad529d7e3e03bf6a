"""Search of templates: Algorithm 1 of the paper, its baselines, and everything around them.

``grape.search(graph, budget="10m")`` is the function `search`; this package holds its parts. Read
them in the order `gene`, `mutation`, `genetic`, `evaluate`, `run`.
"""

from grape_gnn.search.api import resume, search
from grape_gnn.search.folder import SearchFolder
from grape_gnn.search.gene import Gene
from grape_gnn.search.history import Evaluation, SearchHistory
from grape_gnn.search.pareto import pareto_front
from grape_gnn.search.result import SearchResult
from grape_gnn.search.run import Progress
from grape_gnn.search.settings import SearchSettings

__all__ = [
    "Evaluation",
    "Gene",
    "Progress",
    "SearchFolder",
    "SearchHistory",
    "SearchResult",
    "SearchSettings",
    "pareto_front",
    "resume",
    "search",
]
