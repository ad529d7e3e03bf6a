"""``grape reproduce``: listing, running, refusing."""

from __future__ import annotations

import json
import signal
import time

import pytest


def test_the_list_says_what_is_done(grape, tmp_path):
    text = grape.output("reproduce", "--records", tmp_path)
    assert "table1" in text
    assert "Table A1: constant features" in text
    assert "0 of 3" in text  # prop2


def test_a_run_writes_lines_and_the_page(grape, tmp_path):
    pytest.importorskip("torch_geometric")
    words = ["reproduce", "prop2", "--records", tmp_path / "records"]
    text = grape.output(*words, "--document", tmp_path / "results.md")
    assert "prop2: 3 cells to run (quick)" in text
    records = (tmp_path / "records" / "prop2.jsonl").read_text().splitlines()
    assert [json.loads(record)["cell"]["pair"] for record in records] == [
        "hexagon",
        "decalin",
        "rook",
    ]
    assert "3 of 3 cells (3 in the quick profile)" in (tmp_path / "results.md").read_text()
    assert "prop2: 0 cells to run" in grape.output(*words)


def test_cells_of_a_method_that_has_changed_are_run_again(grape, tmp_path):
    pytest.importorskip("torch_geometric")
    words = ["reproduce", "prop2", "--records", tmp_path / "records"]
    grape.output(*words)
    path = tmp_path / "records" / "prop2.jsonl"
    records = [json.loads(record) for record in path.read_text().splitlines()]
    records[1]["fingerprint"]["methods"]["grape"]["preset"]["values"] = "of another day"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert "2 of 3" in grape.output("reproduce", "--records", tmp_path / "records")
    text = grape.output(*words)
    assert "1 cell to run (quick), 1 of them again: their method or settings have changed" in text
    assert "decalin" in text
    assert "prop2: 0 cells to run" in grape.output(*words)


def test_refusals(grape, tmp_path):
    assert "no experiment is called 'fig3'; did you mean fig3" in grape.error("reproduce", "fig3")
    assert "unknown profile 'slow': choose one of quick, standard, paper" in grape.error(
        "reproduce", "table1", "--profile", "slow"
    )
    assert "has the dataset 'corra'; known are cora" in grape.error(
        "reproduce", "table1", "--datasets", "corra"
    )


def test_a_failed_cell_is_reported_and_the_exit_code_says_so(grape, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("GRAPE_DATA", str(tmp_path / "empty"))
    monkeypatch.setenv("GRAPE_DATA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ["--datasets", "cora", "--methods", "mlp", "--records", tmp_path / "records"]
    result = grape.run("reproduce", "table1", *words)
    assert result.exit_code == 2
    assert "failed: cora mlp:" in result.stderr
    assert "1 of the cells failed" in result.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_side_by_side_leaves_nothing_behind(grape, tmp_path, number):
    words = ["reproduce", "prop2", "--jobs", "2", "--records", tmp_path / "records"]
    process = grape.process(*words)
    assert process.stdout.readline() == "prop2: 3 cells to run (quick)\n"
    time.sleep(0.5)  # two processes are about to start
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in error
    assert error.splitlines()[-1] == "interrupted; the same command goes on"
