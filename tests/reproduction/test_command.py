"""``python -m reproduction``: listing, running, refusing."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reproduction.__main__ import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(capsys):
    """Give a function that runs the command and returns its exit code, output and errors."""

    def command(*words):
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return command


def test_the_list_says_what_is_done(run, tmp_path):
    code, text, _ = run("--records", tmp_path)
    assert code == 0
    assert "table1" in text
    assert "Table A1: constant features" in text
    assert "0 of 3" in text  # prop2


def test_the_page_is_what_the_records_say(run, tmp_path):
    code, _, errors = run("--document", tmp_path / "results.md")
    assert code == 0, errors
    for path in (tmp_path / "results.md", *(tmp_path / "images" / "results").iterdir()):
        kept = ROOT / "docs" / path.relative_to(tmp_path)
        assert path.read_text() == kept.read_text(), f"run make results: {kept} is out of date"


def test_a_run_writes_records_and_the_page(run, tmp_path):
    pytest.importorskip("torch_geometric")
    words = ["prop2", "--records", tmp_path / "records"]
    code, text, _ = run(*words, "--document", tmp_path / "results.md")
    assert code == 0
    assert "prop2: 3 cells to run (quick)" in text
    lines = (tmp_path / "records" / "prop2.jsonl").read_text().splitlines()
    assert [json.loads(line)["cell"]["pair"] for line in lines] == ["hexagon", "decalin", "rook"]
    assert "3 of 3 cells (3 in the quick profile)" in (tmp_path / "results.md").read_text()
    assert "prop2: 0 cells to run" in run(*words)[1]


def test_cells_of_a_method_that_has_changed_are_run_again(run, tmp_path):
    pytest.importorskip("torch_geometric")
    words = ["prop2", "--records", tmp_path / "records"]
    run(*words)
    path = tmp_path / "records" / "prop2.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[1]["fingerprint"]["methods"]["grape"]["preset"]["values"] = "of another day"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert "2 of 3" in run(*words[1:])[1]
    text = run(*words)[1]
    assert "1 cell to run (quick), 1 of them again: their method or settings have changed" in text
    assert "decalin" in text
    assert "prop2: 0 cells to run" in run(*words)[1]


def test_refusals(run):
    code, _, error = run("fig3")
    assert code == 2
    assert error.startswith("error: no experiment is called 'fig3'; did you mean fig3")
    code, _, error = run("table1", "--datasets", "corra")
    assert code == 2
    assert "has the dataset 'corra'; known are cora" in error


def test_a_failed_cell_is_reported_and_the_exit_code_says_so(run, tmp_path, monkeypatch):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("GRAPE_DATA", str(tmp_path / "empty"))
    monkeypatch.setenv("GRAPE_DATA_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words = ["--datasets", "cora", "--methods", "mlp", "--records", tmp_path / "records"]
    code, _, error = run("table1", *words)
    assert code == 2
    assert "failed: cora mlp:" in error
    assert "1 of the cells failed" in error


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_side_by_side_leaves_nothing_behind(tmp_path, number):
    words = ["prop2", "--jobs", "2", "--records", str(tmp_path / "records")]
    process = subprocess.Popen(
        [sys.executable, "-m", "reproduction", *words],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "prop2: 3 cells to run (quick)\n"
    time.sleep(0.5)  # two processes are about to start
    process.send_signal(number)
    _, error = process.communicate(timeout=60)
    # Python ends by the signal itself if the interrupt came while it ran text (`exec`).
    assert process.returncode in (130, -signal.SIGINT), error
    assert "Traceback" not in error
    assert error.splitlines()[-1] == "interrupted; the same command goes on"
