"""What templates may ask for in training, and what they leave unused."""

from __future__ import annotations

from collections.abc import Sequence

from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.template import Template
from grape_gnn.warn import warn

__all__ = ["check_fit_for_training"]


def check_fit_for_training(graph: Graph, templates: Sequence[Template]) -> None:
    """Refuse templates that ask for the labels to be learnt; say so if types of edges are unused.

    In a graph without types of nodes, templates ask for labels: of all nodes, those of the test
    among them, so that a network would be told what it is to find out.
    """
    labelled = next((template for template in templates if template.has_labels), None)
    if labelled is not None and graph.types is None and graph.y is not None:
        raise ModelError(
            f"template {labelled.text!r} asks for labels, which are what is learnt, those of the "
            f"test included: give the graph types of nodes apart from them, "
            f"Graph.from_edges(..., types=...)"
        )
    kinds = graph.edge_type_names or ()
    if len(kinds) > 1 and not any(template.has_edge_types for template in templates):
        warn(
            f"the {len(kinds)} types of edges are not used, because no template asks for them: use "
            f"templates such as '0-1={kinds[0]}', or grape.by_edge_type(templates, "
            f"graph.edge_type_names)"
        )
