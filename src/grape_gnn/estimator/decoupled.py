"""GRAPE on precomputed role products as a `Method`: the preset ``decoupled``."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from weakref import finalize

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import linalg
from scipy.sparse.linalg import svds

from grape_gnn.errors import ModelError
from grape_gnn.estimator.method import RoleMethod, edges_of
from grape_gnn.graph import Graph
from grape_gnn.graph.feature_matrix import Features
from grape_gnn.nn import DecoupledGRAPE, SparseFeatures
from grape_gnn.nn.role_maps import FORMS
from grape_gnn.planning.machine import this_machine
from grape_gnn.products import ProductFolder, RoleMeans, precompute
from grape_gnn.roles import match
from grape_gnn.training import (
    Batches,
    Prepared,
    ProductBatches,
    ProductInputs,
    Shape,
    is_constant,
)

__all__ = ["Decoupled"]

WIDE, KEPT = 512, 128  # of more features than `WIDE`, products are of `KEPT` main directions
IN_MEMORY = 1 << 30  # bytes of products; more go to a temporary folder
MEMORY = 2 * 10**9  # bytes to compute those, or half of what is free
ROWS = 1 << 16


class Decoupled(RoleMethod):
    """GRAPE on products of roles and features that are computed once.

    Parameters
    ----------
    templates
        Templates, their names, or the name of a set such as ``"social"``.
    engine
        Matching engine, as for `grape_gnn.match`.

    Examples
    --------
    >>> Decoupled("edge,triangle").describe()["templates"]
    ['0-1', '0-1 0-2 1-2']
    """

    name = "grape-decoupled"
    title = "GRAPE, decoupled"

    def describe(self) -> dict[str, Any]:
        """Return the templates."""
        return {"templates": [t.text for t in self.templates], "preset": {"name": "decoupled"}}

    def prepare(self, graph: Graph, x: torch.Tensor | SparseFeatures) -> Prepared:
        """Multiply the roles by the features."""
        given = x.matrix if isinstance(x, SparseFeatures) else x.numpy()
        inputs = self.inputs(graph, given, directions=self.directions(given))
        return Prepared(inputs, is_constant(x), (graph,))

    def inputs(
        self,
        graph: Graph,
        x: Features,
        folder: str | os.PathLike[str] | None = None,
        directions: NDArray[np.float32] | None = None,
    ) -> ProductInputs:
        """Return features and products of a graph.

        Parameters
        ----------
        graph, x
            The graph and its features, which may be mapped: they are not copied.
        folder
            Of `grape_gnn.precompute`: it is used, or made. None: products are kept in memory, or in
            a temporary folder if they are large.
        directions
            Main directions of the features, if products are of those.
        """
        columns = x if directions is None else x @ directions
        options: dict[str, Any] = {"x": columns, "engine": self.engine}
        roles = sum(len(template.roles) - 1 for template in self.templates)
        size = 4 * graph.num_nodes * 2 * roles * columns.shape[1]
        temporary = folder is None and size > IN_MEMORY
        if temporary:
            folder = tempfile.mkdtemp(prefix="grape-products-")
        if folder is not None:
            options["memory"] = max(MEMORY, this_machine().memory // 2)
        products = precompute(graph, self.templates, folder, **options)
        if temporary and folder is not None:
            finalize(products, shutil.rmtree, folder, ignore_errors=True)
        return ProductInputs(
            x,
            products,
            lambda: RoleMeans(match(graph, self.templates, engine=self.engine)),
            directions=directions,
        )

    @staticmethod
    def directions(
        x: Features, folder: str | os.PathLike[str] | None = None
    ) -> NDArray[np.float32] | None:
        """Return the main directions of features that are too many to be multiplied; else None.

        Those are the first right singular vectors. A folder that has products of all columns is
        taken as it is.
        """
        if x.shape[1] <= WIDE:
            return None
        if folder is not None and _columns_in(folder) == x.shape[1]:
            return None
        if not isinstance(x, np.ndarray):
            kept = min(KEPT, min(x.shape) - 1)
            start = np.ones(min(x.shape))  # or they begin at random
            _, _, rows = svds(x.astype(np.float64), k=kept, v0=start)
            return np.ascontiguousarray(rows[::-1].T, np.float32)
        gram = np.zeros((x.shape[1], x.shape[1]))
        for begin in range(0, len(x), ROWS):
            block = np.asarray(x[begin : begin + ROWS], np.float64)
            gram += block.T @ block
        last = x.shape[1] - 1
        _, vectors = linalg.eigh(gram, subset_by_index=[last - KEPT + 1, last])
        return np.ascontiguousarray(vectors[:, ::-1], np.float32)

    def on_edges(self) -> Decoupled:
        """Return the same on the edges alone."""
        return Decoupled(edges_of(self.templates), self.engine)

    def chosen(self, prepared: Prepared, settings: dict[str, Any]) -> tuple[Decoupled, Prepared]:
        """Understand `edge_only` and `use_features`: both need other products."""
        alone, featured = settings.pop("edge_only", False), settings.pop("use_features", True)
        method = self.on_edges() if alone else self
        if alone or not featured:
            (graph,) = prepared.structure
            x = _of(prepared).x if featured else np.ones((graph.num_nodes, 1), np.float32)
            prepared = replace(prepared, x=method.inputs(graph, x, directions=self.directions(x)))
        return method, prepared

    def network(self, shape: Shape, prepared: Prepared) -> DecoupledGRAPE:
        """Return an untrained network."""
        inputs = _of(prepared)
        kept = None if inputs.directions is None else torch.from_numpy(inputs.directions)
        return self._network(shape, inputs.columns, inputs.products.hops, kept)

    def network_of(self, shape: Shape, weights: Mapping[str, torch.Tensor]) -> DecoupledGRAPE:
        """Return an untrained network of the size of given weights."""
        hops = weights["counts.weight"].shape[1] // sum(len(t.roles) - 1 for t in self.templates)
        if "front.weight" in weights:
            columns = weights["front.weight"].shape[1]
        else:
            per_column = len(FORMS) * (len(self.templates[0].roles) - 1)
            columns = weights["maps.0.0.weight"].shape[1] // per_column
        return self._network(shape, columns, hops, weights.get("directions"))

    def _network(
        self, shape: Shape, columns: int, hops: int, directions: torch.Tensor | None
    ) -> DecoupledGRAPE:
        return DecoupledGRAPE(
            self.templates,
            shape.in_features,
            shape.num_classes,
            columns,
            hidden=shape.hidden,
            layers=shape.layers,
            dropout=shape.dropout,
            input_dropout=shape.input_dropout,
            hops=hops,
            directions=directions,
        )

    def batches(
        self, inputs: list[Any], size: int | None, layers: int = 2, sample: int | None = None
    ) -> Batches:
        """Return batches of products."""
        if sample is not None:
            raise ModelError(
                "the preset 'decoupled' has no members to sample: leave out sample_neighbours"
            )
        return ProductBatches(inputs[0], size)


def _of(prepared: Prepared) -> ProductInputs:
    assert isinstance(prepared.x, ProductInputs)  # it was prepared here
    return prepared.x


def _columns_in(folder: str | os.PathLike[str]) -> int | None:
    there = Path(folder, "config.json").exists()
    return ProductFolder.open(folder).config["columns"] if there else None
