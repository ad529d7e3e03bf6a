"""Matching and products in parts: equal to those of one machine, and nothing is ever lost."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import grape_gnn as grape
from grape_gnn.cluster import PartsFolder, match_parts, precompute_parts
from grape_gnn.cluster import match as cluster_match
from grape_gnn.errors import (
    GrapeWarning,
    GraphFileError,
    MatchError,
    ProductsFileError,
    RolesFileError,
    WorkersError,
)
from grape_gnn.products import ProductFolder
from grape_gnn.testing import gnp

TEMPLATES = "triangle,3-path,tailed-triangle"


@pytest.fixture
def place(tmp_path):
    """Give a folder with a graph on disk, ``g.grape``."""
    graph = gnp(60, 0.12, seed=3)
    named = grape.Graph.from_edges(
        *graph.edge_array().T,
        60,
        x=np.arange(300.0).reshape(60, 5),
        names=[f"n{k}" for k in range(60)],
    )
    named.save(tmp_path / "g.grape")
    return tmp_path


def sorted_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Put a table of roles into one order, whatever its parts."""
    plain = frame.astype({"template": str, "ego": str, "member": str, "role": int, "count": int})
    return plain.sort_values(list(plain.columns)).reset_index(drop=True)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("induced", [False, True])
def test_parts_together_are_the_roles(place, jobs, induced):
    found = match_parts(
        place / "g.grape", TEMPLATES, place / "roles", parts=7, jobs=jobs, induced=induced
    )
    assert len(found.blocks) == 7
    whole = grape.match(grape.read_graph(place / "g.grape"), TEMPLATES, induced=induced)
    table = pd.read_parquet(place / "roles" / "parts")
    pd.testing.assert_frame_equal(sorted_table(table), sorted_table(whole.to_pandas()))
    listed = json.loads((place / "roles" / "manifest.json").read_text())["parts"]
    assert [tuple(part["egos"]) for part in listed] == found.blocks


@pytest.mark.parametrize("engine", ["auto", "algebra", "enumerate"])
@pytest.mark.parametrize("weighting", ["count", "set"])
def test_totals(place, weighting, engine):
    how = {"weighting": weighting, "engine": engine}
    found = match_parts(place / "g.grape", TEMPLATES, place / "t", what="totals", parts=5, **how)
    whole = grape.match(grape.read_graph(place / "g.grape"), TEMPLATES, **how)
    expected = [c for r in whole for c in (r.totals, *(np.asarray(o.row_sums()) for o in r[1:]))]
    np.testing.assert_array_equal(found.totals(), np.stack(expected, axis=1))
    assert len(found.columns) == len(expected)


def test_products(place):
    found = precompute_parts(place / "g.grape", "social", place / "p", parts=3)
    expected = grape.precompute(grape.read_graph(place / "g.grape"), "social")
    everybody = np.arange(60)
    logs, hops = found.rows(everybody)
    same_logs, same_hops = expected.rows(everybody)
    np.testing.assert_array_equal(logs, same_logs)
    for one, other in zip(hops, same_hops, strict=True):
        # Rounded in single precision, after sums whose order depends on the columns at once.
        np.testing.assert_allclose(one, other, rtol=1e-6)
    # It is the folder of `precompute`, which finds nothing left to do.
    again = grape.precompute(grape.read_graph(place / "g.grape"), "social", place / "p")
    np.testing.assert_array_equal(again.rows(everybody)[0], logs)


def test_only_what_is_missing_is_done_again(place, monkeypatch):
    found = match_parts(place / "g.grape", "triangle", place / "r", parts=4, format="csv")
    before = {file: file.stat().st_mtime_ns for file in (place / "r" / "parts").iterdir()}
    lost = found.part_path(found.blocks[2])
    content = lost.read_bytes()
    lost.unlink()
    match_parts(place / "g.grape", "triangle", place / "r", parts=4, format="csv")
    assert lost.read_bytes() == content
    for file, time in before.items():
        assert (file.stat().st_mtime_ns == time) == (file != lost)


