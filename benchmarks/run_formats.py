"""A small valid example of all that grape-gnn writes itself, and of settings: models, folders."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grape_gnn.graph import read_graph
from grape_gnn.template import load_templates
from graph_formats import Format, example_graph, text_file

__all__ = ["RUN_FORMATS"]


def _write_table_model(folder: Path) -> None:
    from grape_gnn.estimator import GrapeClassifier

    (folder / "edges.csv").write_text("".join(f"{k},{k + 1}\n" for k in range(9)))
    (folder / "nodes.csv").write_text(
        "id,team,age,job\n" + "".join(f"{k},{'xy'[k % 2]},{k},{'pqq'[k % 3]}\n" for k in range(10))
    )
    graph = read_graph(folder / "edges.csv", nodes=folder / "nodes.csv", label="team")
    GrapeClassifier("edge", epochs=2, hidden=3).fit(graph).save(folder / "model.safetensors")


def _read_table_model(folder: Path) -> None:
    from grape_gnn.estimator import GrapeClassifier

    graph = read_graph(folder / "edges.csv", nodes=folder / "nodes.csv")
    GrapeClassifier.load(folder / "model.safetensors").predict(graph)


def _train(folder: Path) -> None:
    from grape_gnn.datasets.source import find_source
    from grape_gnn.runs.training import train_run

    graph = folder.parent / "run-graph.npz"
    example_graph(edge_types=False).save(graph)
    parameters = {"epochs": 2, "hidden": 3, "label_inputs": True}
    train_run(folder / "run", find_source(graph, {}), parameters, templates="triangle")


def _write_model(folder: Path) -> None:
    _train(folder)
    (folder / "run" / "model.safetensors").rename(folder / "model.safetensors")
    shutil.rmtree(folder / "run")


def _read_model(folder: Path) -> None:
    from grape_gnn.estimator import GrapeClassifier

    GrapeClassifier.load(folder / "model.safetensors")


def _read_run(folder: Path) -> None:
    from grape_gnn.report import write_report
    from grape_gnn.runs import RunFolder

    run = RunFolder.open(folder / "run")
    _ = run.history, run.metrics, run.source, run.predictions(), run.split()
    run.model()
    run.graph()
    write_report(run.path)


def _write_search(folder: Path) -> None:
    from grape_gnn.search import SearchSettings, search

    tiny = {"epochs": 1, "hidden": 2}
    settings = SearchSettings(population=3, eliminate=1, max_nodes=3, model=tiny)
    search(example_graph(edge_types=False), rounds=1, out=folder / "search", settings=settings)


def _read_search(folder: Path) -> None:
    from grape_gnn.report import write_report
    from grape_gnn.search.folder import SearchFolder

    found = SearchFolder.open(folder / "search")
    _ = found.settings, found.history, found.best, found.templates(), found.state
    load_templates(folder / "search" / "templates.json")
    write_report(found.path)


def _write_comparison(folder: Path) -> None:
    from grape_gnn.comparison.folder import ComparisonFolder

    with ComparisonFolder.ready(folder / "comparison", {"source": {"dataset": "cora"}}) as made:
        _write_results(made.path)
        (made.path / "runs.jsonl").rename(made.results)


def _read_comparison(folder: Path) -> None:
    from grape_gnn.comparison import comparison_table
    from grape_gnn.comparison.folder import ComparisonFolder
    from grape_gnn.comparison.store import ResultStore
    from grape_gnn.training import read_results

    source = {"source": {"dataset": "cora"}}
    with ComparisonFolder.ready(folder / "comparison", source) as opened:
        ResultStore(opened.results)
        opened.write_table(comparison_table(read_results(opened.results)))


def _checkpoint_parts() -> tuple[Any, Any]:
    import torch

    model = torch.nn.Linear(2, 2)
    return model, torch.optim.Adam(model.parameters())


def _write_checkpoint(folder: Path) -> None:
    import torch

    from grape_gnn.training.checkpoint import save_checkpoint
    from grape_gnn.training.history import Epoch, History

    torch.manual_seed(0)
    model, optimiser = _checkpoint_parts()
    model(torch.ones(1, 2)).sum().backward()
    optimiser.step()
    history = History()
    history.add(Epoch(1.0, 0.5, 0.25))
    file = folder / "c.safetensors"
    save_checkpoint(file, model, optimiser, model.state_dict(), history, {"seed": 1}, False)


def _read_checkpoint(folder: Path) -> None:
    import torch

    from grape_gnn.training.checkpoint import load_checkpoint

    model, optimiser = _checkpoint_parts()
    best, _, _ = load_checkpoint(folder / "c.safetensors", model, optimiser, {"seed": 1})
    model(torch.ones(1, 2)).sum().backward()
    optimiser.step()
    model.load_state_dict(best)


def _write_predictions(folder: Path) -> None:
    from grape_gnn.runs.predictions import Prediction, write_predictions

    rows = [Prediction("ann", "red", "blue", 0.75, "test"), Prediction("b", "", "red", 0.5, "")]
    write_predictions(folder / "predictions.csv", rows)


def _read_predictions(folder: Path) -> None:
    from grape_gnn.runs.predictions import read_predictions, split_of

    split_of(read_predictions(folder / "predictions.csv"))


def _write_results(folder: Path) -> None:
    from grape_gnn.training import RunResult, append_results

    run = RunResult("GRAPE", "cora", "original", 0, {"a": 1}, 7, 58, 0.8, 0.79, 1.5)
    append_results(folder / "runs.jsonl", [run, run, run])


def _read_results(folder: Path) -> None:
    from grape_gnn.training import read_results, summarise

    summarise([run.validation_score for run in read_results(folder / "runs.jsonl")] or [0.0])


def _significance(samples: int) -> Callable[[Path], None]:
    def run(folder: Path) -> None:
        from grape_gnn.significance import significance

        file = folder / "s.jsonl"
        significance(example_graph(), "triangle", samples=samples, nodes=True, out=file)

    return run


def _write_parts(folder: Path) -> None:
    from grape_gnn.cluster import match_parts

    example_graph(edge_types=False).save(folder / "g.grape")
    match_parts(folder / "g.grape", "triangle", folder / "parts", what="totals", parts=2)


def _read_parts(folder: Path) -> None:
    from grape_gnn.cluster import PartsFolder

    PartsFolder.open(folder / "parts").totals()


def _write_products(folder: Path) -> None:
    from grape_gnn import precompute

    precompute(example_graph(edge_types=False), "edge", folder / "products")


def _read_products(folder: Path) -> None:
    from grape_gnn.products import ProductFolder

    ProductFolder.open(folder / "products").products()


TOML = 'graph = "x.csv"\ntemplates = ["edge", "triangle"]\nlearning-rate = 0.02\nhidden = 6\n'
JSON = '{"graph": "x.csv", "templates": ["edge"], "learning_rate": 0.02, "hidden": 6}\n'


def _read_config(name: str) -> Callable[[Path], None]:
    def read(folder: Path) -> None:
        import typer

        from grape_gnn.cli import app

        command: Any = typer.main.get_command(app)
        command.commands["train"].make_context("train", ["x.csv", "--config", str(folder / name)])

    return read


RUN_FORMATS: dict[str, Format] = {
    "model": Format(_write_model, _read_model),
    "model of a table": Format(_write_table_model, _read_table_model),
    "checkpoint": Format(_write_checkpoint, _read_checkpoint),
    "predictions": Format(_write_predictions, _read_predictions),
    "results": Format(_write_results, _read_results),
    "significance": Format(_significance(2), _significance(3)),
    "toml config": Format(text_file("c.toml", TOML), _read_config("c.toml")),
    "json config": Format(text_file("c.json", JSON), _read_config("c.json")),
    "run folder": Format(_train, _read_run),
    "search folder": Format(_write_search, _read_search),
    "parts folder": Format(_write_parts, _read_parts),
    "products folder": Format(_write_products, _read_products),
    "comparison folder": Format(_write_comparison, _read_comparison),
}
