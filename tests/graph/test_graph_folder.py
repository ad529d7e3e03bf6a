"""A graph on disk: a folder of plain arrays, mapped at once, checked when it was copied."""

from __future__ import annotations

import json
import mmap
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grape_gnn import match
from grape_gnn.errors import GrapeError, GraphFileError, UnknownNodeError
from grape_gnn.files.npy import read_array, write_array
from grape_gnn.files.texts import Texts
from grape_gnn.graph import Graph, graph_folder, read_graph
from grape_gnn.graph.checksum import checksum
from grape_gnn.graph.graph_folder import GraphFolder, graph_identity


@pytest.fixture
def saved(tmp_path, triangle_with_tail):
    """Give the path of a saved graph."""
    triangle_with_tail.save(tmp_path / "g.grape")
    return tmp_path / "g.grape"


def test_every_array_is_a_file_that_numpy_reads(saved, triangle_with_tail):
    indices = np.load(saved / "indices.npy", mmap_mode="r", allow_pickle=False)
    np.testing.assert_array_equal(indices, triangle_with_tail.indices)
    assert np.load(saved / "names_utf8.npy").tobytes() == b"abcde"
    assert {file.suffix for file in saved.iterdir()} == {".npy", ".json"}


def test_the_arrays_stay_on_disk(saved, triangle_with_tail, assert_same):
    mapped = read_graph(saved)
    assert_same(mapped, triangle_with_tail)
    for part in ("indptr", "indices", "x", "y"):
        base = getattr(mapped, part)
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base.obj, mmap.mmap)
        assert getattr(mapped, part).ctypes.data % 64 == 0
        assert not getattr(mapped, part).flags.writeable
    assert (
        match(mapped, "triangle")[0].totals.sum()
        == match(triangle_with_tail, "triangle")[0].totals.sum()
    )


def test_text_names_are_looked_up_on_disk(saved, triangle_with_tail):
    mapped = read_graph(saved)
    assert isinstance(mapped.names, Texts)
    assert [mapped.index_of(name) for name in "abcde"] == [0, 1, 2, 3, 4]
    assert mapped.name_of(3) == "d"
    with pytest.raises(UnknownNodeError, match="no node is called 'f'; names look like 'a', 'b'"):
        mapped.index_of("f")
    one, other = triangle_with_tail, mapped
    assert checksum(one, one.names) == checksum(other, other.names)


def test_whole_numbers_as_names_are_found_in_any_order(tmp_path):
    for names in ([5, 70, 900], [70, 900, 5]):
        Graph.from_edges([0, 1], [1, 2], names=names).save(tmp_path / "g.grape")
        again = read_graph(tmp_path / "g.grape")
        assert [again.index_of(name) for name in names] == [0, 1, 2]
        with pytest.raises(UnknownNodeError, match="no node is called 6"):
            again.index_of(6)


def test_a_graph_that_is_as_it_was_is_not_read(saved, monkeypatch):
    def refuse(*_):
        raise AssertionError("the rows were read")

    monkeypatch.setattr("grape_gnn.graph.npz.check_rows", refuse)
    assert read_graph(saved).num_edges == 4
    shutil.copytree(saved, saved.with_name("copy.grape"))
    with pytest.raises(AssertionError, match="the rows were read"):
        read_graph(saved.with_name("copy.grape"))


def test_a_copy_is_checked_once(saved, monkeypatch):
    copy = saved.with_name("copy.grape")
    shutil.copytree(saved, copy)
    assert read_graph(copy).num_edges == 4
    monkeypatch.setattr("grape_gnn.graph.npz.check_rows", None)
    assert read_graph(copy).num_edges == 4


@pytest.mark.parametrize(
    ("key", "array"),
    [
        ("indices", np.full(8, 9, np.int32)),
        ("indptr", np.array([0, 9, 3, 7, 8, 8])),
        ("y", np.full(5, 2)),
        ("x", np.zeros((4, 2), np.float32)),
        ("names_order", np.array([0, 1, 2, 3, 3], np.int32)),
        ("names_order", np.array([0, 1, 2, 3, 9], np.int32)),
        ("names_ends", np.array([1, 2, 3, 9, 5])),
        ("names_utf8", np.full(5, 255, np.uint8)),
        ("directed", np.array(3)),
    ],
)
def test_a_changed_array_is_refused_before_it_is_used(saved, key, array):
    write_array(saved / f"{key}.npy", array)
    with pytest.raises(GraphFileError, match=rf"{key}\.npy: is damaged, or was changed after it"):
        read_graph(saved)
    # Whoever makes up the checksums as well is found out by what the arrays say.
    GraphFolder.open(saved).complete()
    listed = json.loads((saved / "arrays.json").read_text())
    listed["arrays"][key][2] += 1
    (saved / "arrays.json").write_text(json.dumps(listed))
    with pytest.raises(GraphFileError, match=r"g\.grape: has damaged contents: ") as caught:
        read_graph(saved)
    assert "\n" not in str(caught.value)


