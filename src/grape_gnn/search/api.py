"""`search`: find templates for a graph; `resume`: go on with a search that was interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grape_gnn.errors import SearchError, SearchFolderError
from grape_gnn.graph import GraphLike, as_graph
from grape_gnn.search.budget import Budget, make_budget
from grape_gnn.search.evaluate import Job, Outcome, train_gene
from grape_gnn.search.folder import SearchFolder
from grape_gnn.search.gene import start_gene
from grape_gnn.search.problem import Problem, make_problem
from grape_gnn.search.result import SearchResult
from grape_gnn.search.run import Progress, SearchRun
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import make_strategy
from grape_gnn.workers import Workers, WorkerSettings

__all__ = ["resume", "search"]


def search(
    graph: GraphLike,
    budget: float | str | None = None,
    settings: SearchSettings | None = None,
    *,
    rounds: int | None = None,
    train_mask: Any = None,
    val_mask: Any = None,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    source: Mapping[str, Any] | None = None,
    command: Sequence[str] = (),
    **workers: Any,
) -> SearchResult:
    """Search the templates with which GRAPE classifies the nodes of a graph best.

    Every set of templates (a *gene*) is judged by the validation score of a ridge regression on
    its role products; GRAPE is trained with the best few, and the validation score of that
    decides. The score is the accuracy, or the `metric` of the settings' `model`. The labels of test
    nodes are not used. The same seed gives the same search, however many workers train.

    Parameters
    ----------
    graph
        A graph with labels.
    budget
        Time, such as ``"10m"`` or a number of seconds. Without it and without `rounds`: ten
        minutes.
    settings
        How to search and what to train; see `SearchSettings`. None: the defaults.
    rounds
        Rounds after the start; the paper's ``K2``.
    train_mask, val_mask
        Masks or lists of nodes instead of a random 60/20/20 split.
    out
        Folder for checkpoints and results; `resume` goes on from it.
    progress
        Called with a `Progress` before and after every evaluation.
    source, command
        Where the graph comes from and what the user typed, to be written into the folder.
    **workers
        Who trains: the fields of `WorkerSettings`, such as ``jobs=4``.

    Returns
    -------
    SearchResult
        The best gene, the history, the Pareto list.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.datasets.load("planted-roles", num_shapes=9)
    >>> found = grape.search(g, settings=grape.SearchSettings(model={"epochs": 5}), rounds=3)
    >>> len(found.best) <= 3, found.ended
    (True, 'rounds')
    """
    graph = as_graph(graph)
    settings = SearchSettings() if settings is None else settings
    if not isinstance(settings, SearchSettings):
        raise SearchError(f"settings={settings!r} must be SearchSettings(...)")
    bounds = make_budget(budget, rounds)
    problem = make_problem(graph, settings.model, settings.seed, train_mask, val_mask)
    crew = _crew(problem, workers)
    if out is None:
        return _carry_out(problem, settings, crew, bounds, None, progress)
    config = _config(problem, settings, bounds, source, command)
    with SearchFolder.create(out, config) as folder:
        return _carry_out(problem, settings, crew, bounds, folder, progress)


def resume(
    out: str | os.PathLike[str],
    graph: GraphLike,
    budget: float | str | None = None,
    *,
    rounds: int | None = None,
    train_mask: Any = None,
    val_mask: Any = None,
    progress: Callable[[Progress], None] | None = None,
    **workers: Any,
) -> SearchResult:
    """Go on with a search, to the same result as if it had never been interrupted.

    Parameters
    ----------
    out
        The folder of the search.
    graph
        The same graph.
    budget, rounds
        A new budget, counted from the beginning of the search; without both: that of the search.
    train_mask, val_mask
        The same masks, if the search was given some.
    progress, **workers
        As for `search`; they need not be the same.

    Returns
    -------
    SearchResult
        As of `search`.

    Raises
    ------
    SearchFolderError
        When the folder is damaged or belongs to another graph.
    """
    with SearchFolder.open(out) as folder:
        settings = folder.settings
        problem = make_problem(graph, settings.model, settings.seed, train_mask, val_mask)
        if problem.data != folder.config["data"]:
            raise SearchFolderError(
                folder.path, "belongs to another graph or other masks: give those of the search"
            )
        bounds = Budget(**folder.config["budget"])
        if budget is not None or rounds is not None:
            bounds = make_budget(budget, rounds)
        crew = _crew(problem, workers)
        return _carry_out(problem, settings, crew, bounds, folder, progress)


def _crew(problem: Problem, wanted: Mapping[str, Any]) -> Workers[Problem, Job, Outcome]:
    return Workers(train_gene, problem, **vars(WorkerSettings(**wanted)))


def _carry_out(
    problem: Problem,
    settings: SearchSettings,
    workers: Workers[Problem, Job, Outcome],
    budget: Budget,
    folder: SearchFolder | None,
    progress: Callable[[Progress], None] | None,
) -> SearchResult:
    start = start_gene(settings.templates_per_gene, problem.graph.directed)
    strategy = make_strategy(settings, start)
    with workers:
        run = SearchRun(problem, settings, strategy, workers, budget, folder, progress)
        ended = run.run()
    if not run.history:  # interrupted before there was anything to return
        raise KeyboardInterrupt
    result = SearchResult(
        run.history,
        tuple(strategy.population),
        settings,
        ended,
        None if folder is None else folder.path,
    )
    if folder is not None:
        _write_result(folder, result)
    return result


def _write_result(folder: SearchFolder, result: SearchResult) -> None:
    from grape_gnn.search.curve import curve_svg
    from grape_gnn.template.draw import sheet

    curves = {_title(result): result.history.curve()}
    folder.write_templates(result.templates)
    folder.write_text("templates.svg", sheet(result.templates, columns=3))
    folder.write_text("curve.svg", curve_svg(curves, metric=result.history.metric))


def _title(result: SearchResult) -> str:
    return f"{result.settings.method}, by {result.history.fitness}"


def _config(
    problem: Problem,
    settings: SearchSettings,
    budget: Budget,
    source: Mapping[str, Any] | None,
    command: Sequence[str],
) -> dict[str, Any]:
    from grape_gnn.training import versions

    return {
        "source": None if source is None else dict(source),
        "parameters": settings.to_json(),
        "budget": budget.to_json(),
        "data": problem.data,
        "metric": problem.metric,
        "versions": versions(),
        "command": list(command),
    }
