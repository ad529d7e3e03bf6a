"""``grape train``: train GRAPE on a dataset or a file, into a run folder."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.arguments import one_of
from grape_gnn.cli.columns import print_columns
from grape_gnn.cli.completion import complete_templates
from grape_gnn.cli.config_file import ConfigFile
from grape_gnn.cli.figures import print_figures
from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, Task, reads_graph
from grape_gnn.cli.output import console, load_torch, print_json, shell_words
from grape_gnn.cli.train_graphs import (
    folder_kind,
    is_graph_run,
    print_graph_run,
    resume_graphs,
    train_graphs,
)
from grape_gnn.cli.train_links import resume_links, show_link_run, train_links
from grape_gnn.cli.training_progress import TrainingProgress
from grape_gnn.errors import GrapeError, GrapeWarning
from grape_gnn.roles import ENGINES
from grape_gnn.roles.engine import parse_seconds

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder
    from grape_gnn.runs.graph_run import GraphRun

__all__ = ["parse_batch_size", "parse_weights", "print_run", "refuse_further_options", "train"]

_NETWORK, _PROTOCOL = "The network", "The training"
# Of links nothing is tuned or read but the edges.
_OF_LINKS = (
    "file", "out", "seed", "threads", "task", "as_json", "directed", "header", "source", "target",
    "weight", "format", "option",
)  # fmt: skip


@reads_graph
def train(
    read: ReadGraph | None,
    ctx: typer.Context,
    file: OptionalGraph = None,
    templates: Annotated[
        list[str] | None,
        typer.Option(
            "--templates",
            "-t",
            help="A set (social, citation, ecommerce), names separated by commas, text such as "
            "'0-1 1-2', a .json file, or the folder of a search. May be given several times. "
            "Without it: the set that suits the graph.",
            autocompletion=complete_templates,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="RUN",
            help="The run folder to make. Without it: runs/<graph>-<number>.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN", help="Go on with an interrupted training; it knows its options."
        ),
    ] = None,
    config: ConfigFile = None,
    preset: Annotated[
        str, typer.Option(help="default, paper, released or decoupled.", rich_help_panel=_NETWORK)
    ] = "default",
    hidden: Annotated[
        int, typer.Option(help="Width of the hidden layers.", rich_help_panel=_NETWORK)
    ] = 32,
    layers: Annotated[int, typer.Option(help="Number of layers.", rich_help_panel=_NETWORK)] = 2,
    dropout: Annotated[
        float, typer.Option(help="Share of values dropped.", rich_help_panel=_NETWORK)
    ] = 0.3,
    edge_only: Annotated[
        bool,
        typer.Option(
            "--edge-only",
            help="Leave out all templates but the edges; --tune tries it.",
            rich_help_panel=_NETWORK,
        ),
    ] = False,
    label_inputs: Annotated[
        str,
        typer.Option(
            metavar="on|off|auto",
            help="Give the network training labels as inputs, besides the features; auto: if the "
            "validation nodes say so.",
            rich_help_panel=_NETWORK,
        ),
    ] = "off",
    tune: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="Choose depth, width, learning rate, dropout, and whether the edges alone do, on "
            "the validation nodes first, for so long: 90s, 10m, 2h. The options given are where it "
            "starts.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    learning_rate: Annotated[
        float,
        typer.Option(help="Adam's rate, halved every 100 epochs.", rich_help_panel=_PROTOCOL),
    ] = 0.01,
    weight_decay: Annotated[
        float, typer.Option(help="Weight of the L2 penalty.", rich_help_panel=_PROTOCOL)
    ] = 5e-5,
    epochs: Annotated[
        int, typer.Option(help="Largest number of epochs.", rich_help_panel=_PROTOCOL)
    ] = 500,
    patience: Annotated[
        int,
        typer.Option(
            help="Stop after this many epochs without a better validation score.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = 50,
    min_epochs: Annotated[
        int | None,
        typer.Option(
            help="Do not stop before this epoch. Without it: 200 for constant features, else 0.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            help="What chooses the epoch and the settings on validation nodes: accuracy, "
            "balanced-accuracy, macro-f1, weighted-f1, roc-auc, average-precision, log-loss; for "
            "several labels also micro-f1; for numbers rmse, mae, r2. Without it: what the "
            "dataset's authors use; else accuracy, or roc-auc if one of two classes has fewer "
            "than 30% of the nodes, micro-f1, rmse.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    class_weight: Annotated[
        str | None,
        typer.Option(
            metavar="balanced|LABEL=WEIGHT,...",
            help="balanced: give every class the same weight in the loss, however few nodes it "
            "has. Or weights by label, such as fraud=10; other labels have 1.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    batch_size: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|auto|full",
            help="Nodes of a mini-batch. full: all nodes at once; auto: if that fits into memory, "
            "else 1024 with a sample of the members; with the preset decoupled, as many as fit "
            "into 64 MB.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = "auto",
    sample_neighbours: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            help="In mini-batches, members per role and ego, drawn at random and right on average. "
            "Without it: all.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    products: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="For the preset decoupled: role products of grape precompute; computed into it if "
            "it is not there.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            metavar="NUMBER|random",
            help="Which of the splits that come with the graph (masks, columns of the node "
            "table), from 0; random: none of them.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = "0",
    seed: Annotated[
        int,
        typer.Option(
            help="Of the random 60/20/20 split, the weights and dropout.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = 0,
    scaling: Annotated[
        bool | None,
        typer.Option(
            "--scaling/--no-scaling",
            help="Scale numeric features by their training values. Without it: the columns of a "
            "node table are scaled, a matrix of features is taken as it is.",
            rich_help_panel=_NETWORK,
        ),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            help=f"Matching engine: {', '.join(ENGINES)}.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = "auto",
    device: Annotated[
        str, typer.Option(help="cpu, cuda, cuda:1, ...", rich_help_panel=_PROTOCOL)
    ] = "cpu",
    threads: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of torch threads; the result depends on it.",
            rich_help_panel=_PROTOCOL,
        ),
    ] = None,
    task: Task = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Train GRAPE on a dataset or on your own graph, and keep everything in a run folder.

    The folder has the configuration, the history of all epochs, the
    weights, the predictions and the metrics. Training that was interrupted
    goes on with --resume, to the same final result.

    \b
    Examples:
      grape train cora
      grape train amherst --features constant --hidden 64 --out runs/amherst-constant
      grape train friends.csv --nodes people.csv --label team --templates triangle,4-cycle
      grape train houses.csv --nodes prices.csv --label price --metric mae
      grape train fraud.csv --nodes accounts.csv --label fraud --class-weight balanced
      grape train amherst --tune 10m --label-inputs auto
      grape train amherst --batch-size 512 --sample-neighbours 10
      grape train cora --config cora.toml --seed 3
      grape train molecules.txt --task graph --templates molecule
      grape train friends.csv --task link
      grape train big.grape --preset decoupled --products products --batch-size 4096
      grape train --resume runs/cora-1
      torchrun --nproc-per-node 2 -m grape_gnn train amherst --batch-size 512
    """
    one_of("--label-inputs", label_inputs, ("on", "off", "auto"), error=GrapeError)
    parameters = {
        "preset": preset, "edge_only": edge_only, "hidden": hidden, "layers": layers,
        "dropout": dropout, "label_inputs": label_inputs == "on", "learning_rate": learning_rate,
        "weight_decay": weight_decay, "class_weight": parse_weights(class_weight), "metric": metric,
        "products": products and str(products.absolute()),
        "epochs": epochs, "patience": patience, "min_epochs": min_epochs,
        "split": int(split) if split.isdecimal() else split, "scaling": scaling,
        "engine": engine, "device": device, "batch_size": parse_batch_size(batch_size),
        "sample_neighbours": sample_neighbours, "seed": seed,
    }  # fmt: skip
    if int(os.environ.get("RANK", "0")) > 0:  # one of several processes, not the first
        _join(read, parameters, templates, threads, resume)
        return
    if resume is not None:
        refuse_further_options(ctx, "resume", "as_json")
        if is_graph_run(resume):
            _show_graphs(resume_graphs(resume), as_json)
            return
        if folder_kind(resume) == "train-links":
            show_link_run(resume_links(resume), as_json)
            return
        run = _resumed(resume)
    elif read is not None and task == "link":
        refuse_further_options(ctx, *_OF_LINKS, why="--task link looks at the edges alone")
        show_link_run(train_links(read.source, out, seed, threads), as_json)
        return
    elif read is not None and read.source.options.get("task") == "graph":
        if tune is not None or label_inputs != "off":
            raise GrapeError("--tune and --label-inputs are for nodes, not for whole graphs")
        _show_graphs(train_graphs(read.source, out, parameters, templates, threads), as_json)
        return
    elif read is None:
        raise GrapeError(
            "say what to train on: a dataset, such as  grape train cora,  or a file; or go on "
            "with an interrupted training by --resume RUN"
        )
    else:
        tuned = ["label_inputs"] if label_inputs == "auto" else []
        seconds = None
        if tune is not None:
            from grape_gnn.estimator.tuning import AXES

            tuned += [name for name in AXES if name != "label_inputs"]
            seconds = parse_seconds(tune, "--tune")
        tuning = {"tune": tuned, "tune_seconds": seconds}
        run = _trained(read, out, parameters, templates, threads, tuning)
    if as_json:
        encoder = run.encoder
        columns = {} if encoder is None else {"columns": encoder.to_json()}
        print_json({"run": str(run.path), **run.metrics, **columns})
    else:
        print_run(run)


