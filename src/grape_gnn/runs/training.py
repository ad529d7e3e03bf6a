"""Train GRAPE into a run folder, and go on with a training that was interrupted."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.datasets.features import with_features
from grape_gnn.datasets.source import GraphSource
from grape_gnn.errors import GrapeError, ModelFileError
from grape_gnn.graph import Graph
from grape_gnn.graph.targets import doubt
from grape_gnn.progress import report
from grape_gnn.runs.figures import run_metrics
from grape_gnn.runs.folder import RunFolder, graph_digest
from grape_gnn.runs.predictions import as_predictions
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.training import History, is_first, processes, several, torch_threads, versions
from grape_gnn.warn import warn

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator
    from grape_gnn.estimator.tuning import Trial

__all__ = ["join_run", "next_folder", "remarks", "resume_run", "train_run"]

Progress = Callable[[int, History], None]
Tried = Callable[["Trial"], None]


def train_run(
    path: str | os.PathLike[str],
    source: GraphSource,
    parameters: Mapping[str, Any] | None = None,
    *,
    templates: Iterable[str | Template] | str | None = None,
    threads: int | None = None,
    tune: Sequence[str] = (),
    tune_seconds: float | None = None,
    command: Iterable[str] = (),
    progress: Progress | None = None,
    tried: Tried | None = None,
    remark: Callable[[str], None] | None = None,
) -> RunFolder:
    """Train GRAPE on a graph and keep everything in a folder.

    Parameters
    ----------
    path
        The folder to make.
    source
        The graph. Without a kind of features it is trained with its own, or with constant ones if
        it has none.
    parameters
        Of `grape_gnn.GrapeClassifier`, except the templates and the graph. Without a metric it is
        that of the dataset's authors, if there are any.
    templates
        As for `grape_gnn.templates`; None: the set that suits the graph.
    threads
        Number of torch threads; None: as torch is set. The result depends on it, so a resumed
        training takes the same.
    tune
        Parameters to choose by the validation score first; see `GrapeClassifier.tune`.
    tune_seconds
        Time for that; None: until no step helps.
    command
        What the user typed, to be kept.
    progress
        Called after every epoch with the largest number of epochs and the history.
    tried
        Called after every trial of the tuning.
    remark
        Called with what a user should know before the training: what the labels were taken for, if
        in doubt, and that the graph came with a split.

    Returns
    -------
    RunFolder
        The finished run.

    Examples
    --------
    >>> import tempfile
    >>> from grape_gnn.datasets.source import find_source
    >>> path = Path(tempfile.mkdtemp(), "roles")
    >>> source = find_source("planted-roles", {"num_shapes": 9})
    >>> run = train_run(path, source, {"epochs": 2}, templates="edge")
    >>> sorted(file.name for file in run.path.iterdir())
    ['config.json', 'history.json', 'metrics.json', 'model.safetensors', 'predictions.csv']
    """
    import torch

    from grape_gnn.estimator import GrapeClassifier
    from grape_gnn.estimator.methods import find_method
    from grape_gnn.training import check_metric

    # What can fail at once should not fail after the graph was read and matched.
    chosen_ones = _given(source, parameters, freely=templates is None and not tune)
    checked = GrapeClassifier().set_params(**chosen_ones)
    find_method("edge", checked.preset)
    if checked.metric is not None:
        check_metric(checked.metric)
    chosen = None if templates is None else find_templates(templates)
    if not is_first():
        raise GrapeError("only the first process of a training makes its folder: call join_run")
    if tune and several():
        raise GrapeError("settings are chosen by one process: leave out torchrun, or the tuning")
    RunFolder.check_free(path)
    graph = source.load()
    if remark is not None:
        for line in remarks(source, graph, checked.split):
            remark(line)
    if source.features is None:
        source = replace(source, features="original" if graph.has_features else "constant")
        graph = with_features(graph, str(source.features))
    if chosen is None:
        chosen = find_templates(source.default_templates(graph))
    model = RunFolder.estimator(graph.task)(chosen, **chosen_ones)
    with RunFolder.create(
        path,
        {
            "source": source.to_json(),
            "task": graph.task,
            "parameters": {
                k: v for k, v in model.get_params().items() if k not in ("templates", "graph")
            },
            "templates": [template.to_json() for template in chosen],
            "data": graph_digest(graph),
            "versions": versions(),
            "threads": torch.get_num_threads() if threads is None else threads,
            "command": list(command),
            **({"tuning": {"seconds": tune_seconds, "settings": list(tune)}} if tune else {}),
            **({"processes": processes(torch.device(checked.device)).count} if several() else {}),
        },
    ) as run:
        try:
            _train(run, model, graph, progress, tried)
        except GrapeError as error:
            # Nothing is lost with it; but who is told to resume needs the folder.
            if not run.checkpoint.exists() and not isinstance(error.__cause__, RuntimeError):
                run.discard()
            raise
    return run


def join_run(
    source: GraphSource | None,
    parameters: Mapping[str, Any] | None = None,
    *,
    templates: Iterable[str | Template] | str | None = None,
    threads: int | None = None,
    resumed: str | os.PathLike[str] | None = None,
) -> None:
    """Train along with the process that has the run folder; see `grape_gnn.training.processes`.

    Parameters
    ----------
    source, parameters, templates, threads
        As for `train_run`, in all processes.
    resumed
        The folder of a run that goes on, instead.
    """
    if resumed is not None:
        run = RunFolder.open(resumed, unfinished=True)
        if run.is_finished:
            return
        written = [Template.from_json(entry) for entry in run.config["templates"]]
        model = run.estimator(run.config.get("task"))(written, **run.parameters)
        model._shares = run.shares
        graph, threads = run.graph(), run.config["threads"]
    elif source is not None:
        graph = source.load()
        kind = source.features or ("original" if graph.has_features else "constant")
        if source.features is None:
            graph = with_features(graph, kind)
        names = source.default_templates(graph) if templates is None else templates
        given = _given(source, parameters, freely=templates is None)
        model = RunFolder.estimator(graph.task)(find_templates(names), **given)
    import torch

    with torch_threads(torch.get_num_threads() if threads is None else threads):
        model.fit(graph)


def resume_run(
    path: str | os.PathLike[str],
    *,
    progress: Progress | None = None,
    tried: Tried | None = None,
) -> RunFolder:
    """Go on with an interrupted training, to the result it would have had.

    A training that was killed before its first checkpoint starts again; a finished one is left
    as it is.
    """
    run = RunFolder.open(path, unfinished=True)
    if run.is_finished:
        return run
    try:
        templates = [Template.from_json(entry) for entry in run.config["templates"]]
        model = run.estimator(run.config.get("task"))(templates, **run.parameters)
        model._shares = run.shares
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelFileError(
            run.path / "config.json", f"does not describe a training ({error}); train again"
        ) from error
    with run:
        if not run.is_finished:  # by another process, in the meantime
            _warn_of_other_versions(run.config["versions"])
            _train(run, model, run.graph(), progress, tried)
    return run


def remarks(source: GraphSource, graph: Graph, split: int | str = "random") -> Iterator[str]:
    """Yield what a user should know before a training on a graph.

    Parameters
    ----------
    source, graph
        The graph.
    split
        Which of its own splits is taken; ``"random"``: none.
    """
    unsure = None if source.is_dataset or "task" in source.options else doubt(graph)
    if unsure is not None:
        yield unsure
    chosen = graph.splits and str(split).isdecimal() and int(split) < len(graph.splits)
    if chosen:
        last = len(graph.splits) - 1
        of = f"number {split} of 0 to {last}" if last else "the one"
        yield f"the split is {of} that came with the graph; --split random for a random one"


def _given(
    source: GraphSource, parameters: Mapping[str, Any] | None, *, freely: bool
) -> dict[str, Any]:
    """Return the parameters of the estimator; those that are not said as the source has them.

    Parameters
    ----------
    source, parameters
        As for `train_run`.
    freely
        Whether templates were left to us, so that validation may leave some out.
    """
    found = {**(parameters or {})}
    if found.get("metric") is None:
        found["metric"] = source.metric
    if found.get("edge_only") is None and freely:
        found["edge_only"] = "auto"
    return found


def _warn_of_other_versions(before: dict[str, str]) -> None:
    changed = [
        f"{name} {before.get(name)} then, {version} now"
        for name, version in versions().items()
        if before.get(name) != version
    ]
    if changed:
        warn(
            f"the training was started with other versions ({'; '.join(changed)}): its result may "
            f"differ from an uninterrupted one"
        )


def _train(
    run: RunFolder,
    model: GrapeEstimator,
    graph: Graph,
    progress: Progress | None,
    tried: Tried | None,
) -> None:
    from grape_gnn.estimator.edge_choice import is_choice

    resumed = run.checkpoint.exists()
    started = time.perf_counter()
    try:
        with torch_threads(run.config["threads"]):
            if run.tuning is not None and not run.is_tuned:
                _tune(run, run.tuning, model, graph, progress, tried)
            model.fit(graph, checkpoint=run.checkpoint, progress=progress)
            seconds = time.perf_counter() - started
            report("scoring")
            outputs = model.outputs(graph)
        rows = as_predictions(model, graph, outputs, model.split_)
        found = run_metrics(model, graph, outputs, seconds, resumed)
        found |= {"nodes": graph.num_nodes, "edges": graph.num_edges,
                  "features": model.num_features}  # fmt: skip
        if model.batch_size_ is not None:
            found["batch_size"] = model.batch_size_
            found["sample_neighbours"] = model.sample_neighbours_
        if is_choice(model) and not run.trials:
            for trial in model.trials_:
                run.add_trial(trial)
        report("writing the run folder")
        run.finish(model, rows, found)
    except GrapeError as error:
        if run.checkpoint.exists() and isinstance(error.__cause__, OSError):
            raise GrapeError(
                f"{error}; make room, then go on with  grape train --resume "
                f"{shlex.quote(str(run.path))}"
            ) from error
        raise


def _tune(
    run: RunFolder,
    tuning: dict[str, Any],
    model: GrapeEstimator,
    graph: Graph,
    progress: Progress | None,
    tried: Tried | None,
) -> None:
    """Choose settings, from the trials that the folder has already, and keep every trial."""
    from grape_gnn.estimator.tuning import try_settings

    def keep(trial: Trial) -> None:
        run.add_trial(trial)
        if tried is not None:
            tried(trial)

    try_settings(
        model,
        graph,
        tuning["seconds"],
        settings=tuning["settings"],
        trials=run.trials,
        progress=progress,
        tried=keep,
    )
    run.choose({name: getattr(model, name) for name in tuning["settings"]})


def next_folder(parent: str | os.PathLike[str], title: str) -> Path:
    """Return the first free name of the form ``title-1``, ``title-2``, ... in a folder.

    Examples
    --------
    >>> next_folder("nowhere", "cora").name
    'cora-1'
    """
    number = 1
    while (Path(parent) / f"{title}-{number}").exists():
        number += 1
    return Path(parent) / f"{title}-{number}"
