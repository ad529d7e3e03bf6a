"""``grape train``: train GRAPE on a dataset or a file, into a run folder."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from grape_gnn.arguments import one_of
from grape_gnn.cli.config_file import ConfigFile
from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, Task, reads_graph
from grape_gnn.cli.output import print_json
from grape_gnn.cli.train_graphs import (
    folder_kind,
    is_about_graphs,
    is_graph_run,
    print_graph_run,
    resume_graphs,
    train_graphs,
)
from grape_gnn.cli.train_links import resume_links, show_link_run, train_links
from grape_gnn.cli.train_nodes import join_training, print_run, resume_nodes, train_nodes
from grape_gnn.cli.train_options import (
    BatchSize,
    ClassWeight,
    Device,
    Dropout,
    EdgeFeatures,
    EdgeOnly,
    Engine,
    Epochs,
    GraphColumn,
    Hidden,
    LabelInputs,
    Layers,
    LearningRate,
    MatchTime,
    Metric,
    MinEpochs,
    NewRun,
    PairLayer,
    Patience,
    Pooling,
    Preset,
    Products,
    Resume,
    SampleNeighbours,
    Scaling,
    Seed,
    Split,
    Targets,
    Templates,
    Threads,
    Tune,
    WeightDecay,
    parse_batch_size,
    parse_weights,
)
from grape_gnn.errors import GrapeError
from grape_gnn.roles.engine import parse_seconds

if TYPE_CHECKING:
    from grape_gnn.runs.graph_run import GraphRun

__all__ = ["refuse_further_options", "train"]

# Of links nothing is tuned or read but the edges.
_OF_LINKS = (
    "file", "out", "seed", "threads", "task", "as_json", "directed", "header", "source", "target",
    "weight", "format", "option",
)  # fmt: skip


# Options that say nothing of the nodes of one graph.
_OF_GRAPHS = ("pair_layer", "pooling", "match_time", "targets", "graph_column", "edge_features")


@reads_graph
def train(
    read: ReadGraph | None,
    ctx: typer.Context,
    file: OptionalGraph = None,
    templates: Templates = None,
    out: NewRun = None,
    resume: Resume = None,
    config: ConfigFile = None,
    preset: Preset = "default",
    hidden: Hidden = 32,
    layers: Layers = 2,
    dropout: Dropout = 0.3,
    targets: Targets = None,
    graph_column: GraphColumn = None,
    edge_features: EdgeFeatures = None,
    pooling: Pooling = None,
    pair_layer: PairLayer = False,
    match_time: MatchTime = None,
    edge_only: EdgeOnly = None,
    label_inputs: LabelInputs = "off",
    tune: Tune = None,
    learning_rate: LearningRate = 0.01,
    weight_decay: WeightDecay = 5e-5,
    epochs: Epochs = 500,
    patience: Patience = 50,
    min_epochs: MinEpochs = None,
    metric: Metric = None,
    class_weight: ClassWeight = None,
    batch_size: BatchSize = "auto",
    sample_neighbours: SampleNeighbours = None,
    products: Products = None,
    split: Split = "0",
    seed: Seed = 0,
    scaling: Scaling = None,
    engine: Engine = "auto",
    device: Device = "cpu",
    threads: Threads = None,
    task: Task = None,
    as_json: AsJson = False,
) -> None:
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
      grape train molecules.txt --task graph --templates molecule --pair-layer
      grape train bonds.csv --nodes atoms.csv --types element --targets energies.csv --task graph
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
        join_training(read, parameters, templates, threads, resume)
        return
    if resume is not None:
        refuse_further_options(ctx, "resume", "as_json")
        if is_graph_run(resume):
            _show_graphs(resume_graphs(resume), as_json)
            return
        if folder_kind(resume) == "train-links":
            show_link_run(resume_links(resume), as_json)
            return
        run = resume_nodes(resume)
    elif read is not None and task == "link":
        refuse_further_options(ctx, *_OF_LINKS, why="--task link looks at the edges alone")
        show_link_run(train_links(read.source, out, seed, threads), as_json)
        return
    elif read is not None and is_about_graphs(read.source):
        if tune is not None or label_inputs != "off":
            raise GrapeError("--tune and --label-inputs are for nodes, not for whole graphs")
        # What nobody asked for is as the estimator of graphs has it, not as that of nodes.
        asked = {name: parameters[name] for name in parameters if _is_given(ctx, name)}
        further = {"pooling": pooling, "match_time": match_time}
        asked |= {name: value for name, value in further.items() if value is not None}
        asked["pair_layer"] = pair_layer
        made = (read.source, out, asked, templates, threads)
        _show_graphs(train_graphs(*made, targets, graph_column, edge_features), as_json)
        return
    elif any(_is_given(ctx, name) for name in _OF_GRAPHS):
        name = next(name for name in _OF_GRAPHS if _is_given(ctx, name)).replace("_", "-")
        raise GrapeError(f"--{name} is for whole graphs: add --task graph, or leave it out")
    elif read is None:
        raise GrapeError(
            "say what to train on: a dataset, such as  grape train cora,  or a file; or go on "
            "with an interrupted training by --resume RUN"
        )
    else:
        tuned = ["label_inputs"] if label_inputs == "auto" else []
        if tuned and edge_only is None and templates is None:
            tuned += ["edge_only"]
        seconds = None
        if tune is not None:
            from grape_gnn.estimator.tuning import AXES

            tuned += [name for name in AXES if name not in ("label_inputs", *tuned)]
            seconds = parse_seconds(tune, "--tune")
        tuning = {"tune": tuned, "tune_seconds": seconds}
        run = train_nodes(read, out, parameters, templates, threads, tuning)
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


def _is_given(ctx: typer.Context, name: str) -> bool:
    """Tell whether an option was typed, or is in the file of --config."""
    source = ctx.get_parameter_source(name)
    return source is not None and source.name in ("COMMANDLINE", "DEFAULT_MAP")


def refuse_further_options(
    ctx: typer.Context,
    *allowed: str,
    why: str = "--resume goes on with the options of the run",
) -> None:
    """Complain of options that have no say here, such as those of a resumed run."""
    for parameter in ctx.command.params:
        if _is_given(ctx, str(parameter.name)) and parameter.name not in allowed:
            raise GrapeError(
                f"{why}: leave out "
                f"{parameter.opts[0] if parameter.opts[0].startswith('-') else 'the graph'}"
            )
