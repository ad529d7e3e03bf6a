"""Meta-GNN (Sankar et al., ASONAM 2019): one convolution per metagraph, joined by attention.

A metagraph is what this library calls a template, and its semantic roles are the Ego-AE roles, so
our matcher finds its instances; as in the GRAPE paper it gets the same templates as GRAPE. On a
graph with one type of nodes and edges its equations read, for a metagraph M with roles k,

    h_M(v) = ReLU(W_M0 h(v) + sum over roles k of W_Mk mean of h over the members of role k)
    h'(v) = sum over M of a_M(v) h_M(v),   a(v) = softmax over M of  z_M . h_M(v)

The mean counts a member once per instance. A node without instances of M has its own term alone.
A linear map of the last layer gives the classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.layers import Classifier, Stack
from grape_gnn.graph import Graph
from grape_gnn.nn import RoleValues, SparseFeatures
from grape_gnn.nn.grouped import GroupedBatchNorm, GroupedLinear
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training.method import NORMS, Method, Prepared, Shape

__all__ = ["MetaGNN", "MetaLayer", "RoleMeans"]


class RoleMeans:
    """For every role of every template, the mean over its members.

    Parameters
    ----------
    graph
        The graph.
    templates
        The templates, all directed if the graph is, or all undirected.

    Examples
    --------
    >>> g = Graph.from_edges([0, 0], [1, 2])
    >>> means = RoleMeans(g, find_templates("edge"))
    >>> means(torch.tensor([[1.0], [2.0], [4.0]])[:, None]).ravel().tolist()
    [3.0, 1.0, 1.0]
    """

    def __init__(self, graph: Graph, templates: Iterable[Template]) -> None:
        roles = RoleValues(match(graph, list(templates), weighting="count"))
        self.num_templates = len(roles.templates)
        self.template_of = torch.from_numpy(roles.group)
        # Every role is a group of its own: its members have their own weights.
        self._roles = roles.ungrouped()
        self._inverse = roles.averages(torch.empty(0))

    def __call__(self, features: torch.Tensor) -> torch.Tensor:
        """Map (nodes, roles, columns) to (nodes, roles, columns)."""
        nothing = features.new_zeros(features.shape[1])
        return self._roles.aggregate(nothing, self._inverse, features)


class MetaLayer(nn.Module):
    """One layer: a convolution per template, and attention over the templates.

    Parameters
    ----------
    means
        Tells the number of templates and roles.
    in_features, out_features
        Width before and after.
    norm
        ``"none"``, or ``"batch"``: batch normalisation before the ReLU.
    """

    def __init__(
        self, means: RoleMeans, in_features: int, out_features: int, norm: str = "none"
    ) -> None:
        super().__init__()
        batch = norm == "batch"
        self.norm = GroupedBatchNorm(means.num_templates, out_features) if batch else nn.Identity()
        self.num_templates = means.num_templates
        terms = means.num_templates + means.template_of.numel()
        self.linear = GroupedLinear(terms, in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(self.num_templates, out_features))
        self.attention = nn.Parameter(torch.empty(self.num_templates, out_features))
        nn.init.xavier_uniform_(self.attention)

    def forward(self, h: torch.Tensor | SparseFeatures, means: RoleMeans) -> torch.Tensor:
        """Map (nodes, in_features) to (nodes, out_features)."""
        terms = self.linear(h)
        own, members = terms[:, : self.num_templates], terms[:, self.num_templates :]
        joined = own.index_add(1, means.template_of, means(members))
        joined = torch.relu(self.norm(joined + self.bias))
        weights = torch.softmax((joined * self.attention).sum(dim=2), dim=1)
        return (weights[:, :, None] * joined).sum(dim=1)


class MetaGNN(Method):
    """Convolutions over the instances of templates.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    """

    name = "meta-gnn"
    title = "Meta-GNN"
    choices = NORMS

    def __init__(self, templates: str | Template | Iterable[str | Template] = "social") -> None:
        self.templates = tuple(find_templates(templates))

    def describe(self) -> dict[str, Any]:
        """Return the templates."""
        return {"templates": [template.text for template in self.templates]}

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Match the templates."""
        return (RoleMeans(graph, self.templates),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        (means,) = prepared.structure
        widths = [shape.in_features, *[shape.hidden] * shape.layers]
        layers = [MetaLayer(means, *width, shape.norm) for width in pairwise(widths)]
        last = Classifier(shape.hidden, shape.num_classes)
        # The layers have their own norm and activation, before the attention.
        return Stack([*layers, last], replace(shape, norm="none"), activation=nn.Identity())
