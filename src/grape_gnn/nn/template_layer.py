"""The paper's layer: eq. 2 for every template, then eq. 3-4 over the templates."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import nn

from grape_gnn.nn.aggregator import Aggregator
from grape_gnn.nn.fusion import Fusion
from grape_gnn.nn.presets import Preset, find_preset
from grape_gnn.nn.role_rows import RoleRows
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.template import Template

__all__ = ["TemplateLayer"]


class TemplateLayer(nn.Module):
    """One layer of the presets ``paper`` and ``released``.

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

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> roles = RoleValues(grape.match(g, "edge,triangle", weighting="set"))
    >>> TemplateLayer(roles.templates, 3, 8)(torch.ones(4, 3), roles).shape
    torch.Size([4, 8])
    """

    def __init__(
        self,
        templates: Sequence[Template],
        in_features: int,
        out_features: int,
        preset: str | Preset = "paper",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        chosen = find_preset(preset)
        self.aggregator = Aggregator(
            templates,
            in_features,
            out_features,
            simplex=chosen.simplex,
            layer_norm=chosen.layer_norm,
            dropout=dropout,
        )
        self.fusion = Fusion(len(templates), chosen.excitation)

    def reset_parameters(self) -> None:
        """Draw new weights."""
        self.aggregator.reset_parameters()
        self.fusion.reset_parameters()

    def forward(
        self,
        h: torch.Tensor | SparseFeatures,
        roles: RoleValues,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Map features (nodes, in_features) to (nodes, out_features).

        `batch` has the graph of every node where several are stacked; see `Fusion.alpha`.
        """
        part = isinstance(roles, RoleRows)
        fused: torch.Tensor = self.fusion(self.aggregator(h, roles), batch, part)
        return fused
