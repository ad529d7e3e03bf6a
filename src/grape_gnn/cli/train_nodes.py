"""What ``grape train`` does for nodes: train, go on, train along with others, print the end."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.columns import print_columns
from grape_gnn.cli.figures import print_figures
from grape_gnn.cli.options import ReadGraph
from grape_gnn.cli.output import console, load_torch, shell_words
from grape_gnn.cli.training_progress import TrainingProgress
from grape_gnn.errors import GrapeWarning

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder

__all__ = ["join_training", "print_run", "resume_nodes", "train_nodes"]


def train_nodes(
    read: ReadGraph,
    out: Path | None,
    parameters: dict[str, Any],
    templates: list[str] | None,
    threads: int | None,
    tuning: dict[str, Any],
) -> RunFolder:
    """Train on the nodes of a graph."""
    load_torch()
    from grape_gnn.runs.training import next_folder, train_run

    folder = next_folder("runs", read.source.title) if out is None else out
    with TrainingProgress(read.source.title) as progress:
        try:
            return train_run(
                folder,
                read.source,
                parameters,
                templates=templates,
                threads=threads,
                command=["grape", *sys.argv[1:]],
                progress=progress,
                tried=progress.tried,
                remark=progress.remark,
                **tuning,
            )
        except KeyboardInterrupt:
            raise _stopped(folder, progress) from None


def join_training(
    read: ReadGraph | None,
    parameters: dict[str, Any],
    templates: list[str] | None,
    threads: int | None,
    resume: Path | None,
) -> None:
    """Train along with the first process, which alone writes and prints."""
    load_torch()
    from grape_gnn.runs.training import join_run

    source = None if read is None else read.source
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GrapeWarning)
        join_run(source, parameters, templates=templates, threads=threads, resumed=resume)


def resume_nodes(folder: Path) -> RunFolder:
    """Go on with an interrupted training."""
    load_torch()
    from grape_gnn.runs.training import resume_run

    with TrainingProgress(folder.name) as progress:
        try:
            return resume_run(folder, progress=progress, tried=progress.tried)
        except KeyboardInterrupt:
            raise _stopped(folder, progress) from None


def _stopped(folder: Path, progress: TrainingProgress) -> KeyboardInterrupt:
    if not (folder / "config.json").exists():
        return KeyboardInterrupt()
    after = f" after epoch {progress.epochs}" if progress.epochs else ""
    again = shell_words("grape", "train", "--resume", folder)
    return KeyboardInterrupt(f"{after}; go on with  {again}")


def print_run(run: RunFolder) -> None:
    """Print the summary of a finished training."""
    from grape_gnn.training import METRICS

    metrics, parameters = run.metrics, run.parameters
    names = ", ".join(
        template.get("name") or template.get("text", "?") for template in run.config["templates"]
    )
    screen = console()
    screen.print(f"{run.source.title}: GRAPE, preset {parameters['preset']}", style="bold cyan")
    parts = metrics["parts"]
    figures = {part: metrics["figures"].get(part, {}) for part in ("validation", "test")}
    print_figures(figures, parts, metrics["task"], metrics["baseline"])
    labels = {"classification": "classes", "multi-label": "labels"}.get(metrics["task"])
    what = "numbers to predict" if labels is None else f"{len(metrics['classes'])} {labels}"
    screen.print(
        f"\n{parts['train']:,} training nodes; the epoch was chosen by "
        f"{METRICS[metrics['metric']].title(metrics['task'])} on the validation nodes"
    )
    screen.print(
        f"{metrics['nodes']:,} nodes, {metrics['edges']:,} edges, "
        f"{what}, {metrics['features']:,} feature{'s' * (metrics['features'] != 1)} "
        f"({run.config['source']['features']})"
        + (", label inputs" if parameters.get("label_inputs") else "")
    )
    if metrics.get("batch_size"):
        sampled = metrics["sample_neighbours"]
        drawn = f", {sampled} members per role and ego sampled" if sampled else ""
        screen.print(f"mini-batches of {metrics['batch_size']:,} nodes{drawn}")
    screen.print(f"templates: {names}{_edges_alone(run)}")
    if run.encoder is not None:
        print_columns(run.encoder)
    if run.tuning is not None:
        chosen = ", ".join(f"{k} {parameters[k]}" for k in run.tuning["settings"])
        screen.print(f"chosen of {len(run.trials)} settings on validation nodes: {chosen}")
    screen.print(
        f"{metrics['weights']:,} weights; best epoch {metrics['best_epoch'] + 1} of "
        f"{metrics['epochs']}; {metrics['seconds']:.1f} s"
        + (" since it was resumed" if metrics["resumed"] else "")
    )
    screen.print(f"\nrun folder: {run.path}", soft_wrap=True)
    score = shell_words("grape", "evaluate", run.path)
    answers = shell_words("grape", "predict", run.path, "--out", "predictions.csv")
    screen.print(f"next:       {score}", soft_wrap=True)
    screen.print(f"            {answers}", soft_wrap=True)


def _edges_alone(run: RunFolder) -> str:
    """Say whether templates beyond the edge are used, and how that was decided."""
    from grape_gnn.estimator.tuning import best_trial
    from grape_gnn.training import score_text

    trials = run.trials
    if run.tuning is not None or len(trials) != 2:
        return ", the edges alone" if run.parameters.get("edge_only") is True else ""
    metric = run.metrics["metric"]
    every, alone = (score_text(metric, trial.score, digits=1) for trial in trials)
    if best_trial(trials).settings.get("edge_only"):
        how = "as well" if alone == every else "better"
        return f"; the edges alone validated {how} ({alone} against {every}) and are used alone"
    return f"; with the edges alone validation is {alone}, with all {every}"
