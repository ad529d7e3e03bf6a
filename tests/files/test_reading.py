"""Files that are none: every reader refuses them at once, and none waits for a writer."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from grape_gnn.comparison.folder import ComparisonFolder
from grape_gnn.datasets.amazon import read_amazon_meta, read_copurchase_table
from grape_gnn.datasets.planetoid import read_planetoid
from grape_gnn.errors import GrapeError
from grape_gnn.estimator.model_file import load_model
from grape_gnn.files import open_regular, parse_json, read_text
from grape_gnn.files.tensor_file import read_tensors
from grape_gnn.graph import read_graph
from grape_gnn.report import write_report
from grape_gnn.roles import load_roles
from grape_gnn.runs import RunFolder
from grape_gnn.runs.predictions import read_predictions
from grape_gnn.search import SearchFolder
from grape_gnn.template import load_templates
from grape_gnn.training import read_results

FORMATS = ("edge_list", "graphml", "matrix_market", "facebook100", "npz")
READERS = {
    **{name: lambda path, name=name: read_graph(path, format=name) for name in FORMATS},
    "mapped": lambda path: read_graph(path, format="npz", mmap=True),
    "roles": load_roles,
    "templates": load_templates,
    "predictions": read_predictions,
    "results": read_results,
    "tensors": read_tensors,
    "model": load_model,
    "amazon": read_amazon_meta,
    "table": read_copurchase_table,
    "planetoid": lambda path: read_planetoid(path, path, path, path, path, path),
}


@pytest.fixture(params=["a named pipe", "a device", "a folder"])
def no_file(request, tmp_path):
    """Give the path of something that is no ordinary file, and what it is."""
    path = tmp_path / "no_file"
    if request.param == "a named pipe":
        os.mkfifo(path)
    elif request.param == "a folder":
        path.mkdir()
    else:
        path = Path("/dev/zero")
    return path, request.param


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_waits_for_a_pipe_or_reads_a_device(reader, no_file):
    path, kind = no_file
    with pytest.raises(GrapeError, match=rf"{path}.*is {kind}, not a") as caught:
        READERS[reader](path)
    assert "\n" not in str(caught.value)


def test_the_node_table_too(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\n")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(GrapeError, match=r"pipe.* is a named pipe, not an ordinary file"):
        read_graph(tmp_path / "edges.csv", nodes=tmp_path / "pipe")


@pytest.mark.parametrize(
    "read", [RunFolder.open, SearchFolder.open, ComparisonFolder.open, write_report]
)
def test_folders_and_reports_too(read, tmp_path):
    os.mkfifo(tmp_path / "config.json")
    with pytest.raises(GrapeError, match=r"config.json.* is a named pipe, not an ordinary file"):
        read(tmp_path)


def test_what_the_shell_hands_over_is_read():
    for content in (b"a,b\nb,c\n",):
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        assert read_graph(f"/dev/fd/{reading}", format="edge_list").num_edges == 2
        os.close(reading)


def test_sockets_and_impossible_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind("socket")
        with pytest.raises(OSError, match="socket"):
            open_regular("socket")
    with pytest.raises(OSError, match="null"):
        open_regular("a\0b")


def test_text_and_json(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\r\nb\r")
    assert read_text(path) == "a\r\nb\r"
    for bad in ("[" * 100_000, '{"a":' * 100_000, "9" * 5000, b"\xff", "{", b"\xff\xfe{"):
        with pytest.raises(ValueError, match=r"it |column"):
            parse_json(bad)
