"""``grape search``: find templates that suit a graph."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.arguments import one_of
from grape_gnn.cli.config_file import ConfigFile
from grape_gnn.cli.option_groups import borrowed_options, collects, setting_options
from grape_gnn.cli.options import AsJson, OptionalGraph, ReadGraph, reads_graph
from grape_gnn.cli.output import load_torch, print_json, say, shell_words
from grape_gnn.cli.search_progress import SearchProgress
from grape_gnn.cli.search_summary import print_found, summary
from grape_gnn.cli.train import refuse_further_options, train
from grape_gnn.cli.train_options import parse_weights
from grape_gnn.errors import SearchError, SearchFolderError
from grape_gnn.search.settings import SearchSettings
from grape_gnn.warn import said_before
from grape_gnn.workers import WorkerSettings

if TYPE_CHECKING:
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.search import SearchResult

__all__ = ["search"]

_NETWORK = (
    "preset", "hidden", "layers", "dropout", "label_inputs", "learning_rate", "weight_decay",
    "epochs", "patience", "min_epochs", "metric", "class_weight", "split",
)  # fmt: skip
_CREW = setting_options(fields(WorkerSettings))
_MAY_CHANGE = ("resume", "budget", "rounds", *_CREW, "as_json")


@reads_graph
@collects(
    settings=setting_options(fields(SearchSettings)),
    network=borrowed_options(train, _NETWORK, "The network that is trained"),
    workers=_CREW,
)
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
    settings: dict[str, Any] | None = None,
    network: dict[str, Any] | None = None,
    workers: dict[str, Any] | None = None,
    as_json: AsJson = False,
) -> None:
    """Find templates that suit a graph, judged by the metric on validation nodes.

    Starts from edges and grows sets of templates by mutation, crossover and
    selection (the paper's Algorithm 1). Thousands of sets are judged by ridge
    regression in milliseconds each, and GRAPE is trained with the best few. Test
    labels are not looked at. Ctrl-C ends the search with the best so far;
    --resume goes on, also after a crash.

    \b
    Examples:
      grape search amherst --budget 10m --out found
      grape train amherst --templates found
      grape search friends.csv --nodes people.csv --label team --rounds 20 --jobs 4
      grape search amherst --method bayesian --engine esu --budget 10m
      grape search --resume found --budget 30m
    """
    workers = workers or {}
    if resume is not None:
        refuse_further_options(ctx, *_MAY_CHANGE)
        source, found = _resumed(resume, budget, rounds, workers)
    elif read is None:
        raise SearchError(
            "say where to search: a dataset, such as  grape search amherst,  or a file; or go on "
            "with an interrupted search by --resume DIR"
        )
    else:
        model = {name: value for name, value in (network or {}).items() if value is not None}
        if read.source.metric is not None:
            model.setdefault("metric", read.source.metric)
        if "class_weight" in model:
            model["class_weight"] = parse_weights(model["class_weight"])
        if "label_inputs" in model:
            # A search compares genes, which all have them or have none.
            words = ("on", "off")
            given = one_of("--label-inputs", model["label_inputs"], words, error=SearchError)
            model["label_inputs"] = given == "on"
        wanted = SearchSettings(**(settings or {}), model=model)
        source, found = _searched(read, out, budget, rounds, wanted, workers)
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
    settings: SearchSettings,
    workers: dict[str, Any],
) -> tuple[GraphSource, SearchResult]:
    load_torch()
    from grape_gnn.runs.training import next_folder, remarks
    from grape_gnn.search import SearchFolder
    from grape_gnn.search import search as run_search
    from grape_gnn.search.budget import make_budget

    # What can fail at once should not fail after the graph was read.
    make_budget(budget, rounds)
    folder = next_folder("runs", f"{read.source.title}-search") if out is None else out
    SearchFolder.check_free(folder)
    graph = read()
    for line in remarks(read.source, graph, settings.model.get("split", 0)):
        say(f"{read.source.title}: {line}", "yellow")
    with SearchProgress(read.source.title) as progress:
        found = run_search(
            graph,
            budget,
            settings,
            rounds=rounds,
            out=folder,
            progress=progress,
            source=read.source.to_json(),
            command=["grape", *sys.argv[1:]],
            **workers,
        )
    return read.source, found


def _resumed(
    folder: Path, budget: str | None, rounds: int | None, workers: dict[str, Any]
) -> tuple[GraphSource, SearchResult]:
    load_torch()
    from grape_gnn.datasets.source import GraphSource
    from grape_gnn.search import SearchFolder, resume

    kept = SearchFolder.open(folder)
    kept.check_unlocked(folder)
    if not kept.config.get("source"):
        raise SearchFolderError(
            folder,
            "does not say where its graph comes from, because it was started in Python: go on "
            "with resume(folder, graph) of grape_gnn.search",
        )
    try:
        source = GraphSource.from_json(kept.config["source"])
    except (KeyError, TypeError, ValueError) as error:
        raise SearchFolderError(folder / "config.json", f"is damaged ({error})") from error
    with said_before():
        graph = ReadGraph(source)()
    with SearchProgress(source.title) as progress:
        found = resume(folder, graph, budget, rounds=rounds, progress=progress, **workers)
    return source, found
