"""GRAPE as one of the methods, so that it goes through the very path the baselines go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from torch import nn

from grape_gnn.baselines.method import Method, Prepared, Shape
from grape_gnn.graph import Graph
from grape_gnn.nn import GRAPE, RoleValues, find_preset
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["Grape"]


class Grape(Method):
    """What `grape_gnn.GrapeClassifier` trains.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    preset
        ``"default"``, ``"paper"`` or ``"released"``.
    label_inputs
        Whether the network is shown training labels; see `grape_gnn.training.LabelInputs`. If so,
        validation decides whether it is shown the features as well: where they say nothing, they
        are noise on top of the labels.

    Examples
    --------
    >>> Grape("edge,triangle").describe()["templates"]
    ['0-1', '0-1 0-2 1-2']
    """

    name = "grape"
    title = "GRAPE"

    def __init__(
        self,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        *,
        label_inputs: bool = True,
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.preset = find_preset(preset)
        self.stopping = self.preset.stopping
        self.choices = {
            "label_inputs": (label_inputs,),
            "use_features": (True, False) if label_inputs else (True,),
        }

    def describe(self) -> dict[str, Any]:
        """Return the templates and all that the preset fixes."""
        preset = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self.preset).items()
        }
        return {"templates": [t.text for t in self.templates], "preset": preset}

    def structure(self, graph: Graph) -> tuple[Any, ...]:
        """Match the templates."""
        found = match(graph, self.templates, weighting=self.preset.weighting)
        return (RoleValues(found, values=self.preset.values),)

    def network(self, shape: Shape, prepared: Prepared) -> nn.Module:
        """Return an untrained network."""
        return GRAPE(
            self.templates,
            shape.in_features,
            shape.num_classes,
            hidden=shape.hidden,
            layers=shape.layers,
            dropout=shape.dropout,
            preset=self.preset,
            input_dropout=shape.input_dropout,
        )