def test_a_full_disk_is_one_line_and_the_rest_is_kept(place, monkeypatch):
    write = cluster_match.write_table

    def full(matches, path):
        if Path(path).name.startswith("roles-0-"):
            raise OSError(28, "No space left on device", str(path))
        return write(matches, path)

    monkeypatch.setattr(cluster_match, "write_table", full)
    with pytest.raises(
        WorkersError, match=r"1 of 4 parts failed.*No space left on device; mend "
    ) as e:
        match_parts(place / "g.grape", "triangle", place / "r", parts=4, format="csv")
    assert "\n" not in str(e.value)
    assert len(PartsFolder.open(place / "r").missing) == 1
    assert not (place / "r" / "manifest.json").exists()
    monkeypatch.setattr(cluster_match, "write_table", write)
    assert not match_parts(
        place / "g.grape", "triangle", place / "r", parts=4, format="csv"
    ).missing


def test_a_changed_graph_and_a_stale_folder(place):
    match_parts(place / "g.grape", "triangle", place / "r", what="totals")
    for options, complaint in (
        ({"templates": "4-clique"}, "the templates are others"),
        ({"induced": True}, "induced and non-induced are not the same"),
        ({"what": "roles"}, "roles and totals are not the same"),
        ({"parts": 3}, "the blocks of egos are others"),
    ):
        given = {"templates": "triangle", "what": "totals", **options}
        with pytest.raises(RolesFileError, match=complaint):
            match_parts(place / "g.grape", out=place / "r", **given)
    gnp(60, 0.12, seed=4).save(place / "g.grape")
    with pytest.raises(RolesFileError, match="the graph is another one, or has changed; choose"):
        match_parts(place / "g.grape", "triangle", place / "r", what="totals")


def test_a_worker_with_another_graph_or_version(place, monkeypatch):
    shutil.copytree(place / "g.grape", place / "copy.grape")
    task = cluster_match.Task(
        cluster_match.SharedGraph(str(place / "copy.grape"), "another"), "r", None, "auto"
    )
    assert "is another graph than where the work began" in cluster_match.match_block(task, (0, 1))
    old = cluster_match.SharedGraph(str(place / "g.grape"), "another", "0.0.1")
    said = cluster_match.match_block(cluster_match.Task(old, "r", None, "auto"), (0, 1))
    assert "this worker has grape-gnn" in said
    assert "0.0.1 is asked for: install the same version everywhere" in said


def test_what_workers_cannot_map(place, tmp_path):
    (tmp_path / "e.csv").write_text("0 1\n")
    with pytest.raises(GraphFileError, match="workers map a graph on disk: make one with `grape"):
        match_parts(tmp_path / "e.csv", "triangle", tmp_path / "r")
    with pytest.raises(MatchError, match="engine='esu'"):
        match_parts(place / "g.grape", "triangle", place / "r", engine="esu")
    with pytest.raises(MatchError, match="what='all'"):
        match_parts(place / "g.grape", "triangle", place / "r", what="all")
    with pytest.raises(WorkersError, match=r"backend='dask' needs scheduler='tcp"):
        match_parts(place / "g.grape", "triangle", place / "r", backend="dask")


def test_damaged_and_missing_parts(place):
    found = match_parts(place / "g.grape", "triangle", place / "t", what="totals", parts=3)
    file = found.part_path(found.blocks[1])
    file.write_bytes(file.read_bytes()[:-8])
    with pytest.raises(RolesFileError, match=r"totals-.*npy: is damaged, or .* --parts` again,"):
        found.totals()
    file.unlink()
    with pytest.raises(RolesFileError, match="lacks 1 of its 3 parts: run the same again"):
        found.totals()


@pytest.mark.parametrize("damage", [lambda content: content[:-8], lambda content: content[::-1]])
@pytest.mark.parametrize("how", [{"what": "totals"}, {"format": "csv"}, {"format": "parquet"}])
def test_a_damaged_part_is_made_again(place, damage, how):
    found = match_parts(place / "g.grape", "triangle", place / "r", parts=3, **how)
    before = {file: file.stat().st_mtime_ns for file in (place / "r" / "parts").iterdir()}
    file = found.part_path(found.blocks[1])
    content = file.read_bytes()
    file.write_bytes(damage(content))
    with pytest.raises(RolesFileError, match=f"{file.name}: is damaged, or was changed after"):
        found.check()
    with pytest.warns(GrapeWarning, match=f"{file.name}: damaged, or changed .*: made again$"):
        match_parts(place / "g.grape", "triangle", place / "r", parts=3, **how)
    found.check()
    assert file.read_bytes() == content
    for each, time in before.items():
        assert (each.stat().st_mtime_ns == time) == (each != file)


