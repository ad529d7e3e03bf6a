"""Choosing the reader by the file's name."""

from __future__ import annotations

import subprocess
import sys

import pytest

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.graph import read_graph


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(GraphFileError, match=r"none\.csv: no such file"):
        read_graph(tmp_path / "none.csv")
    with pytest.raises(GraphFileError, match="is a folder, and holds neither a graph on disk"):
        read_graph(tmp_path)


def test_unknown_suffix_names_the_known_ones(tmp_path):
    path = tmp_path / "out.karate"
    path.write_text("1 2\n")
    with pytest.raises(GraphFileError, match=r"suffix '\.karate'; known are \.csv .* pass format="):
        read_graph(path)
    assert read_graph(path, format="edge_list").num_edges == 1
    with pytest.raises(GraphError, match="unknown format 'gexf'; known are edge_list, arrow"):
        read_graph(path, format="gexf")


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("g.csv", {"mmap": True}),
        ("g.mtx", {"label": "y"}),
        ("g.npz", {"directed": True}),
        ("g.mat", {"header": True}),
        ("g.graphml", {"nodes": "n.csv"}),
    ],
)
def test_options_that_do_not_apply_are_refused(tmp_path, name, option):
    path = tmp_path / name
    path.touch()
    (key,) = option
    with pytest.raises(GraphError, match=rf"the option {key} does not apply to .*{name}, a "):
        read_graph(path, **option)


def test_suffixes_in_capitals(tmp_path):
    (tmp_path / "G.CSV").write_text("1,2\n")
    assert read_graph(str(tmp_path / "G.CSV")).num_edges == 1


def test_reading_imports_nothing_heavy(tmp_path):
    (tmp_path / "g.csv").write_text("1,2\n")
    code = (
        "import sys; from grape_gnn.graph import read_graph; read_graph(sys.argv[1]);"
        "print({'networkx', 'igraph', 'torch', 'torch_geometric', 'pandas'} & set(sys.modules))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "g.csv")],
        check=True,
        capture_output=True,
        text=True,
    )
    assert answer.stdout.strip() == "set()"
