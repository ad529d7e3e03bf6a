"""`search`: find templates for a graph; `resume`: go on with a search that was interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grape_gnn.errors import SearchFolderError
from grape_gnn.graph import Graph
from grape_gnn.search.budget import Budget, make_budget
from grape_gnn.search.evaluate import Job, Outcome, train_gene
from grape_gnn.search.folder import SearchFolder
from grape_gnn.search.gene import start_gene
from grape_gnn.search.problem import Problem, make_problem
from grape_gnn.search.result import SearchResult
from grape_gnn.search.run import Progress, SearchRun
from grape_gnn.search.settings import SearchSettings
from grape_gnn.search.strategy import make_strategy
from grape_gnn.workers import Workers

__all__ = ["resume", "search"]


def search(
    graph: Graph,
    budget: float | str | None = None,
    *,
    rounds: int | None = None,
    method: str = "genetic",
    templates_per_gene: int = 3,
    population: int = 8,
    eliminate: int = 2,
    node_probability: float = 0.3,
    edge_probability: float = 0.3,
    crossover_probability: float = 0.3,
    removal_probability: float = 0.0,
    elites: int = 1,
    max_nodes: int = 5,
    engine: str = "auto",
    memory: int | str = "2GB",
    match_time: float | str | None = None,
    early: str = "none",
    warm_start: bool = False,
    penalty: float = 0.0,
    seed: int = 0,
    model: Mapping[str, Any] | None = None,
    train_mask: Any = None,
    val_mask: Any = None,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[Progress], None] | None = None,
    source: Mapping[str, Any] | None = None,
    command: Sequence[str] = (),
) -> SearchResult:
    """Search the templates with which GRAPE classifies the nodes of a graph best.

    Every set of templates (a *gene*) is judged by the validation accuracy of GRAPE trained with
    it. The labels of test nodes are not used. The same seed gives the same search, however many
    workers evaluate.

    Parameters
    ----------
    graph
        A graph with labels.
    budget
        Time, such as ``"10m"`` or a number of seconds. Without it and without `rounds`: ten
        minutes.
    rounds
        Rounds after the start; the paper's ``K2``.
    method
        ``"genetic"`` (Algorithm 1 of the paper), or its rivals ``"random"`` and ``"bayesian"``
        (Optuna's TPE).
    templates_per_gene
        Templates in a gene; the paper's ``L``.
    population
        Genes evaluated in a round; the paper's ``B``.
    eliminate
        Genes dropped in a round, and best ones reproduced; the paper's ``Z``.
    node_probability, edge_probability
        That a template gets a new node, or a new edge, in a round; the paper's ``p_n``, ``p_e``.
    crossover_probability
        That a pair of genes swaps templates; the paper's ``p_c``.
    removal_probability
        That a template loses an edge or a hanging node; not in the paper.
    elites
        Best genes that go on unchanged as well; 0 in the paper.
    max_nodes
        Templates do not grow beyond this size.
    engine
        How templates are matched: ``"auto"`` (algebra or enumeration), ``"incremental"`` (the
        paper's, from the instances of smaller templates), ``"esu"`` (its baseline), or any other
        engine of `grape_gnn.match`. They find the same.
    memory
        Bytes that role operators and stored instances may take.
    match_time
        Give up on a template whose matching takes longer, such as ``"30s"``: its genes fail. How
        long it takes depends on the machine, and then so does the search.
    early
        Cheaper evaluations: ``"median"`` ends hopeless trainings early, ``"halving"`` trains the
        genes of a round in three heats; see `grape_gnn.search.early`.
    warm_start
        Start the training of a child from the weights of its parent.
    penalty
        Accuracy that a gene has to gain for every doubling of its cost; 0: cost does not matter.
    seed
        Decides the split, all draws of the search and the weights.
    model
        Parameters of `GrapeClassifier` for the evaluations, such as ``{"epochs": 200}``.
    train_mask, val_mask
        Masks or lists of nodes instead of a random 60/20/20 split.
    jobs
        Trainings at a time; -1: one per processor.
    backend
        Where they run: a backend of joblib, ``"loky"`` for processes of this machine, ``"dask"``
        for a cluster.
    scheduler
        Address of the Dask scheduler, for ``backend="dask"``.
    out
        Folder for checkpoints and results; `resume` goes on from it.
    progress
        Called with a `Progress` before and after every evaluation.
    source, command
        Where the graph comes from and what the user typed, to be written into the folder.

    Returns
    -------
    SearchResult
        The best gene, the history, the Pareto list.

    Examples
    --------
    >>> import grape_gnn as grape
    >>> g = grape.datasets.load("planted-roles", num_shapes=9)
    >>> found = grape.search(g, rounds=1, population=2, eliminate=1, model={"epochs": 5})
    >>> len(found.best), found.ended
    (3, 'rounds')
    """
    settings = SearchSettings(
        method=method,
        templates_per_gene=templates_per_gene,
        population=population,
        eliminate=eliminate,
        node_probability=node_probability,
        edge_probability=edge_probability,
        crossover_probability=crossover_probability,
        removal_probability=removal_probability,
        elites=elites,
        max_nodes=max_nodes,
        engine=engine,
        memory=memory,
        match_time=match_time,
        early=early,
        warm_start=warm_start,
        penalty=penalty,
        seed=seed,
        model=dict(model or {}),
    )
    bounds = make_budget(budget, rounds)
    problem = make_problem(graph, settings.model, seed, train_mask, val_mask)
    workers = Workers(train_gene, problem, jobs, backend, scheduler)
    if out is None:
        return _carry_out(problem, settings, workers, bounds, None, progress)
    config = _config(problem, settings, bounds, source, command)
    with SearchFolder.create(out, config) as folder:
        return _carry_out(problem, settings, workers, bounds, folder, progress)


def resume(
    out: str | os.PathLike[str],
    graph: Graph,
    budget: float | str | None = None,
    *,
    rounds: int | None = None,
    train_mask: Any = None,
    val_mask: Any = None,
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
    progress: Callable[[Progress], None] | None = None,
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
    jobs, backend, scheduler, progress
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
        workers = Workers(train_gene, problem, jobs, backend, scheduler)
        return _carry_out(problem, settings, workers, bounds, folder, progress)


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

    folder.write_templates(result.templates)
    folder.write_text("templates.svg", sheet(result.templates, columns=3))
    folder.write_text("curve.svg", curve_svg({result.settings.method: result.history.curve()}))


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
        "versions": versions(),
        "command": list(command),
    }
