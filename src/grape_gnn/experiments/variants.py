"""GRAPE with one thing changed, as methods of the comparison: what the ablations are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch
from torch import nn

from grape_gnn.baselines.grape import Grape
from grape_gnn.baselines.method import Prepared, Shape
from grape_gnn.nn import Fusion, GRAPELayer
from grape_gnn.template import Template

__all__ = ["EqualFusion", "GrapeVariant"]


class EqualFusion(Fusion):
    """In place of squeeze-and-excitation: every template has weight one.

    Examples
    --------
    >>> EqualFusion(3)(torch.ones(4, 3, 2))[0].tolist()
    [3.0, 3.0]
    """

    def alpha(self, h: torch.Tensor) -> torch.Tensor:
        """Return ones."""
        return h.new_ones(h.shape[1])


class GrapeVariant(Grape):
    """GRAPE with another depth, fusion, weighting or preset, or without skip connections.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set.
    preset
        Name of the preset to start from.
    layers
        Number of layers.
    weighting
        ``"count"`` or ``"set"``; None: as the preset has it.
    skip
        Whether layers have skip connections; None: as the preset has it.
    excitation
        Whether the templates are weighted by squeeze-and-excitation, or all alike.

    Examples
    --------
    >>> GrapeVariant("edge", layers=3).describe()["layers"]
    3
    """

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template],
        preset: str = "default",
        *,
        layers: int = 2,
        weighting: str | None = None,
        skip: bool | None = None,
        excitation: bool = True,
    ) -> None:
        super().__init__(templates, preset)
        given: dict[str, Any] = {"weighting": weighting, "skip": skip}
        changed = {name: value for name, value in given.items() if value is not None}
        self.preset = replace(self.preset, **changed)
        self.layers = layers
        self.excitation = excitation

    def describe(self) -> dict[str, Any]:
        """Return what was changed, too."""
        return {**super().describe(), "layers": self.layers, "excitation": self.excitation}

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        network = super().network(replace(shape, layers=self.layers), prepared)
        if not self.excitation:
            for layer in network.modules():
                if isinstance(layer, GRAPELayer):
                    layer.fusion = EqualFusion(len(self.templates))
        return network
