"""Reports reach whoever listens, and nobody else."""

from __future__ import annotations

import gzip
import io

from rich.console import Console

import grape_gnn as grape
from grape_gnn.datasets.source import find_source
from grape_gnn.progress import listening, progress_bar, report, reporter
from grape_gnn.runs.training import train_run

SHORT = {"epochs": 2, "hidden": 4}


def heard(action):
    steps = []
    with listening(lambda *words: steps.append(words)):
        action()
    return steps


def test_reading_tells_how_far_it_is(tmp_path):
    lines = b"".join(b"%d,%d\n" % (k, k + 1) for k in range(300_000))
    plain, packed = tmp_path / "edges.csv", tmp_path / "edges.csv.gz"
    plain.write_bytes(lines)
    packed.write_bytes(gzip.compress(lines, 1))
    for path in (plain, packed):
        steps = heard(lambda path=path: grape.read_graph(path))
        reading = [(done, total) for step, done, total in steps if step == f"reading {path.name}"]
        assert len(reading) >= 3
        assert reading == sorted(reading)
        assert reading[-1][0] == reading[-1][1] == path.stat().st_size


def test_matching_and_writing_out_are_heard():
    graph = grape.datasets.load("social-like", num_nodes=60)
    steps = heard(lambda: grape.match(graph, "3-path,triangle", engine="algebra").materialised())
    assert ("matching", 120, 120) in steps
    assert ("writing out role 1 of triangle", 0, None) in steps


def test_without_a_listener_nothing_happens():
    report("reading", 1, 2)
    assert reporter("reading") is None
    assert heard(lambda: None) == []


def test_a_bar_inside_a_bar_is_the_same_bar():
    screen = Console(file=io.StringIO(), force_terminal=True, width=80)
    with progress_bar("outside", screen) as outer, progress_bar("inside") as inner:
        outer(1, 4)
        inner(3, 4)
        screen.print("a remark")
    shown = screen.file.getvalue()
    assert "inside" in shown
    assert "75%" in shown
    # The remark has a line of its own: what stood there was erased first.
    assert "\x1b[2Ka remark" in shown.replace("\r", "")


def test_training_tells_what_comes_before_the_epochs_and_after(tmp_path):
    source = find_source("planted-roles", {"num_shapes": 9})
    steps = [step for step, _, _ in heard(lambda: train_run(tmp_path / "run", source, SHORT))]
    assert list(dict.fromkeys(steps)) == [
        "matching", "first epoch", "scoring", "writing the run folder",
    ]  # fmt: skip
