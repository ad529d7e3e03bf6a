"""``grape search``: find templates for a graph without being told any."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.config_file import ConfigFile
from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, reads_graph
from grape_gnn.cli.output import print_json, shell_words
from grape_gnn.cli.search_progress import SearchProgress
from grape_gnn.cli.search_summary import print_found, summary
from grape_gnn.cli.train import refuse_further_options
from grape_gnn.errors import SearchError, SearchFolderError
from grape_gnn.search.settings import EARLY, ENGINES, METHODS

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.search import SearchResult

__all__ = ["search"]

_GENES, _MATCHING, _CHEAPER = "The genes", "Matching", "Cheaper evaluations"
_NETWORK, _WORKERS = "The network that is trained", "Who evaluates"
_MAY_CHANGE = ("resume", "budget", "rounds", "jobs", "backend", "scheduler", "as_json")


@reads_graph
def search(
    read: ReadGraph | None,
    ctx: typer.Context,
    file: OptionalGraph = None,
    budget: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Time to search, such as 90s, 10m or 2h. Without it and --rounds: 10m.",
        ),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Rounds to search; repeatable to the last gene.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="The folder of the search. Without it: runs/<graph>-search-<number>.",
        ),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Go on with a search; only budget and workers can be changed."
        ),
    ] = None,
    config: ConfigFile = None,
    method: Annotated[str, typer.Option(help=f"One of {', '.join(METHODS)}.")] = "genetic",
    seed: Annotated[
        int, typer.Option(help="Of the 60/20/20 split, the search and the weights.")
    ] = 0,
    templates_per_gene: Annotated[
        int, typer.Option(help="Templates in a gene (L).", rich_help_panel=_GENES)
    ] = 3,
    population: Annotated[
        int, typer.Option(help="Genes in a round (B).", rich_help_panel=_GENES)
    ] = 8,
    eliminate: Annotated[
        int, typer.Option(help="Genes dropped in a round (Z).", rich_help_panel=_GENES)
    ] = 2,
    node_probability: Annotated[
        float, typer.Option(help="That a template gets a node (p_n).", rich_help_panel=_GENES)
    ] = 0.3,
    edge_probability: Annotated[
        float, typer.Option(help="That a template gets an edge (p_e).", rich_help_panel=_GENES)
    ] = 0.3,
    crossover_probability: Annotated[
        float, typer.Option(help="That two genes swap templates (p_c).", rich_help_panel=_GENES)
    ] = 0.3,
    removal_probability: Annotated[
        float,
        typer.Option(help="That a template loses an edge or a node.", rich_help_panel=_GENES),
    ] = 0.0,
    elites: Annotated[
        int, typer.Option(help="Best genes that also go on unchanged.", rich_help_panel=_GENES)
    ] = 1,
    max_nodes: Annotated[
        int, typer.Option(help="Largest size of a template, 2 to 8.", rich_help_panel=_GENES)
    ] = 5,
    penalty: Annotated[
        float,
        typer.Option(
            help="Accuracy that a gene must gain for every doubling of its cost.",
            rich_help_panel=_GENES,
        ),
    ] = 0.0,
    engine: Annotated[
        str, typer.Option(help=f"One of {', '.join(ENGINES)}.", rich_help_panel=_MATCHING)
    ] = "auto",
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE", help="For roles and stored instances.", rich_help_panel=_MATCHING
        ),
    ] = "2GB",
    match_time: Annotated[
        str | None,
        typer.Option(
            metavar="DURATION",
            help="Give up on templates that take longer to match.",
            rich_help_panel=_MATCHING,
        ),
    ] = None,
    early: Annotated[
        str,
        typer.Option(
            help=f"Fewer epochs for hopeless genes: {', '.join(EARLY)}.", rich_help_panel=_CHEAPER
        ),
    ] = "none",
    warm_start: Annotated[
        bool,
        typer.Option(
            "--warm-start", help="Start from the parent's weights.", rich_help_panel=_CHEAPER
        ),
    ] = False,
    preset: Annotated[
        str | None, typer.Option(help="default, paper or released.", rich_help_panel=_NETWORK)
    ] = None,
    hidden: Annotated[int | None, typer.Option(help="Width.", rich_help_panel=_NETWORK)] = None,
    layers: Annotated[int | None, typer.Option(help="Depth.", rich_help_panel=_NETWORK)] = None,
    dropout: Annotated[
        float | None, typer.Option(help="Share of values dropped.", rich_help_panel=_NETWORK)
    ] = None,
    label_inputs: Annotated[
        bool,
        typer.Option(
            "--label-inputs",
            help="Show the network training labels besides the features.",
            rich_help_panel=_NETWORK,
        ),
    ] = False,
    learning_rate: Annotated[
        float | None, typer.Option(help="Adam's rate.", rich_help_panel=_NETWORK)
    ] = None,
    weight_decay: Annotated[
        float | None, typer.Option(help="L2 penalty.", rich_help_panel=_NETWORK)
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Largest number of epochs.", rich_help_panel=_NETWORK)
    ] = None,
    patience: Annotated[
        int | None,
        typer.Option(help="Epochs without improvement before it stops.", rich_help_panel=_NETWORK),
    ] = None,
    min_epochs: Annotated[
        int | None, typer.Option(help="Do not stop before this epoch.", rich_help_panel=_NETWORK)
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", help="Trainings at a time; -1: all processors.",
            rich_help_panel=_WORKERS,
        ),
    ] = 1,
    backend: Annotated[
        str,
        typer.Option(help="loky: processes here; dask: a cluster.", rich_help_panel=_WORKERS),
    ] = "loky",
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Of Dask, such as tcp://10.0.0.1:8786.",
            rich_help_panel=_WORKERS,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Find templates that suit a graph, judged by GRAPE's validation accuracy.

    Starts from edges and grows sets of templates by mutation, crossover and
    selection (the paper's Algorithm 1). Test labels are not looked at. Ctrl-C
    ends the search with the best so far; --resume goes on, also after a crash.

    \b
    Examples:
      grape search amherst --budget 10m --out found
      grape train amherst --templates found
      grape search friends.csv --nodes people.csv --label team --rounds 20 --jobs 4
      grape search amherst --method bayesian --engine esu --budget 10m
      grape search --resume found --budget 30m
    """
    workers: dict[str, Any] = {"jobs": jobs, "backend": backend, "scheduler": scheduler}
    if resume is not None:
        refuse_further_options(ctx, *_MAY_CHANGE)
        source, found = _resumed(resume, budget, rounds, workers)
    elif read is None:
        raise SearchError(
            "say where to search: a dataset, such as  grape search amherst,  or a file; or go on "
            "with an interrupted search by --resume DIR"
        )
    else:
        network = {
            "preset": preset, "hidden": hidden, "layers": layers, "dropout": dropout,
            "label_inputs": label_inputs or None, "learning_rate": learning_rate,
            "weight_decay": weight_decay, "epochs": epochs, "patience": patience,
            "min_epochs": min_epochs,
        }  # fmt: skip
        settings = {
            "method": method, "seed": seed, "templates_per_gene": templates_per_gene,
            "population": population, "eliminate": eliminate,
            "node_probability": node_probability, "edge_probability": edge_probability,
            "crossover_probability": crossover_probability,
            "removal_probability": removal_probability, "elites": elites,
            "max_nodes": max_nodes, "penalty": penalty, "engine": engine, "memory": memory,
            "match_time": match_time, "early": early, "warm_start": warm_start,
            "model": {name: value for name, value in network.items() if value is not None},
        }  # fmt: skip
        source, found = _searched(read, out, budget, rounds, settings, workers)
    if as_json:
        print_json(summary(found))
    else:
        print_found(found, source)
    if found.ended == "interrupted":
        again = shell_words("grape", "search", "--resume", found.folder)
        raise KeyboardInterrupt(f"; go on with  {again}")


