"""A small valid example of everything that grape-gnn reads, and how it is read.

`FORMATS` has for every format a function that writes files into an empty folder and one that
reads them, as far as a user can. `damage_case` damages one of the files and reads them again.
"""

from __future__ import annotations

import gzip
import shutil
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dataset_files import DATASET_FILES
from file_mutations import mutate
from grape_gnn.errors import GrapeError
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph, read_graph
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.roles import load_roles, match
from grape_gnn.template import Template, load_templates, save_templates
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["FORMATS", "Format", "damage_case", "make_examples"]


class Format(NamedTuple):
    """How examples of a format are written into a folder, and read from it."""

    write: Callable[[Path], None]
    read: Callable[[Path], object]


def damage_case(examples: Path, name: str, number: int, folder: Path) -> str | None:
    """Damage a copy of an example and read it; return what went wrong, None if nothing did.

    Right is a success, or a `GrapeError` with a message of one line.

    Parameters
    ----------
    examples
        What `make_examples` made.
    name
        The format.
    number
        The number of the case: the same number, the same damage.
    folder
        Place for the copy; what is there is removed.
    """
    # By the name, not by the place in the list: a new format leaves the cases of the others alone.
    rng = np.random.default_rng([number, zlib.crc32(name.encode())])
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(examples / name, folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = files[rng.integers(len(files))]
    chosen.write_bytes(mutate(chosen.read_bytes(), rng))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            FORMATS[name].read(folder)
    except GrapeError as error:
        message = str(error)
        if len(message.splitlines()) != 1:
            return f"{chosen.name}: a message of several lines: {message!r}"
    except Exception as error:
        return f"{chosen.name}: {type(error).__name__}: {str(error)[:300]}"
    return None


def make_examples(folder: Path, names: Any = None) -> None:
    """Write the examples of all formats, or of some, each into a folder of its own; read them."""
    for name in FORMATS if names is None else names:
        (folder / name).mkdir(parents=True)
        FORMATS[name].write(folder / name)
        FORMATS[name].read(folder / name)


# ------------------------------------------------------------------ graphs


def example_graph(directed: bool = False, edge_types: bool = True) -> Graph:
    """Give a named and labelled graph with features and types."""
    return Graph.from_edges(
        [0, 1, 2, 2, 4, 5, 6],
        [1, 2, 0, 3, 5, 6, 4],
        8,
        directed,
        x=np.arange(16).reshape(8, 2) / 4,
        y=["red", None, "blue", "red", "red", "blue", "red", "blue"],
        names=["ann", "bob", "cát", "d", "e", "f", "g", "h"],
        types=[1, 2, 1, 1, 2, 1, 1, None],
        edge_types=["a", "b", None, "a", "a", "b", "b"] if edge_types else None,
    )


def _use(graph: Graph) -> None:
    """Do with a graph what a damaged one would not survive."""
    if graph.num_nodes <= 10_000:
        match(graph, "0>1 1>2" if graph.directed else "triangle", threads=1)[0].totals.sum()
        for kind in (graph.edge_type_names or ())[:1]:
            edge = Template([(0, 1)], graph.directed, edge_types={(0, 1): kind})
            match(graph, edge, engine="enumerate", threads=1)[0].totals.sum()


def _text(name: str, text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        content = text.encode()
        packed = name.endswith(".gz")
        (folder / name).write_bytes(gzip.compress(content, mtime=0) if packed else content)

    return write


def _graph(name: str, **options: Any) -> Callable[[Path], None]:
    return lambda folder: _use(read_graph(folder / name, **options))


def _write_table(folder: Path) -> None:
    (folder / "edges.csv").write_text("a,b\nb,c\nc,a\nc,d\n")
    (folder / "nodes.csv").write_text('name,team,age\na,red,31\nb,,28\nc,"blue, x",45\nd,red,7\n')


def _read_table(folder: Path) -> None:
    _use(read_graph(folder / "edges.csv", nodes=folder / "nodes.csv", label="team"))


def _write_arrow(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    edges = pa.table({"source": ["a", "b", "c", "c"], "target": ["b", "c", "a", "d"]})
    nodes = pa.table({"name": list("abcd"), "team": ["x", None, "y", "x"], "age": [31, 2, None, 7]})
    pyarrow.parquet.write_table(edges, folder / "edges.parquet")
    pyarrow.feather.write_feather(edges, folder / "edges.arrow", compression="uncompressed")
    pyarrow.parquet.write_table(nodes, folder / "nodes.parquet")


def _read_arrow(folder: Path) -> None:
    for name in ("edges.parquet", "edges.arrow"):
        _use(read_graph(folder / name, nodes=folder / "nodes.parquet", label="team"))


def _write_columns(folder: Path) -> None:
    _write_table(folder)
    read_graph(folder / "edges.csv", nodes=folder / "nodes.csv").save(folder / "g.npz")


def _read_columns(folder: Path) -> None:
    for mapped in (True, False):
        graph = read_graph(folder / "g.npz", mmap=mapped)
        if graph.columns is not None:
            NodeEncoder().fit_transform(graph)
        _use(graph)


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


def _write_graphml(folder: Path) -> None:
    import networkx as nx

    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    nx.set_node_attributes(graph, {"a": 1, "b": 2, "c": 1, "d": 2}, "team")
    nx.set_node_attributes(graph, dict.fromkeys("abcd", 0.5), "size")
    nx.write_graphml(graph, folder / "g.graphml")


def _write_mat(folder: Path) -> None:
    from scipy.io import savemat
    from scipy.sparse import csc_matrix

    rng = np.random.default_rng(0)
    path = csc_matrix(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], float))
    contents = {"A": path, "local_info": rng.integers(0, 3, (3, 7)).astype(np.uint16)}
    savemat(folder / "plain.mat", contents)
    savemat(folder / "packed.mat", contents, do_compression=True)


def _read_mat(folder: Path) -> None:
    for name in ("plain.mat", "packed.mat"):
        _use(read_graph(folder / name))


def _write_npz(folder: Path) -> None:
    example_graph().save(folder / "u.npz")
    example_graph(directed=True).save(folder / "d.npz")


def _read_npz(folder: Path) -> None:
    for name in ("u.npz", "d.npz"):
        _use(read_graph(folder / name, mmap=True))
        _use(read_graph(folder / name))


def _graphs(name: str) -> Callable[[Path], None]:
    return lambda folder: match(read_graphs(folder / name), "edge") and None


def _write_molecules(folder: Path) -> None:
    (folder / "bonds.csv").write_text("graph,source,target,bond\na,1,2,x\na,2,3,y\nb,1,2,x\n")
    (folder / "atoms.csv").write_text(
        "graph,atom,type,x\na,1,C,0\na,2,N,1\na,3,C,2\nb,1,O,1\nb,2,O,0\n"
    )
    (folder / "targets.csv").write_text("graph,y\na,1.5\nb,2.5\n")


def _read_molecules(folder: Path) -> None:
    tables = {
        name: folder / f"{file}.csv" for name, file in (("nodes", "atoms"), ("targets", "targets"))
    }
    match(read_graphs(folder / "bonds.csv", **tables), "edge")


def _write_set(folder: Path) -> None:
    GraphSet.of([example_graph(), example_graph()], y=["a", "b"], names=["x", "y"]).save(
        folder / "s.npz"
    )


TU = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n",
    "graph_indicator": "1\n1\n1\n2\n2\n",
    "graph_labels": "-1\n1\n",
    "node_labels": "6\n7\n6\n8\n8\n",
    "edge_labels": "0\n0\n1\n1\n2\n2\n",
    "edge_attributes": "0.5, 1\n0.5, 1\n2, -3\n2, -3\n1e3, 0\n1e3, 0\n",
}


