"""A small valid example of every file that grape-gnn reads graphs, roles and templates from."""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dataset_files import DATASET_FILES
from grape_gnn.features import NodeEncoder
from grape_gnn.graph import Graph, convert, read_graph
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.roles import load_roles, match
from grape_gnn.template import Template, load_templates, save_templates
from grape_gnn.template.zoo import templates as find_templates

__all__ = ["GRAPH_FORMATS", "Format", "example_graph", "text_file"]


class Format(NamedTuple):
    """How examples of a format are written into a folder, and read from it."""

    write: Callable[[Path], None]
    read: Callable[[Path], object]


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


def text_file(name: str, text: str) -> Callable[[Path], None]:
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


def _write_parts(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.feather
    import pyarrow.parquet

    parts = folder / "edges.parquet"
    (parts / "day=2").mkdir(parents=True)
    edges = pa.table({"source": ["a", "b", "c", "c"], "target": ["b", "c", "a", "d"]})
    pyarrow.parquet.write_table(edges[:2], parts / "0.parquet")
    pyarrow.feather.write_feather(edges[2:], parts / "day=2" / "1.feather")


def _read_parts(folder: Path) -> None:
    _use(read_graph(folder / "edges.parquet"))
    with tempfile.TemporaryDirectory() as place:
        _use(convert(folder / "edges.parquet", Path(place, "g.grape")))


def _write_columns(folder: Path) -> None:
    _write_table(folder)
    read_graph(folder / "edges.csv", nodes=folder / "nodes.csv").save(folder / "g.npz")


def _read_columns(folder: Path) -> None:
    for mapped in (True, False):
        graph = read_graph(folder / "g.npz", mmap=mapped)
        if graph.columns is not None:
            NodeEncoder().fit_transform(graph)
        _use(graph)


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


MTX = "%%MatrixMarket matrix coordinate {} {}\n% comment\n4 4 4\n"

GRAPH_FORMATS: dict[str, Format] = {
    "edge list": Format(text_file("e.csv", 'a,b\n"b",c\n# x\nc,a\n12,c\n'), _graph("e.csv")),
    "integer edge list": Format(text_file("e.txt", "1 2\n2 3\n3 1\n70 3\n"), _graph("e.txt")),
    "gzipped edge list": Format(text_file("e.csv.gz", "a,b\nb,c\nc,a\n"), _graph("e.csv.gz")),
    "typed edge list": Format(
        text_file("e.csv", 'u,v,kind\na,b,x\nb,c,"y z"\nc,a,\n'), _graph("e.csv", edge_types="kind")
    ),
    "node table": Format(_write_table, _read_table),
    "arrow": Format(_write_arrow, _read_arrow),
    "arrow parts": Format(_write_parts, _read_parts),
    "graphml": Format(_write_graphml, _graph("g.graphml", label="team", features=["size"])),
    "matrix market": Format(
        text_file("g.mtx", MTX.format("real", "general") + "1 2 .5\n2 3 1\n3 1 2\n4 1 -1e-3\n"),
        _graph("g.mtx"),
    ),
    "gzipped matrix market": Format(
        text_file("g.mtx.gz", MTX.format("pattern", "symmetric") + "2 1\n3 2\n3 1\n4 1\n"),
        _graph("g.mtx.gz"),
    ),
    "dense matrix market": Format(
        text_file("g.mtx", "%%MatrixMarket matrix array integer general\n2 2\n0\n1\n1\n0\n"),
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
        text_file("g.txt", "2\n3 1\n6 1 1\n7 2 0 2\n6 1 1\n2 0\n8 1 1\n8 1 0\n"), _graphs("g.txt")
    ),
    "graphs tu": Format(_write_tu, _graphs("TOY")),
    "graph6": Format(text_file("g.g6", "DqK\n:Fa@x^\nC~\n"), _graphs("g.g6")),
    "graphs table": Format(
        text_file("g.csv", "graph,source,target,bond\na,1,2,x\na,2,3,y\nb,1,2,x\n"),
        _graphs("g.csv"),
    ),
    "graphs tables": Format(_write_molecules, _read_molecules),
    "graphs npz": Format(_write_set, _graphs("s.npz")),
    "templates": Format(
        lambda folder: save_templates(find_templates("social"), folder / "t.json"),
        lambda folder: load_templates(folder / "t.json"),
    ),
    **{name: Format(write, _used(read)) for name, (write, read) in DATASET_FILES.items()},
}