def _searched(
    read: ReadGraph,
    out: Path | None,
    budget: str | None,
    rounds: int | None,
    settings: dict[str, Any],
    workers: dict[str, Any],
) -> tuple[GraphSource, SearchResult]:
    from grape_gnn.run_training import next_folder
    from grape_gnn.search import SearchSettings
    from grape_gnn.search import search as run_search
    from grape_gnn.search.budget import make_budget

    # What can fail at once should not fail after the graph was read.
    SearchSettings(**settings)
    make_budget(budget, rounds)
    folder = next_folder("runs", f"{read.source.title}-search") if out is None else out
    graph = read()
    with SearchProgress(read.source.title) as progress:
        found = run_search(
            graph,
            budget,
            rounds=rounds,
            out=folder,
            progress=progress,
            source=read.source.to_json(),
            command=["grape", *sys.argv[1:]],
            **settings,
            **workers,
        )
    return read.source, found


def _resumed(
    folder: Path, budget: str | None, rounds: int | None, workers: dict[str, Any]
) -> tuple[GraphSource, SearchResult]:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.search import SearchFolder, resume

    kept = SearchFolder.open(folder)
    if not kept.config.get("source"):
        raise SearchFolderError(
            folder,
            "does not say where its graph comes from, because it was started in Python: go on "
            "with grape_gnn.search.resume(folder, graph)",
        )
    try:
        source = GraphSource.from_json(kept.config["source"])
    except (KeyError, TypeError, ValueError) as error:
        raise SearchFolderError(folder / "config.json", f"is damaged ({error})") from error
    with SearchProgress(source.title) as progress:
        found = resume(folder, source.load(), budget, rounds=rounds, progress=progress, **workers)
    return source, found