def _show_graphs(run: GraphRun, as_json: bool) -> None:
    if as_json:
        print_json({"run": str(run.path), **run.metrics})
    else:
        print_graph_run(run)


def parse_batch_size(text: str) -> int | str | None:
    """Return the number of nodes, None for all of them, or ``"auto"``.

    Examples
    --------
    >>> parse_batch_size("512"), parse_batch_size("full"), parse_batch_size("auto")
    (512, None, 'auto')
    """
    if text.isdecimal() and int(text) > 0:
        return int(text)
    one_of("--batch-size", text, ("auto", "full"), error=GrapeError)
    return None if text == "full" else text


def parse_weights(text: str | None) -> str | dict[str, float] | None:
    """Return weights by label; a word as it is.

    Examples
    --------
    >>> parse_weights("balanced"), parse_weights("fraud=10,ok=0.5")
    ('balanced', {'fraud': 10.0, 'ok': 0.5})
    """
    if text is None or "=" not in text:
        return text
    weights = {}
    for part in text.split(","):
        label, _, weight = part.rpartition("=")
        try:
            weights[label.strip()] = float(weight)
        except ValueError:
            raise GrapeError(
                f"--class-weight {text}: write LABEL=WEIGHT, several separated by commas"
            ) from None
    return weights


def refuse_further_options(
    ctx: typer.Context,
    *allowed: str,
    why: str = "--resume goes on with the options of the run",
) -> None:
    """Complain of options that have no say here, such as those of a resumed run."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(str(parameter.name))
        typed = source is not None and source.name in ("COMMANDLINE", "DEFAULT_MAP")
        if typed and parameter.name not in allowed:
            raise GrapeError(
                f"{why}: leave out "
                f"{parameter.opts[0] if parameter.opts[0].startswith('-') else 'the graph'}"
            )


def _trained(
    read: ReadGraph,
    out: Path | None,
    parameters: dict[str, Any],
    templates: list[str] | None,
    threads: int | None,
    tuning: dict[str, Any],
) -> RunFolder:
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


def _join(
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


def _resumed(folder: Path) -> RunFolder:
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
        f"{what}, {metrics['features']:,} features "
        f"({run.config['source']['features']})"
        + (", label inputs" if parameters.get("label_inputs") else "")
    )
    if metrics.get("batch_size"):
        sampled = metrics["sample_neighbours"]
        drawn = f", {sampled} members per role and ego sampled" if sampled else ""
        screen.print(f"mini-batches of {metrics['batch_size']:,} nodes{drawn}")
    alone = ", the edges alone" if parameters.get("edge_only") else ""
    screen.print(f"templates: {names}{alone}")
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
