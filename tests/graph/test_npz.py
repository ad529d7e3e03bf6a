"""Our own file format: plain NumPy members, mapped or loaded, and safe against damage."""

from __future__ import annotations

import io
import mmap
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from grape_gnn.errors import GrapeError, GraphError, GraphFileError
from grape_gnn.graph import Graph, read_graph


@pytest.fixture
def saved(tmp_path, triangle_with_tail):
    """Give the path of a saved graph."""
    triangle_with_tail.save(tmp_path / "g.npz")
    return tmp_path / "g.npz"


def rewrite(path, **changes):
    """Save the members again with some replaced (or, with None, removed)."""
    with np.load(path) as members:
        contents = {**members, **changes}
    np.savez(path, **{key: value for key, value in contents.items() if value is not None})


def test_numpy_reads_it_without_pickle(saved, triangle_with_tail):
    with np.load(saved, allow_pickle=False) as members:
        assert str(members["format"]) == "grape-graph"
        assert int(members["version"]) == 1
        np.testing.assert_array_equal(members["indices"], triangle_with_tail.indices)
        assert members["names_utf8"].tobytes() == b"abcde"
        assert all(members[key].dtype != object for key in members.files)


def test_mapped_arrays_stay_in_the_file(saved, triangle_with_tail, assert_same):
    mapped, loaded = read_graph(saved, mmap=True), read_graph(saved)
    assert_same(mapped, triangle_with_tail)
    assert_same(loaded, triangle_with_tail)
    for part in ("indptr", "indices", "x", "y"):
        base = getattr(mapped, part)
        while isinstance(base, np.ndarray):
            base = base.base
        assert isinstance(base.obj, mmap.mmap)
        assert getattr(mapped, part).ctypes.data % 64 == 0, part
        assert not getattr(mapped, part).flags.writeable
        assert not getattr(loaded, part).flags.writeable
    assert mapped.native is not None


def test_members_beyond_a_gigabyte_have_long_headers_and_stay_aligned(
    tmp_path, monkeypatch, triangle_with_tail, assert_same
):
    monkeypatch.setattr("grape_gnn.files.array_file.ZIP64_BYTES", 16)
    triangle_with_tail.save(tmp_path / "large.npz")
    mapped = read_graph(tmp_path / "large.npz", mmap=True)
    assert_same(mapped, triangle_with_tail)
    assert mapped.indptr.ctypes.data % 64 == mapped.x.ctypes.data % 64 == 0
    with np.load(tmp_path / "large.npz") as members:
        assert members["x"].shape == (5, 2)


def test_saving_over_a_mapped_file_leaves_the_graph_alone(saved, triangle_with_tail, assert_same):
    mapped = read_graph(saved, mmap=True)
    Graph.from_edges([0], [1]).save(saved)
    assert_same(mapped, triangle_with_tail)
    assert read_graph(saved).num_nodes == 2


def test_every_truncation_is_refused(saved):
    content = saved.read_bytes()
    for length in range(0, len(content), 37):
        saved.write_bytes(content[:length])
        with pytest.raises(GraphFileError, match=r"g\.npz: is not a readable graph file"):
            read_graph(saved)