def test_the_manifest_has_sizes_and_checksums(place):
    found = match_parts(place / "g.grape", "triangle", place / "r", parts=3, format="csv")
    for part in json.loads((place / "r" / "manifest.json").read_text())["parts"]:
        content = (found.path / "parts" / part["file"]).read_bytes()
        assert part["bytes"] == len(content)
        assert part["sha256"] == hashlib.sha256(content).hexdigest()


def test_a_damaged_product_is_made_again(place):
    found = precompute_parts(place / "g.grape", "social", place / "p", parts=3)
    everybody = np.arange(60)
    whole = found.rows(everybody)[1][0].copy()
    file = place / "p" / "hop1-0-2.npy"
    content = file.read_bytes()
    file.write_bytes(content[:-4] + b"abcd")
    with pytest.raises(ProductsFileError, match=r"hop1-0-2\.npy: is damaged, or was changed after"):
        ProductFolder.open(place / "p").products()
    with pytest.warns(GrapeWarning, match=r"hop1-0-2\.npy: damaged, .*: made again$"):
        again = precompute_parts(place / "g.grape", "social", place / "p", parts=3)
    np.testing.assert_array_equal(again.rows(everybody)[1][0], whole)
    assert file.read_bytes() == content


# ------------------------------------------------------------------ the command, and Dask's frames


def test_the_command(place, capsys):
    from typer.testing import CliRunner

    from grape_gnn.cli import app

    words = ["match", str(place / "g.grape"), "-t", "triangle", "--parts", "3"]
    result = CliRunner().invoke(app, [*words, "--totals", "--out", str(place / "t")])
    assert result.exit_code == 0, result.output
    assert "written: 3 parts in" in result.stdout
    whole = grape.match(grape.read_graph(place / "g.grape"), "triangle")
    assert PartsFolder.open(place / "t").totals()[:, 0].tolist() == whole[0].totals.tolist()
    for wrong, complaint in (
        (words, "--parts needs a folder for the parts: add --out FOLDER"),
        ([*words[:4], "--totals"], "are for matching in parts: add --parts 64"),
        (
            [*words, "--out", str(place / "t"), "--time", "3s"],
            "--time is not for matching in parts",
        ),
        ([*words, "--out", str(place / "t"), "--engine", "esu"], "--engine esu is unknown"),
        ([*words, "--out", str(place / "t"), "--induced"], "holds parts of another matching"),
    ):
        result = CliRunner().invoke(app, wrong)
        assert result.exit_code == 2
        assert complaint in " ".join(result.stderr.split())


