"""`GRAPEConv`: one GRAPE layer with the manners of a PyG convolution."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import torch

from grape_gnn.arguments import whole_number
from grape_gnn.errors import ModelError
from grape_gnn.graph import Graph
from grape_gnn.nn.model import grape_layer
from grape_gnn.nn.presets import find_preset
from grape_gnn.nn.role_values import RoleValues
from grape_gnn.nn.sparse_features import SparseFeatures
from grape_gnn.pyg.ego_roles import EgoRoles
from grape_gnn.roles import match as match_templates
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["GRAPEConv"]

KEPT = 8  # graphs whose roles a layer keeps that matches by itself


class GRAPEConv(torch.nn.Module):
    """One GRAPE layer with the manners of a PyG convolution.

    The layer of the preset ``default`` ends with its own normalisation and ReLU, and adds its input
    where the widths agree; see `grape_gnn.nn.RoleLayer`.

    Parameters
    ----------
    in_channels, out_channels
        Width before and after.
    templates
        Templates, their names, or the name of a set.
    preset
        See `grape_gnn.nn.presets`.
    dropout
        Share of the layer's values dropped in training.
    match
        Take an ``edge_index`` in place of roles, and match it when it is seen for the first time;
        the roles of the last 8 are kept.

    Examples
    --------
    >>> conv = GRAPEConv(16, 32, "edge,triangle", match=True)
    >>> conv
    GRAPEConv(16, 32, templates=['edge', 'triangle'], preset='default')
    >>> edge_index = torch.tensor([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    >>> conv(torch.ones(3, 16), edge_index).shape
    torch.Size([3, 32])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        templates: str | Template | Iterable[str | Template] = "social",
        preset: str = "default",
        dropout: float = 0.0,
        match: bool = False,
    ) -> None:
        super().__init__()
        in_channels = whole_number("in_channels", in_channels, 1, error=ModelError)
        out_channels = whole_number("out_channels", out_channels, 1, error=ModelError)
        self.templates = tuple(find_templates(templates))
        self._preset = find_preset(preset)
        self.layer = grape_layer(self.templates, in_channels, out_channels, self._preset, dropout)
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.preset = self._preset.name
        self.match = match
        self._kept: OrderedDict[bytes, RoleValues] = OrderedDict()

    def reset_parameters(self) -> None:
        """Draw new weights and forget kept roles."""
        self.layer.reset_parameters()
        self._kept.clear()

    # The compiled passes are opaque to torch.compile: it compiles what is around the layer.
    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def forward(
        self,
        x: torch.Tensor | SparseFeatures,
        roles: EgoRoles | RoleValues | torch.Tensor,
        batch: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return new features.

        Parameters
        ----------
        x
            Shape (nodes, in_channels).
        roles
            ``EgoRoles(data)`` of what `AddEgoRoles` attached; for one large graph also
            ``grape_gnn.nn.RoleValues(grape_gnn.match(...))``; with ``match`` an ``edge_index``.
        batch
            ``data.batch`` of several graphs in one, whose templates are then weighed for each
            graph by itself; None: it is one graph.
        """
        if x.ndim != 2 or x.shape[1] != self.in_channels:
            remedy = f"make it with GRAPEConv({x.shape[-1]}, ...)"
            raise ModelError(
                f"{self!r} got x of shape {tuple(x.shape)}: it was made for in_channels="
                f"{self.in_channels} features of a node; "
                f"{remedy if x.ndim == 2 else 'give x a row for every node'}"
            )
        found = self._roles(x, roles)
        if x.shape[0] != found.num_nodes:
            raise ModelError(f"x has {x.shape[0]} rows, the roles are of {found.num_nodes} nodes")
        out: torch.Tensor = self.layer(x, found, batch)
        return out

    def _roles(self, x: torch.Tensor | SparseFeatures, roles: Any) -> RoleValues:
        if isinstance(roles, EgoRoles):
            return roles.for_layer(self.templates, self._preset)
        if isinstance(roles, RoleValues):
            wanted = [template.canonical for template in self.templates]
            if [template.canonical for template in roles.templates] != wanted:
                raise ModelError(
                    f"{self!r} got roles of other templates: "
                    f"{[template.text for template in roles.templates]}; match the layer's"
                )
            return roles
        if not isinstance(roles, torch.Tensor):
            raise ModelError(
                f"{self!r} got {type(roles).__name__} for roles: give it EgoRoles(data)"
            )
        asks = next((t for t in self.templates if t.has_labels or t.has_edge_types), None)
        if asks is not None:
            raise ModelError(
                f"{self!r} got an edge_index, which has no types, and its template {asks.text!r} "
                f"asks for some: put AddEgoRoles into the transforms and give it EgoRoles(data)"
            )
        if not self.match:
            raise ModelError(
                f"{self!r} got an edge_index and does not match by itself: put AddEgoRoles into "
                f"the transforms and give it EgoRoles(data), or make it with match=True"
            )
        return self._find(x.shape[0], roles)

    def _find(self, num_nodes: int, edge_index: torch.Tensor) -> RoleValues:
        from torch_geometric.data import Data

        content = edge_index.detach().cpu().contiguous().numpy()
        key = hashlib.sha256(content.tobytes() + str((num_nodes, content.shape)).encode()).digest()
        if key not in self._kept:
            graph = Graph.from_pyg(Data(edge_index=edge_index, num_nodes=num_nodes))
            found = match_templates(graph, self.templates, weighting=self._preset.weighting)
            self._kept[key] = RoleValues(found, values=self._preset.values)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    def __repr__(self) -> str:
        names = [template.name or template.text for template in self.templates]
        return (
            f"GRAPEConv({self.in_channels}, {self.out_channels}, templates={names}, "
            f"preset={self.preset!r})"
        )