def test_every_flipped_byte_is_refused_or_harmless(saved, triangle_with_tail, assert_same):
    content = saved.read_bytes()
    refused = 0
    for position in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[position] ^= 0x55
        saved.write_bytes(damaged)
        try:
            graph = read_graph(saved)
        except GraphFileError:
            refused += 1
        else:
            assert_same(graph, triangle_with_tail)  # padding, time stamps
    assert refused > len(content) // 7 // 4


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": None}, "is an .npz file, but not a graph file saved by grape-gnn"),
        ({"format": np.array("other")}, "is an .npz file, but not a graph file saved by grape-gnn"),
        ({"version": np.array(2)}, "has format version 2, this release reads 1; update grape-gnn"),
        ({"version": None}, "has format version none"),
        ({"indices": None}, "has damaged contents: 'indices'"),
        ({"indices": np.full(8, 9, np.int32)}, "a neighbour lies outside 0..4"),
        ({"indices": np.full(8, 4, np.int32)}, "a row is not sorted"),
        ({"indices": np.zeros(8)}, "rows have the wrong type"),
        ({"directed": np.array(True)}, "has damaged contents: 'in_indptr'"),
        ({"x": np.zeros((4, 2), np.float32)}, r"x has dtype float32 and shape \(4, 2\)"),
        ({"y": np.full(5, 2)}, "y does not point into label_names"),
        ({"names_ends": np.array([1, 5])}, "2 names for 5 nodes"),
        ({"names_utf8": np.full(5, 255, np.uint8)}, "has damaged contents: .*utf-8"),
        ({"names_utf8": np.zeros((5, 1), np.uint8)}, "names_utf8 has dtype uint8 and shape"),
        ({"names_utf8": np.zeros(5, np.int64)}, "names_utf8 has dtype int64"),
        ({"names_ends": np.arange(1.0, 6.0)}, "names_ends has dtype float64"),
        (
            {"names_ends": np.arange(1, 6)[:, None]},
            r"names_ends .* shape \(5, 1\)",
        ),
        ({"names_ends": np.array(5)}, r"names_ends has dtype int64 and shape \(\)"),
        ({"names_ends": np.array([2, 1, 3, 4, 5])}, "names_ends do not ascend"),
        ({"names_ends": np.array([-1, 1, 3, 4, 5])}, "names_ends do not ascend"),
        ({"names_ends": np.array([1, 2, 3, 4, 9])}, "names_ends do not ascend"),
        ({"names_ends": np.full(5, 2**64 - 1, np.uint64)}, "names_ends has dtype uint64"),
        ({"names_ends": None}, "has damaged contents: 'names_ends'"),
        ({"names_utf8": np.frombuffer(b"abcda", np.uint8)}, "names must be distinct: 'a'"),
        ({"names": np.array(7)}, r"names has dtype int64 and shape \(\)"),
        ({"names": np.arange(5.0)}, "names has dtype float64"),
        ({"names": np.array([3, 1, 4, 1, 5])}, "names must be distinct: 1 names"),
        ({"names": np.full(5, 2**64 - 1, np.uint64)}, "names has dtype uint64"),
        ({"label_names": np.array([3, 3])}, "label_names must be distinct"),
        ({"label_names": np.array(3)}, r"label_names has dtype int64 and shape \(\)"),
        ({"x": np.full((5, 2), np.nan, np.float32)}, r"finite .*x\[0, 0\] is nan"),
        ({"x": np.array(1, np.float32)}, r"x has dtype float32 and shape \(\)"),
        ({"y": np.array(0)}, "y does not point into label_names"),
        ({"y": np.zeros(5)}, "y does not point into label_names"),
        ({"directed": np.array([True, False])}, "directed has dtype bool and shape"),
        ({"directed": np.array(2)}, "directed has dtype int64 and shape"),
        ({"indptr": np.array([0, 2, 4, 7, 2**63 - 1, 8])}, "row pointers are inconsistent"),
        ({"indptr": np.array([0, -(2**63), 2**63 - 1, 7, 8, 8])}, "row pointers are inconsistent"),
        ({"indptr": np.array(0)}, "rows have the wrong type"),
        ({"indptr": np.empty(0, np.int64)}, "row pointers are inconsistent"),
        ({"format": np.array(["grape-graph"] * 2)}, "not a graph file saved by grape-gnn"),
    ],
)
def test_wrong_contents(saved, changes, reason):
    rewrite(saved, **changes)
    with pytest.raises(GraphFileError, match=reason):
        read_graph(saved)


def test_in_arcs_must_mirror_out_arcs(saved):
    rewrite(saved, indptr=np.array([0, 1, 1, 1, 1, 1]), indices=np.array([1], np.int32))
    with pytest.raises(GraphFileError, match="the in-arcs are not the out-arcs reversed"):
        read_graph(saved)
    Graph.from_edges([0, 2], [1, 1], directed=True).save(saved)
    rewrite(saved, in_indices=np.array([0, 0], np.int32))
    with pytest.raises(GraphFileError, match="a row is not sorted"):
        read_graph(saved)
    Graph.from_edges([0, 2], [1, 1], directed=True).save(saved)
    rewrite(saved, in_indptr=np.array([0, 2, 2, 2]), in_indices=np.array([1, 2], np.int32))
    with pytest.raises(GraphFileError, match="the in-arcs are not the out-arcs reversed"):
        read_graph(saved)
    Graph.from_edges([0, 2], [1, 1], 4, directed=True).save(saved)  # nobody points at 2 and 3
    rewrite(saved, in_indptr=np.array([0, 0, 2, 2]))
    with pytest.raises(GraphFileError, match="not as many rows of in-arcs as of out-arcs"):
        read_graph(saved)