def test_an_identity_is_that_of_the_contents(saved, tmp_path, triangle_with_tail):
    triangle_with_tail.save(tmp_path / "same.grape")
    Graph.from_edges([0], [1]).save(tmp_path / "other.grape")
    one, same, other = (graph_identity(tmp_path / f"{n}.grape") for n in ("g", "same", "other"))
    assert one == same != other


def test_files_that_are_missing_cut_off_or_of_another_kind(saved):
    content = (saved / "indices.npy").read_bytes()
    (saved / "indices.npy").write_bytes(content[:-1])
    with pytest.raises(GraphFileError, match=r"indices\.npy: is damaged: has the wrong size"):
        read_graph(saved)
    (saved / "indices.npy").unlink()
    with pytest.raises(GraphFileError, match=r"indices\.npy: is missing: restore it"):
        read_graph(saved)
    (saved / "arrays.json").unlink()
    with pytest.raises(GraphFileError, match="is not complete: whoever wrote it was interrupted"):
        read_graph(saved)
    (saved / "config.json").write_text('{"kind": "search", "version": 1}')
    with pytest.raises(GraphFileError, match="is a folder of kind 'search', not of a graph"):
        read_graph(saved)


def test_saving_replaces_a_graph_but_nothing_else(saved, tmp_path):
    before = read_graph(saved)
    Graph.from_edges([0], [1]).save(saved)
    assert before.num_edges == 4  # who had mapped it keeps it
    assert read_graph(saved).num_edges == 1
    assert [file.name for file in tmp_path.iterdir()] == ["g.grape"]
    (tmp_path / "mine.grape").mkdir()
    (tmp_path / "mine.grape" / "diary.txt").write_text("private")
    with pytest.raises(GraphFileError, match="is not the folder of a graph"):
        before.save(tmp_path / "mine.grape")
    assert (tmp_path / "mine.grape" / "diary.txt").read_text() == "private"
    with pytest.raises(GrapeError, match=r"the folder .* does not exist"):
        before.save(tmp_path / "none" / "g.grape")


def test_a_full_disk_leaves_the_old_graph(saved, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(graph_folder, "write_array", full)
    with pytest.raises(GrapeError, match=r"cannot write .*g\.grape: No space left on device"):
        Graph.from_edges([0], [1]).save(saved)
    assert read_graph(saved).num_edges == 4
    assert [file.name for file in tmp_path.iterdir()] == ["g.grape"]


OPENING = """
import re, sys
from pathlib import Path
from grape_gnn.graph import read_graph

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

read_graph(sys.argv[1])
before = peak()
graph = read_graph(sys.argv[2])
graph.index_of(graph.name_of(graph.num_nodes - 1)), graph.native
print(peak() - before, graph.num_edges)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's own account")
def test_opening_touches_next_to_nothing(saved, tmp_path):
    n = 1_000_000
    ring = np.arange(n)
    Graph.from_edges(ring, (ring + 1) % n, x=np.ones((n, 20), np.float32), names=ring + 7).save(
        tmp_path / "large.grape"
    )
    command = [sys.executable, "-c", OPENING, str(saved), str(tmp_path / "large.grape")]
    grown, edges = map(int, subprocess.check_output(command, env=os.environ).split())
    assert edges == n
    assert grown < 8e6  # of more than 100 MB


def test_scalars_and_empty_arrays(tmp_path):
    for array in (np.array(True), np.zeros(0, np.int32), np.zeros((0, 3), np.float32)):
        write_array(tmp_path / "a.npy", array)
        for mapped in (False, True):
            again = read_array(tmp_path / "a.npy", mmap=mapped)
            assert (again.shape, again.dtype) == (array.shape, array.dtype)
