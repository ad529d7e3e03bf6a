"""Links: which are missing, how well that can be told, and why one is suggested."""

from grape_gnn.links.evaluate import evaluate_links, link_figures, mean_figures
from grape_gnn.links.predictor import GrapeLinkPredictor
from grape_gnn.links.reasons import Suggestion, suggestion_svg

__all__ = [
    "GrapeLinkPredictor",
    "Suggestion",
    "evaluate_links",
    "link_figures",
    "mean_figures",
    "suggestion_svg",
]
