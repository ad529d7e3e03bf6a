"""Predicting by blocks of egos: every block is answered by itself and written by who did it.

What a trained model says of an ego depends on what surrounds the ego only. A decoupled model needs
the ego's rows of the products, which are computed first, by blocks of columns, if they are not
there. A layered one (preset ``default``) needs the rows of roles of the egos' surroundings: every
worker matches for itself. The other presets weigh templates by averages over all nodes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.arguments import one_of, whole_number
from grape_gnn.cluster.blocks_folder import Block, block_borders
from grape_gnn.cluster.model_parts import block_batches, check_model, prepare_products
from grape_gnn.cluster.predictions_folder import PredictionsFolder, model_bytes
from grape_gnn.cluster.run import run_jobs
from grape_gnn.cluster.shared_graph import SharedGraph, refused
from grape_gnn.errors import GrapeError
from grape_gnn.extras import named_extra
from grape_gnn.graph import read_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.feature_matrix import made_dense
from grape_gnn.workers import WorkerSettings

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.training import Batches

__all__ = ["predict_parts"]


@dataclass(frozen=True)
class Task:
    """Which graph is predicted, and where its model is and its predictions go."""

    graph: SharedGraph
    folder: str
    products: str | None

    @cached_property
    def model(self) -> GrapeEstimator:
        """The trained model; each process loads it once."""
        return PredictionsFolder.open(self.folder).model()

    @cached_property
    def batches(self) -> Batches:
        """What the network is given for some egos; each process prepares it once."""
        folder = PredictionsFolder.open(self.folder)
        return block_batches(self.model, self.graph.graph, folder, self.products)


def predict_parts(
    model: GrapeEstimator,
    graph: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    x: Any = None,
    known: Any = None,
    products: str | os.PathLike[str] | None = None,
    format: str = "parquet",
    parts: int = 64,
    memory: int | str | None = None,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
) -> PredictionsFolder:
    """Predict the nodes of a graph in blocks, here or on a cluster.

    The answers are those of the model on one machine, whoever works; probabilities may differ in
    their last digit. If the call is cut off, or a worker's disk is full, the same call goes on with
    the blocks that are missing, and makes those again that were damaged since.

    Parameters
    ----------
    model
        A fitted `GrapeClassifier` or `GrapeRegressor` with the preset ``"decoupled"`` or
        ``"default"``.
    graph
        A graph on disk (``.grape``), under a name that all workers know it by.
    out
        Folder for the parts, under a name that all workers know it by.
    x
        Features, one row per node; None: those of the graph.
    known
        As for `GrapeClassifier.predict_proba`.
    products
        Of a decoupled model: folder of `grape_gnn.precompute`. None: the one it was trained with,
        if that is of this graph; else they are computed into ``out/products``.
    format
        Of the tables: ``"parquet"`` (extra ``arrow``) or ``"csv"``.
    parts
        Number of blocks, of about as many edges each.
    memory
        Bytes that one job may use for products, besides the graph, such as ``"4GB"``.
    jobs, backend, scheduler
        Who works, as for `grape_gnn.cluster.match_parts`.

    Returns
    -------
    PredictionsFolder
        Where the parts are.

    Examples
    --------
    >>> import tempfile
    >>> import grape_gnn as grape
    >>> here = Path(tempfile.mkdtemp())
    >>> g = grape.datasets.load("planted-roles", num_shapes=9)
    >>> g.save(here / "g.grape")
    >>> model = grape.GrapeClassifier("edge,triangle", "decoupled", epochs=2).fit(g)
    >>> found = predict_parts(model, here / "g.grape", here / "p", format="csv", parts=2)
    >>> len(found.blocks), found.part_path(found.blocks[0]).suffix
    (2, '.csv')
    """
    one_of("format", format, ("parquet", "csv"))
    whole_number("parts", parts, 1)
    if format == "parquet":
        with named_extra():
            import pyarrow.parquet  # noqa: F401  fails now, not after the work
    shared, data = SharedGraph.of(graph), read_graph(graph)
    features, seen = check_model(model, data, x, known)
    content = model_bytes(model)
    config = {
        "graph": shared.identity,
        "model": content.checksum,
        "features": "" if x is None else checksum(data, features),
        "known": "" if seen is None else checksum(data, seen),
        "task": model.task_,
        "trained_here": model.is_trained_on(data),
        "format": format,
        "borders": block_borders(data, parts),
    }
    settings = WorkerSettings(jobs, backend, scheduler)
    with PredictionsFolder.prepared(Path(out).absolute(), config) as folder:
        todo = folder.still_to_do()
        if todo:
            content.write(folder)
            if x is not None or model.encoder_ is not None:
                folder.write_array("x", made_dense(features, "predicting in parts"))
            if seen is not None:
                folder.write_array("known", seen)
            used = prepare_products(
                model, graph, data, features, folder, products, memory, settings
            )
            run_jobs(
                predict_block,
                Task(shared, str(folder.path), used),
                todo,
                settings,
                fingerprint=f"{shared.identity} {folder.path}",
                step="predicting",
            )
        folder.write_manifest()
        return folder


def predict_block(task: Task, block: Block) -> str | None:
    """Predict the egos of a block and write its part; return what went wrong."""
    try:
        import torch

        from grape_gnn.runs.predictions import as_predictions
        from grape_gnn.training import torch_threads

        folder, model, graph = PredictionsFolder.open(task.folder), task.model, task.graph.graph
        # Every job has one thread: a cluster says how many jobs a machine takes.
        with torch_threads(1):
            outputs = model.outputs_of(task.batches, torch.arange(*block, device=model.device))
        split = model.split_ if folder.config["trained_here"] else None
        rows = as_predictions(model, graph, outputs, split, first=block[0])
        folder.write_part(block, graph, rows)
    except (GrapeError, OSError) as error:
        return refused(error)
    return None