def test_data_frames_of_dask(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    edges = pd.DataFrame({"source": ["a", "b", "c", "c"], "target": ["b", "c", "a", "d"]})
    people = pd.DataFrame({"name": list("abcd"), "age": [3, 4, 5, 6], "team": list("xyxy")})
    frames = dd.from_pandas(edges, npartitions=3), dd.from_pandas(people, npartitions=2)
    found = grape.Graph.from_dask(frames[0], tmp_path / "g.grape", nodes=frames[1], label="team")
    expected = grape.Graph.from_pandas(edges, people, label="team")
    assert list(found.names) == list(expected.names)
    np.testing.assert_array_equal(found.indices, expected.indices)
    np.testing.assert_array_equal(found.y, expected.y)
    assert [file.name for file in tmp_path.iterdir()] == ["g.grape"]
    with pytest.raises(grape.GrapeError, match="expected a Dask data frame, got DataFrame"):
        grape.Graph.from_dask(edges, tmp_path / "h.grape")
    wanted = "^the data frame of edges: a table of edges needs two columns"
    with pytest.raises(grape.GrapeError, match=wanted):
        grape.Graph.from_dask(frames[0][["source"]], tmp_path / "h.grape")
    assert not list(tmp_path.glob("*h.grape*"))
    with pytest.raises(GraphFileError, match=r"g\.grape: is there already: choose another"):
        grape.Graph.from_dask(frames[0], tmp_path / "g.grape")


def test_a_first_partition_of_dask_without_rows(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    edges = pd.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"]})
    frame = dd.from_pandas(edges, npartitions=3)
    found = grape.Graph.from_dask(frame[frame["source"] != "a"], tmp_path / "g.grape")
    assert list(found.names) == ["b", "c", "a"]


KILLED = """
import os, sys
import dask.dataframe as dd
import pandas as pd
import grape_gnn as grape
from grape_gnn.files.sealed_folder import SealedFolder
from grape_gnn.graph.streaming.workspace import Workspace

def edges(number):
    with open(sys.argv[1] + "/computed", "a") as file:
        print(number, file=file)
    return pd.DataFrame({"source": [f"n{k}" for k in range(number, 40)], "target": f"n{number}"})

def dying(method, wanted):
    def write(self, what, *rest, **facts):
        method(self, what, *rest, **facts)
        if getattr(what, "name", what) == wanted:
            os.kill(os.getpid(), 9)
    return write

SealedFolder.seal = dying(SealedFolder.seal, sys.argv[2])
Workspace.note = dying(Workspace.note, sys.argv[2])
meta = pd.DataFrame({"source": pd.Series(dtype=str), "target": pd.Series(dtype=str)})
frame = dd.from_map(edges, range(int(sys.argv[3])), meta=meta)
grape.Graph.from_dask(frame, sys.argv[1] + "/g.grape", source="source", target="target")
"""


@pytest.mark.filterwarnings("ignore::grape_gnn.GrapeWarning")
def test_a_killed_conversion_of_dask_frames_goes_on(tmp_path):
    pytest.importorskip("dask.dataframe")
    (tmp_path / "script.py").write_text(KILLED)

    def run(die_after: str, partitions: int = 4) -> tuple[int, list[int]]:
        (tmp_path / "computed").write_text("")
        command = [sys.executable, str(tmp_path / "script.py"), str(tmp_path), die_after]
        ended = subprocess.run([*command, str(partitions)], capture_output=True, check=False)
        computed = (tmp_path / "computed").read_text().split()
        assert ended.returncode in (0, -9), ended.stderr.decode()
        return ended.returncode, [int(each) for each in computed]

    assert run("edges-1.parquet") == (-9, [0, 1])
    assert run("edges.parquet") == (-9, [2, 3])
    assert run("nodes") == (-9, [])
    part = tmp_path / "g.grape.part"
    assert part.exists()
    assert run("never") == (0, [])
    found = grape.read_graph(tmp_path / "g.grape")
    expected = [(a, b) for b in range(4) for a in range(b + 1, 40)]
    assert found.num_edges == len({frozenset(pair) for pair in expected})
    names = {file.name for file in tmp_path.iterdir()}
    assert names == {"script.py", "computed", "g.grape"}
    # Other frames begin anew, and leave nothing of the first.
    shutil.rmtree(tmp_path / "g.grape")
    assert run("edges-1.parquet") == (-9, [0, 1])
    assert run("never", partitions=3) == (0, [0, 1, 2])
    assert {file.name for file in tmp_path.iterdir()} == names


def test_a_wrong_option_throws_no_computed_frames_away(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    frame = dd.from_pandas(pd.DataFrame({"source": [0, 1], "target": [1, 2]}), npartitions=2)
    with pytest.raises(grape.GrapeError, match=r"memory='1KB' .*g\.grape\.frames holds the frames"):
        grape.Graph.from_dask(frame, tmp_path / "g.grape", memory="1KB")
    assert (tmp_path / "g.grape.frames" / "edges.parquet").exists()
    assert grape.Graph.from_dask(frame, tmp_path / "g.grape").num_edges == 2
    assert [file.name for file in tmp_path.iterdir()] == ["g.grape"]
