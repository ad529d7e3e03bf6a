"""GRAPE as a `Method`: what `GrapeClassifier` trains, and what is compared with the baselines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from grape_gnn.graph import Graph
from grape_gnn.nn import GRAPE, RoleValues, find_preset
from grape_gnn.roles import RoleMatches, match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import Method, Prepared, Shape

__all__ = ["Grape"]


class Grape(Method):
    """GRAPE on the roles of templates.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    preset
        ``"default"``, ``"paper"`` or ``"released"``.
    engine
        Matching engine, as for `grape_gnn.match`.

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
        engine: str = "auto",
    ) -> None:
        self.templates = tuple(find_templates(templates))
        self.preset = find_preset(preset)
        self.stopping = self.preset.stopping
        self.engine = engine

    def describe(self) -> dict[str, Any]:
        """Return the templates and all that the preset fixes."""
        preset = {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self.preset).items()
        }
        return {"templates": [t.text for t in self.templates], "preset": preset}

    def structure(self, graph: Graph) -> tuple[RoleValues]:
        """Match the templates."""
        return (self.roles(graph),)

    def roles(self, graph: Graph, found: RoleMatches | None = None) -> RoleValues:
        """Return the role matrices as the preset wants them; matched now unless found before."""
        if found is None:
            weighting = self.preset.weighting
            found = match(graph, self.templates, weighting=weighting, engine=self.engine)
        return RoleValues(found, values=self.preset.values)

    def network(self, shape: Shape, prepared: Prepared | None = None) -> GRAPE:
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
