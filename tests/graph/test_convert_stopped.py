"""Conversions that are stopped, killed, short of disk or of memory, or run twice at once."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from grape_gnn.errors import GrapeError, GrapeWarning, GraphFileError
from grape_gnn.graph import convert, read_graph


def test_changed_files_and_options_are_refused(tmp_path, monkeypatch):
    edges = tmp_path / "e.csv"
    edges.write_text("0 1\n1 0\n")
    with pytest.raises(GraphFileError, match="1 repeated edge "):
        convert(edges, tmp_path / "g.grape", strict=True)
    with pytest.raises(GraphFileError, match=r"begun with directed None, now True: remove .*part"):
        convert(edges, tmp_path / "g.grape", directed=True)
    edges.write_text("0 1\n1 2\n")
    with pytest.raises(GraphFileError, match=r"e\.csv: has changed since its conversion began: "):
        convert(edges, tmp_path / "g.grape")


def test_a_file_that_cannot_be_read_at_all_leaves_nothing_behind(tmp_path):
    pyarrow.parquet.write_table(pa.table({"only": [1, 2]}), tmp_path / "e.parquet")
    with pytest.raises(GraphFileError, match="needs two columns for their ends; it has"):
        convert(tmp_path / "e.parquet", tmp_path / "g.grape")
    assert [file.name for file in tmp_path.iterdir()] == ["e.parquet"]
    pyarrow.parquet.write_table(pa.table({"source": [1], "target": [2]}), tmp_path / "e.parquet")
    assert convert(tmp_path / "e.parquet", tmp_path / "g.grape").num_edges == 1


KILLED = """
import os, sys
from grape_gnn.graph import convert
from grape_gnn.graph.streaming import reading, sorted_rows
from grape_gnn.graph.streaming.workspace import Workspace
reading.EDGE_BYTES, sorted_rows.ARC_BYTES = 1_500, 800
note = Workspace.note
def count(self, step, **facts):
    note(self, step, **facts)
    if step == sys.argv[3]:
        os.kill(os.getpid(), 9)
Workspace.note = count
convert(sys.argv[1], sys.argv[2], memory="10MB")
"""


@pytest.mark.parametrize("step", ["read", "numbers", "buckets_0", "rows_0"])
def test_a_killed_process_loses_nothing(tmp_path, assert_same, step):
    rng = np.random.default_rng(1)
    table = pa.table(
        {"source": rng.integers(0, 999, 20_000), "target": rng.integers(0, 99, 20_000)}
    )
    pyarrow.parquet.write_table(table, tmp_path / "e.parquet")
    command = [sys.executable, "-c", KILLED, str(tmp_path / "e.parquet"), str(tmp_path / "g.grape")]
    rounds = 0
    while not (tmp_path / "g.grape").exists():
        ended = subprocess.run([*command, step], capture_output=True, check=False)
        assert ended.returncode in (0, -9), ended.stderr.decode()
        rounds += 1
    assert rounds > 3
    with pytest.warns(GrapeWarning):
        assert_same(read_graph(tmp_path / "g.grape"), read_graph(tmp_path / "e.parquet"))


KILLED_WHILE_READING = """
import os, sys
from grape_gnn.graph import convert
from grape_gnn.graph.streaming import reading
from grape_gnn.graph.streaming.workspace import Workspace
reading.EDGE_BYTES = 100_000
note = Workspace.note
def count(self, step, **facts):
    note(self, step, **facts)
    if step == "read" and "chunks" not in facts:
        os.kill(os.getpid(), 9)
