"""Run folders of models for whole graphs: the same files as those of other trainings.

====================  =============================================================================
config.json           what was trained on what: the file of the graphs and a checksum, parameters,
                      templates, versions, the command
checkpoint            only while training goes on; ``grape train --resume`` starts from it
``.safetensors``
history.json          loss and validation score of every epoch
model.safetensors     the weights of the best epoch
predictions.csv       target, prediction and part of every graph
metrics.json          all metrics; written last, so it marks a finished run
====================  =============================================================================
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

import numpy as np

from grape_gnn.errors import GrapeError, ModelFileError
from grape_gnn.graph.checksum import checksum
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.roles import match
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.runs.figures import run_metrics
from grape_gnn.runs.folder import RunFolder
from grape_gnn.runs.predictions import Prediction, as_predictions
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import History, torch_threads, versions

if TYPE_CHECKING:
    from grape_gnn.estimator.graph_base import GraphEstimator

__all__ = ["GraphRun", "predict_graphs", "resume_graph_run", "train_graph_run"]

Progress = Callable[[int, History], None]


class _Config(TypedDict):
    source: dict[str, Any]
    task: str
    parameters: dict[str, Any]
    templates: list[dict[str, Any]]
    skipped: list[dict[str, Any]]
    data: str
    versions: dict[str, str]
    threads: int
    command: list[str]


class GraphRun(RunFolder):
    """The folder of one training on a set of graphs.

    Examples
    --------
    >>> GraphRun.kind
    'train-graphs'
    """

    kind, thing, command = "train-graphs", "training on graphs", "grape train --task graph"
    config_shape = _Config
    sample = "graph"

    @property
    def title(self) -> str:
        """The name of the file of the graphs."""
        return Path(self.name).name

    @property
    def name(self) -> str:
        """The file of the graphs."""
        return str(self.config["source"]["file"])

    def graphs(self) -> GraphSet:
        """Read the graphs again; refuse others than those of the training."""
        source = self.config["source"]
        found = read_graphs(source["file"], **source["reading"])
        if _digest(found) != self.config["data"]:
            raise ModelFileError(
                self.path, f"{source['file']} has changed since this training: train again"
            )
        return found

    @staticmethod
    def estimator(task: str | None) -> type[GraphEstimator]:
        """Return the class of the models of a task."""
        from grape_gnn.estimator import GrapeGraphClassifier, GrapeGraphRegressor

        return GrapeGraphRegressor if task == "regression" else GrapeGraphClassifier


def train_graph_run(
    path: str | os.PathLike[str],
    file: str | os.PathLike[str],
    reading: Mapping[str, Any],
    parameters: Mapping[str, Any],
    *,
    templates: Iterable[str | Template] | str | None = None,
    threads: int | None = None,
    command: Iterable[str] = (),
    progress: Progress | None = None,
) -> GraphRun:
    """Train GRAPE on a file of many graphs and keep everything in a folder.

    Parameters
    ----------
    path
        The folder to make.
    file, reading
        The graphs, and options of `grape_gnn.read_graphs`.
    parameters
        Of `grape_gnn.GrapeGraphClassifier`, except the templates.
    templates
        As for `grape_gnn.templates`; None: ``"molecule"``.
    threads
        Number of torch threads; None: as torch is set.
    command
        What the user typed, to be kept.
    progress
        Called after every epoch with the largest number of epochs and the history.
    """
    import torch

    GraphRun.check_free(path)
    chosen = find_templates("molecule" if templates is None else templates)
    graphs = read_graphs(file, **reading)
    model = GraphRun.estimator(graphs.task)(chosen, **parameters)
    model.split_for(graphs)  # complains of what nothing can be learnt from
    roles, skipped = _matched(model, graphs)
    config = {
        "source": {"file": str(Path(file).absolute()), "reading": dict(reading)},
        "task": str(graphs.task),
        "parameters": {k: v for k, v in model.get_params().items() if k != "templates"},
        "templates": [template.to_json() for template in find_templates(model.templates)],
        "skipped": [template.to_json() for template in skipped],
        "data": _digest(graphs),
        "versions": versions(),
        "threads": torch.get_num_threads() if threads is None else threads,
        "command": list(command),
    }
    with GraphRun.create(path, config) as run:
        try:
            _train(run, model, graphs, progress, roles)
        except GrapeError:
            if not run.checkpoint.exists():  # nothing is lost with it
                run.discard()
            raise
    return run


def resume_graph_run(path: str | os.PathLike[str], progress: Progress | None = None) -> GraphRun:
    """Go on with an interrupted training, to the result it would have had."""
    run = GraphRun.open(path, unfinished=True)
    if run.is_finished:
        return run
    templates = [Template.from_json(entry) for entry in run.config["templates"]]
    model = run.estimator(run.config["task"])(templates, **run.config["parameters"])
    with run:
        graphs, roles = run.graphs(), None
        if model.match_time is not None:  # these templates fitted into it before
            roles = match(graphs, templates, weighting=_weighting(model), engine=model.engine)
        _train(run, model, graphs, progress, cast(SetMatches | None, roles))
    return run


def predict_graphs(model: GraphEstimator, graphs: GraphSet, own: bool = False) -> list[Prediction]:
    """Predict every graph; `own`: with its part in the training, whose graphs these are."""
    outputs = model.outputs(graphs)
    return as_predictions(model, graphs, outputs, model.split_ if own else None)


def _matched(
    model: GraphEstimator, graphs: GraphSet
) -> tuple[SetMatches | None, tuple[Template, ...]]:
    """Match as far as the time allows, and leave the model the templates that were matched.

    The run keeps to these templates: resumed, it goes on with them, however busy the machine is.
    """
    if model.match_time is None:
        return None, ()
    from grape_gnn.estimator.match_within import match_within

    time, engine = model.match_time, model.engine
    templates = find_templates(model.templates)
    roles, skipped = match_within(graphs, templates, time, _weighting(model), engine)
    model.templates = [each.template for each in roles]
    return roles, skipped


def _weighting(model: GraphEstimator) -> str:
    from grape_gnn.nn.presets import find_preset

    return find_preset(model.preset).weighting


def _train(
    run: GraphRun,
    model: GraphEstimator,
    graphs: GraphSet,
    progress: Progress | None,
    roles: SetMatches | None,
) -> None:
    resumed, start = run.checkpoint.exists(), time.perf_counter()
    with torch_threads(run.config["threads"]):
        model.fit(graphs, roles=roles, checkpoint=run.checkpoint, progress=progress)
        seconds = time.perf_counter() - start
        outputs = model.outputs(graphs)
    found = run_metrics(model, graphs, outputs, seconds, resumed)
    found |= {
        "graphs": len(graphs), "nodes": graphs.num_nodes, "edges": graphs.num_edges,
        "features": model.inputs_.width,
    }  # fmt: skip
    run.finish(model, as_predictions(model, graphs, outputs, model.split_), found)


def _digest(graphs: GraphSet) -> str:
    kinds = np.empty(0) if graphs.edge_types is None else graphs.edge_types
    return checksum(
        graphs.union, graphs.ptr, graphs.y, graphs.union.x, graphs.union.types, kinds,
        graphs.label_names, graphs.node_types, graphs.edge_type_names or (), *graphs.edge_parts,
    )  # fmt: skip
