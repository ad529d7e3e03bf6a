"""GRAPE: K layers of aggregators and fusion, and a final MLP (Alg. A1 of the paper)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.aggregator import Aggregator
from grape_gnn.nn.fusion import Fusion
from grape_gnn.nn.presets import Preset, find_preset
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["GRAPE", "GRAPELayer"]


class GRAPELayer(nn.Module):
    """One layer: eq. 2 for every template, then eq. 3-4 over the templates.

    The preset ``default`` adds a linear map of the input, which lets a node keep what it knows of
    itself apart from what its roles bring.

    Parameters
    ----------
    templates
        The templates.
    in_features, out_features
        Width before and after.
    preset
        Name of a preset, or the preset itself.
    dropout
        Share of the MLPs' hidden values dropped in training.
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        out_features: int,
        preset: str | Preset = "default",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        chosen = find_preset(preset)
        self.aggregator = Aggregator(
            templates,
            in_features,
            out_features,
            forms=chosen.forms,
            simplex=chosen.simplex,
            calibrated=chosen.calibrated,
            damped=chosen.damped,
            norm=chosen.norm,
            maps=chosen.maps,
            dropout=dropout,
        )
        self.fusion = Fusion(len(templates), chosen.excitation)
        self.skip = nn.Linear(in_features, out_features) if chosen.skip else None

    def forward(
        self,
        h: torch.Tensor | SparseFeatures,
        roles: RoleValues,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Map features (nodes, in_features) to (nodes, out_features).

        `batch` has the graph of every node where several are stacked; see `Fusion.alpha`.
        """
        fused: torch.Tensor = self.fusion(self.aggregator(h, roles), batch)
        if self.skip is None:
            return fused
        return fused + h @ self.skip.weight.T + self.skip.bias


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
        Share of the values dropped before each layer, in training.
    preset
        ``"default"``, ``"paper"`` or ``"released"``; see `grape_gnn.nn.presets`.
    input_dropout
        The same for the node features; None: as `dropout`. Features that are the same for all
        nodes should not be dropped: it would only add noise.

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
        self.dropout = nn.Dropout(dropout)
        self.input_dropout = nn.Dropout(dropout if input_dropout is None else input_dropout)
        last = hidden if self.preset.head else num_classes
        widths = [in_features, *[hidden] * (layers - 1), last]
        self.layers = nn.ModuleList(
            GRAPELayer(self.templates, wide, narrow, self.preset)
            for wide, narrow in pairwise(widths)
        )
        self.head = nn.Sequential()
        if self.preset.head == 2:
            self.head.extend([nn.Dropout(dropout), nn.Linear(hidden, hidden), nn.ReLU()])
        if self.preset.head:
            self.head.extend([nn.Dropout(dropout), nn.Linear(hidden, num_classes)])

    def forward(
        self,
        x: torch.Tensor | SparseFeatures,
        roles: RoleValues,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return one score per node and class.

        Parameters
        ----------
        x
            Node features, shape (nodes, in_features); see `as_sparse` for mostly zero ones.
        roles
            The role matrices of the same templates on the graph.
        batch
            The graph of every node, where several are stacked into one. Scores of a graph then do
            not depend on its companions, but for batch normalisation in training.
        """
        if [t.canonical for t in roles.templates] != [t.canonical for t in self.templates]:
            raise ModelError(
                f"the model was built for the templates {_texts(self.templates)}, the roles are "
                f"of {_texts(roles.templates)}: match the model's templates"
            )
        if x.ndim != 2 or x.shape != (roles.num_nodes, self.in_features):
            raise ModelError(
                f"the features have shape {tuple(x.shape)}, but the graph has {roles.num_nodes} "
                f"nodes and the model was built for {self.in_features} features"
            )
        h: Any = (
            x.dropout(self.input_dropout.p, self.training)
            if isinstance(x, SparseFeatures)
            else self.input_dropout(x)
        )
        for number, layer in enumerate(self.layers):
            h = layer(h if number == 0 else self.dropout(h), roles, batch)
        scores: torch.Tensor = self.head(h)
        return scores


def _texts(templates: Sequence[Template]) -> str:
    return ", ".join(template.name or template.text for template in templates)
