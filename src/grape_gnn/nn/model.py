"""GRAPE: K layers over the roles of templates, and what ends them (Alg. A1 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.dropout import Dropout
from grape_gnn.nn.presets import Preset, find_preset
from grape_gnn.nn.role_layer import RoleLayer
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.nn.template_layer import TemplateLayer
from grape_gnn.template import Template

__all__ = ["GRAPE", "grape_layer"]


def grape_layer(
    templates: Sequence[Template],
    in_features: int,
    out_features: int,
    preset: Preset,
    dropout: float = 0.0,
    num_roles: int | None = None,
    damped: int = 0,
) -> RoleLayer | TemplateLayer:
    """Return a layer as the preset wants it."""
    if preset.maps == "role":
        return RoleLayer(templates, in_features, out_features, dropout, num_roles, damped)
    return TemplateLayer(templates, in_features, out_features, preset, dropout)


class GRAPE(nn.Module):
    """The GRAPE network: features and role matrices in, one score per node and class out.

    Parameters
    ----------
    templates
        The templates.
    in_features
        Number of node features.
    num_classes
        Number of classes.
    hidden
        Width of the hidden layers.
    layers
        Number of layers, the paper's K.
    dropout
        Share of the values dropped in each layer, in training.
    preset
        ``"default"``, ``"paper"`` or ``"released"``; see `grape_gnn.nn.presets`.
    input_dropout
        The same for the node features, and for what the linear map in front of the layers makes of
        them; None: as `dropout`. Features that are the same for all nodes should not be dropped: it
        would only add noise.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> from grape_gnn.nn import GRAPE, RoleValues
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle"))
    >>> model = GRAPE(roles.templates, in_features=3, num_classes=2)
    >>> model(torch.ones(4, 3), roles).shape
    torch.Size([4, 2])
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        num_classes: int,
        hidden: int = 32,
        layers: int = 2,
        dropout: float = 0.0,
        preset: str | Preset = "default",
        input_dropout: float | None = None,
    ) -> None:
        super().__init__()
        self.templates = tuple(templates)
        self.preset = find_preset(preset)
        self.in_features = in_features
        if not self.templates:
            raise ModelError("GRAPE needs at least one template: give names or 'social'")
        for name, number in (("hidden", hidden), ("layers", layers), ("in_features", in_features)):
            if number < 1:
                raise ModelError(f"{name}={number} must be at least 1")
        self.dropout = Dropout(dropout)
        self.input_dropout = Dropout(dropout if input_dropout is None else input_dropout)
        by_role = self.preset.maps == "role"
        # Behind a map of the features all layers are as wide, and each can add to the one before.
        self.front = nn.Linear(in_features, hidden) if by_role else None
        first = hidden if by_role else in_features
        last = hidden if self.preset.head else num_classes
        self.layers = nn.ModuleList(
            grape_layer(
                self.templates,
                *widths,
                self.preset,
                dropout=dropout if by_role else 0.0,
                damped=hidden // 2,
            )
            for widths in pairwise([first, *[hidden] * (layers - 1), last])
        )
        self.head = nn.Sequential()
        if self.preset.head == 2:
            self.head.extend([Dropout(dropout), nn.Linear(hidden, hidden), nn.ReLU()])
        if self.preset.head:
            # Layers of the preset default have dropped out already.
            again = nn.Identity() if by_role else Dropout(dropout)
            self.head.extend([again, nn.Linear(hidden, num_classes)])

    def forward(
        self,
        x: torch.Tensor | SparseFeatures,
        roles: RoleValues | Sequence[RoleValues],
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return one score per node and class.

        Parameters
        ----------
        x
            Node features, shape (nodes, in_features); see `as_sparse` for mostly zero ones.
        roles
            The role matrices of the same templates on the graph; or those of a mini-batch, one for
            every layer, as `RoleLoader` gives them. The scores are then those of its egos.
        batch
            The graph of every node, where several are stacked into one. Scores of a graph then do
            not depend on its companions, but for batch normalisation in training.
        """
        depth = len(self.layers)
        of_layers = [roles] * depth if isinstance(roles, RoleValues) else list(roles)
        if len(of_layers) != depth:
            raise ModelError(
                f"the batch has roles for {len(of_layers)} layers, the model has {depth}: make the "
                f"loader with layers={depth}"
            )
        first = of_layers[0]
        if [t.canonical for t in first.templates] != [t.canonical for t in self.templates]:
            raise ModelError(
                f"the model was built for the templates {_texts(self.templates)}, the roles are "
                f"of {_texts(first.templates)}: match the model's templates"
            )
        if x.ndim != 2 or x.shape != (first.num_nodes, self.in_features):
            raise ModelError(
                f"the features have shape {tuple(x.shape)}, but the graph has {first.num_nodes} "
                f"nodes and the model was built for {self.in_features} features"
            )
        h: Any = (
            x.dropout(self.input_dropout.p, self.training)
            if isinstance(x, SparseFeatures)
            else self.input_dropout(x)
        )
        if self.front is not None:
            # Each layer adds to this: unless it is dropped too, words are learnt by heart from it.
            h = self.input_dropout(_mapped(h, self.front))
        for number, (layer, mine) in enumerate(zip(self.layers, of_layers, strict=True)):
            by_itself = number == 0 or self.front is not None
            h = layer(h if by_itself else self.dropout(h), mine, batch)
        scores: torch.Tensor = self.head(h)
        return scores


def _mapped(x: Any, front: nn.Linear) -> torch.Tensor:
    mapped: torch.Tensor = (
        front(x) if isinstance(x, torch.Tensor) else x @ front.weight.T + front.bias
    )
    return mapped


def _texts(templates: Sequence[Template]) -> str:
    return ", ".join(template.name or template.text for template in templates)