Workspace.note = count
convert(sys.argv[1], sys.argv[2], memory="10MB")
"""


@pytest.fixture
def killed(tmp_path):
    """Give a folder of four parts, and a function that converts one more chunk of it."""
    ends = np.random.default_rng(1).integers(0, 99, (2, 400))
    folder = tmp_path / "edges.parquet"
    folder.mkdir()
    table = pa.table({"source": ends[0], "target": ends[1]})
    for k in range(4):
        pyarrow.parquet.write_table(table[100 * k :][:100], folder / f"part-{k}.parquet")
    command = [sys.executable, "-c", KILLED_WHILE_READING, str(folder), str(tmp_path / "g.grape")]

    def run() -> int:
        return subprocess.run(command, capture_output=True, check=False).returncode

    return folder, run


def test_killed_between_parts_it_goes_on(tmp_path, killed, assert_same):
    folder, run = killed
    rounds = 0
    while (code := run()) != 0:
        assert code == -9
        rounds += 1
    assert rounds == 4
    with pytest.warns(GrapeWarning):
        assert_same(read_graph(tmp_path / "g.grape"), read_graph(folder))


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (
            lambda f: os.utime(f / "part-2.parquet", ns=(1, 1)),
            r"part-2\.parquet: has changed since",
        ),
        (
            lambda f: (f / "part-2.parquet").unlink(),
            r"begun with .*part-2\.parquet as well: remove",
        ),
        (
            lambda f: shutil.copy(f / "part-2.parquet", f / "part-4.parquet"),
            r"begun with other files than .*part-4\.parquet: remove .*g\.grape\.part to begin anew",
        ),
    ],
)
def test_a_change_of_any_part_is_noticed(tmp_path, killed, change, complaint):
    folder, run = killed
    assert run() == -9
    change(folder)
    with pytest.raises(GraphFileError, match=complaint):
        convert(folder, tmp_path / "g.grape")


FULL = """
import resource, signal, sys
from grape_gnn.errors import GraphFileError
from grape_gnn.graph import convert
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
try:
    convert(sys.argv[1], sys.argv[2], memory="100MB")
except GraphFileError as error:
    print(error)
"""


def test_a_full_disk_is_one_line_and_the_work_goes_on(tmp_path, assert_same):
    rng = np.random.default_rng(1)
    ends = rng.permutation(60_000).reshape(-1, 2)
    np.savetxt(tmp_path / "e.csv", ends, "%d", ",")
    for limit in (100_000, 300_000, 450_000):
        command = [sys.executable, "-c", FULL, str(tmp_path / "e.csv"), str(tmp_path / "g.grape")]
        said = subprocess.check_output([*command, str(limit)], text=True)
        assert re.search(r"g\.grape: cannot be written: File too large; the conversion needs", said)
        assert "run the same again, and it goes on where it stopped" in said
        assert len(said.splitlines()) == 1
    assert_same(convert(tmp_path / "e.csv", tmp_path / "g.grape"), read_graph(tmp_path / "e.csv"))


MEMORY = """
import re, sys
from pathlib import Path
import pyarrow.parquet
from grape_gnn.graph import convert

def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])

convert(sys.argv[1], sys.argv[2] + "small.grape", memory=sys.argv[4])
before = peak()
graph = convert(sys.argv[3], sys.argv[2] + "large.grape", memory=sys.argv[4])
print(peak() - before, graph.num_edges)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads Linux's own account")
@pytest.mark.parametrize(("texts", "parts"), [(False, 1), (True, 1), (False, 5)])
def test_memory_stays_within_the_bound(tmp_path, texts, parts):
    rng = np.random.default_rng(1)
    rows = 400_000 if texts else 2_000_000
    ends = rng.integers(0, rows, (2, rows))
    for name, count in (("small", 100), ("large", rows)):
        columns = [
            pa.array([f"node{k}" for k in side[:count]]) if texts else pa.array(side[:count])
            for side in ends
        ]
        table = pa.table(columns, ["source", "target"])
        path, size = tmp_path / f"{name}.parquet", count // parts
        if parts > 1:
            path.mkdir()
        for k in range(parts):
            part = path / f"{k}.parquet" if parts > 1 else path
            pyarrow.parquet.write_table(table[k * size :][:size], part, row_group_size=100_000)
    files = [str(tmp_path / "small.parquet"), f"{tmp_path}/", str(tmp_path / "large.parquet")]
    command = [sys.executable, "-W", "ignore", "-c", MEMORY, *files, "60MB"]
    grown, edges = map(int, subprocess.check_output(command).split())
    assert edges > 0.99 * rows
    # In memory the edges alone take 16 bytes each, and names several times that.
    assert grown < 120e6


def test_ctrl_c_while_another_converts(tmp_path):
    (tmp_path / "e.csv").write_text("0 1\n1 0\n")
    with pytest.raises(GraphFileError, match="repeated"):
        convert(tmp_path / "e.csv", tmp_path / "g.grape", strict=True)
    from grape_gnn.files import FolderLock

    lock = FolderLock(tmp_path / "g.grape.part")
    lock.acquire()
    with pytest.raises(GrapeError, match="is being written by process"):
        convert(tmp_path / "e.csv", tmp_path / "g.grape")
    lock.release()