def test_pickles_are_never_opened(saved):
    rewrite(saved, x=np.array([[os.system]] * 5, dtype=object))
    with pytest.raises(GraphFileError, match="not a plain C-ordered array"):
        read_graph(saved)


def test_compressed_members_are_refused(saved):
    with np.load(saved) as members:
        np.savez_compressed(saved, **members)
    with pytest.raises(GraphFileError, match="is compressed"):
        read_graph(saved)


def test_other_files(tmp_path):
    path = tmp_path / "text.npz"
    path.write_text("no zip")
    with pytest.raises(GraphFileError, match="is not a readable graph file: File is not a zip"):
        read_graph(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hello.txt", "hello")
    with pytest.raises(GraphFileError, match="is not a readable graph file"):
        read_graph(path)


def test_the_name_must_fit(tmp_path, triangle_with_tail):
    with pytest.raises(GraphError, match=r"the name must end in \.npz or \.grape"):
        triangle_with_tail.save(tmp_path / "g.csv")
    with pytest.raises(GrapeError, match=r"the folder .*nowhere does not exist"):
        triangle_with_tail.save(tmp_path / "nowhere" / "g.npz")


def stored(members):
    """Return an archive of the given raw members, with right checksums."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            archive.writestr(f"{name}.npy", data)
    return content.getvalue()


@pytest.mark.parametrize(
    "header",
    [
        f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({10**30},)}}",
        f"{{'descr': '<i8', 'fortran_order': False, 'shape': (0, {10**30})}}",
        f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({2**32}, {2**32})}}",
        "{'descr': '<i8', 'fortran_order': False, 'shape': (-1, -2)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': [('a', '<i8')], 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '(2,)<i8', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<V0', 'fortran_order': False, 'shape': (1,)}",
        "-" * 3000,
        "(" * 3000,
        "[" * 90 + "]" * 90,
    ],
)
def test_headers_of_arrays_that_lie(saved, header):
    with zipfile.ZipFile(saved) as archive:
        members = {n.removesuffix(".npy"): archive.read(n) for n in archive.namelist()}
    text = header.encode() + b"\n"
    members["y"] = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(16)
    saved.write_bytes(stored(members))
    for mapped in (False, True):
        with pytest.raises(GraphFileError, match=r"g\.npz: ") as caught:
            read_graph(saved, mmap=mapped)
        assert "\n" not in str(caught.value)


def test_mapping_checks_what_the_compiled_core_relies_on(saved):
    for changes in (
        {"indices": np.full(8, 9, np.int32)},
        {"indptr": np.array([0, 1, 1, 1, 1, 1]), "indices": np.array([1], np.int32)},
        {"y": np.full(5, 2)},
        {"x": np.zeros((4, 2), np.float32)},
    ):
        content = saved.read_bytes()
        rewrite(saved, **changes)
        with pytest.raises(GraphFileError, match="has damaged contents"):
            read_graph(saved, mmap=True)
        saved.write_bytes(content)


OPENING = """
import re, sys
from pathlib import Path
from grape_gnn.graph import read_graph

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

read_graph(sys.argv[1], mmap=True)  # a small one: the modules are loaded now
before = peak()
graph = read_graph(sys.argv[2], mmap=sys.argv[3] == "mmap")
print(peak() - before, graph.num_nodes)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's own account")
@pytest.mark.parametrize("mode", ["mmap", "plain"])
def test_opening_takes_little_memory(saved, tmp_path, mode):
    rng = np.random.default_rng(0)
    n = 50_000
    src, dst = rng.integers(0, n, (2, 4_000_000))
    keep = np.unique(np.minimum(src, dst) * n + np.maximum(src, dst))
    keep = keep[keep // n != keep % n]
    names = rng.permutation(n) + 7
    x = np.ones((n, 200), np.float32)
    large = tmp_path / "large.npz"
    Graph.from_edges(keep // n, keep % n, n, x=x, y=np.arange(n) % 5, names=names).save(large)
    size = large.stat().st_size
    assert size > 70e6
    command = [sys.executable, "-c", OPENING, str(saved), str(large), mode]
    grown, nodes = map(int, subprocess.check_output(command).split())
    assert nodes == n
    assert grown < (0.2 if mode == "mmap" else 1.25) * size
