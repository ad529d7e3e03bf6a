"""Role products by blocks of columns: each is multiplied by itself and written by who did it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from grape_gnn.arguments import parse_bytes, whole_number
from grape_gnn.cluster.run import run_jobs
from grape_gnn.cluster.shared_graph import SharedGraph, refused
from grape_gnn.errors import GrapeError, ProductsFileError
from grape_gnn.files.npy import read_array
from grape_gnn.graph import read_graph
from grape_gnn.graph.feature_matrix import Features
from grape_gnn.products import ProductFolder, Products, RoleMeans
from grape_gnn.products.precompute import (
    columns_at_once,
    computed_parts,
    features_of,
    product_config,
)
from grape_gnn.roles import match
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.workers import WorkerSettings

__all__ = ["precompute_parts"]

Columns = tuple[int, int]
LOGS: Columns = (0, 0)  # the job of the log totals, which belong to no column


@dataclass(frozen=True)
class Task:
    """Whose roles are multiplied, and where the products are written."""

    graph: SharedGraph
    folder: str
    x: str | None

    @cached_property
    def features(self) -> Features:
        """What is multiplied, mapped."""
        return features_of(self.graph.graph, _mapped(self.x))

    @cached_property
    def means(self) -> RoleMeans:
        """The roles; each process prepares them once."""
        return RoleMeans(
            match(self.graph.graph, ProductFolder.open(self.folder).templates, threads=1)
        )


def precompute_parts(
    graph: str | os.PathLike[str],
    templates: str | Template | Iterable[str | Template],
    out: str | os.PathLike[str],
    *,
    hops: int = 2,
    x: str | os.PathLike[str] | None = None,
    parts: int = 16,
    memory: int | str | None = None,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
) -> Products:
    """Multiply the roles of templates by the features of a graph, here or on a cluster.

    The products are those of `grape_gnn.precompute`, and so is the folder. If the call is cut off,
    or a worker's disk is full, the same call goes on with what is missing.

    Parameters
    ----------
    graph
        A graph on disk (``.grape``), under a name that all workers know it by.
    templates, hops
        As for `grape_gnn.precompute`.
    out
        Folder for the products, under a name that all workers know it by.
    x
        File of the features, ``.npy``, likewise; None: those of the graph, or a constant.
    parts
        Number of blocks of columns.
    memory
        Bytes that one job may use besides the graph, such as ``"4GB"``.
    jobs, backend, scheduler
        Who works, as for `grape_gnn.cluster.match_parts`.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from grape_gnn.graph import Graph
    >>> here = Path(tempfile.mkdtemp())
    >>> Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], x=np.eye(4)).save(here / "g.grape")
    >>> precompute_parts(here / "g.grape", "social", here / "products", parts=2)
    Products(4 nodes, 7 roles, 4 columns, 2 hops)
    """
    whole_number("hops", hops, 1, 2)
    whole_number("parts", parts, 1)
    shared, data = SharedGraph.of(graph), read_graph(graph)
    features, wanted = features_of(data, _mapped(x)), find_templates(templates)
    roles = sum(len(template.roles) - 1 for template in wanted)
    columns = features.shape[1]
    budget = None if memory is None else parse_bytes(memory)
    fits = columns_at_once(data.num_nodes, columns, roles, budget)
    width = max(1, min(fits, -(-columns // parts)))
    config = product_config(data, features, wanted, hops, width)
    with ProductFolder.prepared(Path(out).absolute(), config) as folder:
        todo = [(part.first, part.last) for part in folder.parts if not folder.has(part.name)]
        logs = [LOGS] if any(name.startswith("logs") for name in folder.missing) else []
        run_jobs(
            multiply_columns,
            Task(shared, str(folder.path), None if x is None else str(Path(x).absolute())),
            [*logs, *dict.fromkeys(todo)],
            WorkerSettings(jobs, backend, scheduler),
            fingerprint=f"{shared.identity} {folder.path}",
            step="multiplying",
        )
        return folder.products()


def _mapped(x: str | os.PathLike[str] | None) -> NDArray[Any] | None:
    if x is None:
        return None
    try:
        return read_array(x, mmap=True)
    except ValueError as error:
        raise ProductsFileError(x, f"is no array of features: {error}") from error


def multiply_columns(task: Task, columns: Columns) -> str | None:
    """Multiply some columns by all roles and write the products; return what went wrong."""
    try:
        folder, means = ProductFolder.open(task.folder), task.means
        if columns == LOGS:
            for hop, logs in enumerate((means.logs, *means.second([means.logs])), start=1):
                if hop <= folder.config["hops"] and not folder.has(f"logs{hop}"):
                    folder.write(f"logs{hop}", [logs])
            return None
        mine = [
            part
            for part in folder.parts
            if (part.first, part.last) == columns and not folder.has(part.name)
        ]
        for part, arrays in computed_parts(means, task.features, mine):
            folder.write(part.name, arrays)
    except (GrapeError, OSError) as error:
        return refused(error)
    return None
