"""``grape train --task graph`` and what follows it: models that answer for whole graphs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.figures import print_figures
from grape_gnn.cli.output import check_target, console, load_torch, print_text, shell_words, working
from grape_gnn.cli.training_progress import TrainingProgress
from grape_gnn.errors import GrapeError

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.graphs import GraphSet
    from grape_gnn.runs.graph_run import GraphRun

__all__ = [
    "folder_kind",
    "graphs_for",
    "is_about_graphs",
    "is_graph_run",
    "predict_graph_run",
    "print_graph_run",
    "read_many",
    "resume_graphs",
    "train_graphs",
]

# Options of `grape train` that say nothing of whole graphs.
_NODES_ONLY = {
    "edge_only": False, "label_inputs": False, "scaling": None, "split": 0, "products": None,
    "sample_neighbours": None,
}  # fmt: skip


def folder_kind(path: Path) -> str | None:
    """Return what a folder says it is; None if it says nothing that can be read."""
    try:
        config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None  # whoever reads it as another folder says what is wrong
    return config.get("kind") if isinstance(config, dict) else None


def is_graph_run(path: Path) -> bool:
    """Tell whether a folder is that of a training on graphs."""
    return folder_kind(path) == "train-graphs"


# Options of reading one graph that say the same of many.
_READING = (
    "nodes", "label", "features", "id", "source", "target", "types", "edge_types", "directed",
)  # fmt: skip
_OF_ONE_FILE = ("nodes", "targets")


def reading_of(
    source: GraphSource,
    targets: Path | None = None,
    graph: str | None = None,
    edge_features: str | None = None,
) -> dict[str, Any]:
    """Return the options of `read_graphs` that the user gave for a file of graphs.

    Parameters
    ----------
    source
        The file and the options of reading it; the task is ``graph``, or ``graph-regression`` and
        so on, which says what the targets are.
    targets, graph, edge_features
        The table of targets, the column of graphs, and those of edge features, with commas.
    """
    reading = dict(source.options)
    _, _, task = str(reading.pop("task", "graph")).partition("-")
    wrong = next((name for name in reading if name not in _READING), None)
    if wrong is not None:
        option = wrong.replace("_", "-")
        raise GrapeError(f"--{option} says nothing of a file of many graphs: leave it out")
    given: dict[str, Any] = {"targets": targets, "graph": graph, "task": task or None}
    if edge_features is not None:
        given["edge_features"] = [word.strip() for word in edge_features.split(",")]
    reading |= {name: value for name, value in given.items() if value is not None}
    for name in _OF_ONE_FILE:
        if name in reading:
            reading[name] = str(Path(reading[name]).absolute())
    return reading


def is_about_graphs(source: GraphSource) -> bool:
    """Tell whether the user said ``--task graph``, or ``graph-regression`` and so on."""
    return str(source.options.get("task")).partition("-")[0] == "graph"


def read_many(
    source: GraphSource, targets: Path | None, graph: str | None, edge_features: str | None
) -> GraphSet:
    """Read a file of many graphs."""
    from grape_gnn.graphs import read_graphs

    return read_graphs(source.name, **reading_of(source, targets, graph, edge_features))


def train_graphs(
    source: GraphSource,
    out: Path | None,
    parameters: dict[str, Any],
    templates: list[str] | None,
    threads: int | None,
    targets: Path | None,
    graph: str | None,
    edge_features: str | None,
) -> GraphRun:
    """Train on a file of many graphs."""
    reading = reading_of(source, targets, graph, edge_features)
    for name, usual in _NODES_ONLY.items():
        if parameters.pop(name, usual) != usual:
            raise GrapeError(f"--{name.replace('_', '-')} is for nodes, not for whole graphs")
    if not isinstance(parameters.get("batch_size"), int):
        parameters.pop("batch_size", None)
    load_torch()
    from grape_gnn.runs.graph_run import train_graph_run
    from grape_gnn.runs.training import next_folder

    folder = next_folder("runs", source.title) if out is None else out
    with TrainingProgress(source.title) as progress:
        try:
            return train_graph_run(
                folder, source.name, reading, parameters, templates=templates, threads=threads,
                command=["grape", *sys.argv[1:]], progress=progress,
            )  # fmt: skip
        except KeyboardInterrupt:
            raise _stopped(folder) from None


def resume_graphs(folder: Path) -> GraphRun:
    """Go on with an interrupted training on graphs."""
    load_torch()
    from grape_gnn.runs.graph_run import resume_graph_run

    with TrainingProgress(folder.name) as progress:
        try:
            return resume_graph_run(folder, progress=progress)
        except KeyboardInterrupt:
            raise _stopped(folder) from None


def _stopped(folder: Path) -> KeyboardInterrupt:
    if not (folder / "config.json").exists():
        return KeyboardInterrupt()
    return KeyboardInterrupt(f"; go on with  {shell_words('grape', 'train', '--resume', folder)}")


def print_graph_run(run: GraphRun) -> None:
    """Print the summary of a finished training."""
    metrics, screen = run.metrics, console()
    parts = metrics["parts"]
    screen.print(f"{run.title}: GRAPE for graphs", style="bold cyan")
    print_figures(metrics["figures"], parts, metrics["task"], metrics["baseline"], of="graphs")
    names = ", ".join(t.get("name") or t.get("text", "?") for t in run.config["templates"])
    screen.print(
        f"\n{metrics['graphs']:,} graphs with {metrics['nodes']:,} nodes and "
        f"{metrics['edges']:,} edges; {parts['train']:,} to learn from"
    )
    screen.print(f"templates: {names}")
    skipped = run.config.get("skipped", [])
    if skipped:
        left = ", ".join(t.get("name") or t.get("text", "?") for t in skipped)
        screen.print(f"left out:  {left} (--match-time)")
    screen.print(
        f"{metrics['weights']:,} weights; best epoch {metrics['best_epoch'] + 1} of "
        f"{metrics['epochs']}; {metrics['seconds']:.1f} s"
    )
    screen.print(f"\nrun folder: {run.path}", soft_wrap=True)
    page = shell_words("grape", "report", run.path)
    others = f"others{Path(run.name).suffix}"
    answers = shell_words("grape", "predict", run.path, others, "--out", "predictions.csv")
    screen.print(f"next:       {page}", soft_wrap=True)
    screen.print(f"            {answers}", soft_wrap=True)


def predict_graph_run(path: Path, source: GraphSource | None, out: Path | None) -> None:
    """Predict the graphs of a run, or those of another file."""
    load_torch()
    from grape_gnn.runs.graph_run import GraphRun, predict_graphs
    from grape_gnn.runs.predictions import format_predictions, write_predictions

    if out is not None:
        check_target(out)
    run = GraphRun.open(path)
    model = run.model()
    with working("predicting"):
        graphs = graphs_for(run, source)
        rows = predict_graphs(model, graphs, own=source is None)
    if out is None:
        print_text(format_predictions(rows, "graph"))
        return
    write_predictions(out, rows, "graph")
    console().print(f"{len(graphs):,} graphs predicted: {out}", soft_wrap=True)


def graphs_for(
    run: GraphRun, source: GraphSource | None, targets: Path | None = None, labels: bool = False
) -> GraphSet:
    """Read the graphs of a run, or those of another file.

    Another file is read as that of the training was, unless options say otherwise.

    Parameters
    ----------
    run
        The run.
    source
        The other file and the options of reading it; None: that of the run.
    targets
        Its table of targets.
    labels
        Whether targets are needed. If not, the column of the labels may be missing.
    """
    from grape_gnn.graphs import read_graphs

    if source is None:
        return run.graphs()
    given = reading_of(source, targets)
    trained = run.config["source"]["reading"]
    kept = {name: value for name, value in trained.items() if name not in _OF_ONE_FILE}
    if not labels and "label" not in given:
        kept.pop("label", None)
    if "nodes" not in given:
        for name in ("id", "types", "features"):
            kept.pop(name, None)
    return read_graphs(source.name, **{**kept, **given})