def _write_tu(folder: Path) -> None:
    (folder / "TOY").mkdir()
    for part, text in TU.items():
        (folder / "TOY" / f"TOY_{part}.txt").write_text(text)


def _write_roles(folder: Path) -> None:
    match(example_graph(), ["3-path", "triangle"]).save(folder / "roles.npz")


def _read_roles(folder: Path) -> None:
    for mapped in (True, False):
        roles = load_roles(folder / "roles.npz", mmap=mapped)
        for operator in roles.operators():
            operator.row_sums()


def _used(read: Callable[[Path], Graph]) -> Callable[[Path], None]:
    return lambda folder: _use(read(folder))


# ------------------------------------------------------------------ models, folders, settings


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

    example_graph().save(folder / "g.grape")
    match_parts(folder / "g.grape", "triangle", folder / "parts", what="totals", parts=2)


def _read_parts(folder: Path) -> None:
    from grape_gnn.cluster import PartsFolder

    PartsFolder.open(folder / "parts").totals()


def _write_products(folder: Path) -> None:
    from grape_gnn import precompute

    precompute(example_graph(), "edge", folder / "products")


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


MTX = "%%MatrixMarket matrix coordinate {} {}\n% comment\n4 4 4\n"

FORMATS: dict[str, Format] = {
    "edge list": Format(_text("e.csv", 'a,b\n"b",c\n# x\nc,a\n12,c\n'), _graph("e.csv")),
    "integer edge list": Format(_text("e.txt", "1 2\n2 3\n3 1\n70 3\n"), _graph("e.txt")),
    "gzipped edge list": Format(_text("e.csv.gz", "a,b\nb,c\nc,a\n"), _graph("e.csv.gz")),
    "typed edge list": Format(
        _text("e.csv", 'u,v,kind\na,b,x\nb,c,"y z"\nc,a,\n'), _graph("e.csv", edge_types="kind")
    ),
    "node table": Format(_write_table, _read_table),
    "arrow": Format(_write_arrow, _read_arrow),
    "graphml": Format(_write_graphml, _graph("g.graphml", label="team", features=["size"])),
    "matrix market": Format(
        _text("g.mtx", MTX.format("real", "general") + "1 2 .5\n2 3 1\n3 1 2\n4 1 -1e-3\n"),
        _graph("g.mtx"),
    ),
    "gzipped matrix market": Format(
        _text("g.mtx.gz", MTX.format("pattern", "symmetric") + "2 1\n3 2\n3 1\n4 1\n"),
        _graph("g.mtx.gz"),
    ),
    "dense matrix market": Format(
        _text("g.mtx", "%%MatrixMarket matrix array integer general\n2 2\n0\n1\n1\n0\n"),
        _graph("g.mtx"),
    ),
    "facebook100": Format(_write_mat, _read_mat),
    "graph npz": Format(_write_npz, _read_npz),
    "graph folder": Format(
        lambda folder: example_graph(directed=True).save(folder / "g.grape"), _graph("g.grape")
    ),
    "columns npz": Format(_write_columns, _read_columns),
    "roles npz": Format(_write_roles, _read_roles),
    "graphs text": Format(
        _text("g.txt", "2\n3 1\n6 1 1\n7 2 0 2\n6 1 1\n2 0\n8 1 1\n8 1 0\n"), _graphs("g.txt")
    ),
    "graphs tu": Format(_write_tu, _graphs("TOY")),
    "graph6": Format(_text("g.g6", "DqK\n:Fa@x^\nC~\n"), _graphs("g.g6")),
    "graphs table": Format(
        _text("g.csv", "graph,source,target,bond\na,1,2,x\na,2,3,y\nb,1,2,x\n"), _graphs("g.csv")
    ),
    "graphs tables": Format(_write_molecules, _read_molecules),
    "graphs npz": Format(_write_set, _graphs("s.npz")),
    "templates": Format(
        lambda folder: save_templates(find_templates("social"), folder / "t.json"),
        lambda folder: load_templates(folder / "t.json"),
    ),
    **{name: Format(write, _used(read)) for name, (write, read) in DATASET_FILES.items()},
    "model": Format(_write_model, _read_model),
    "model of a table": Format(_write_table_model, _read_table_model),
    "checkpoint": Format(_write_checkpoint, _read_checkpoint),
    "predictions": Format(_write_predictions, _read_predictions),
    "results": Format(_write_results, _read_results),
    "significance": Format(_significance(2), _significance(3)),
    "toml config": Format(_text("c.toml", TOML), _read_config("c.toml")),
    "json config": Format(_text("c.json", JSON), _read_config("c.json")),
    "run folder": Format(_train, _read_run),
    "search folder": Format(_write_search, _read_search),
    "parts folder": Format(_write_parts, _read_parts),
    "products folder": Format(_write_products, _read_products),
    "comparison folder": Format(_write_comparison, _read_comparison),
}
