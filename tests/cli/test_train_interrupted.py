"""A training that is killed or interrupted goes on to the result it would have had."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from grape_gnn.runs import RunFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")
WORDS = ["train", "planted-roles", "--option", "num_shapes=9", "-t", "edge,triangle", "--seed", 3,
         "--hidden", 8, "--epochs", 200, "--patience", 200, "--threads", 1]  # fmt: skip


def stop_after_a_checkpoint(child, path, with_signal):
    """Send a signal once the first checkpoint is there; return the output."""
    deadline = time.monotonic() + 120
    try:
        while not (path / "checkpoint.safetensors").exists():
            assert child.poll() is None, child.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.005)
        os.kill(child.pid, with_signal)
        return child.communicate(timeout=60)
    finally:
        child.kill()
        child.wait()


def test_killed_and_interrupted_trainings_go_on_to_the_same_result(grape, tmp_path):
    whole, killed, stopped = (tmp_path / name for name in ("whole", "killed", "stopped"))
    grape.output(*WORDS, "--out", whole)

    child = grape.process(*WORDS, "--out", killed)
    stop_after_a_checkpoint(child, killed, signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    message = grape.error("predict", killed)
    assert f"is not finished; go on with grape train --resume {killed}" in message

    child = grape.process(*WORDS, "--out", stopped)
    out, err = stop_after_a_checkpoint(child, stopped, signal.SIGINT)
    assert (child.returncode, out) == (130, "")
    last = err.splitlines()[-1]
    assert last.startswith("interrupted after epoch ")
    assert last.endswith(f"; go on with grape train --resume {stopped}")

    expected = RunFolder.open(whole)
    for path in (killed, stopped):
        assert "since it was resumed" in grape.output("train", "--resume", path)
        run = RunFolder.open(path)
        for name in ("history.json", "model.safetensors", "predictions.csv"):
            assert (path / name).read_bytes() == (whole / name).read_bytes(), name
        timing = {"seconds": 0, "resumed": True}
        assert {**run.metrics, **timing} == {**expected.metrics, **timing}


def test_killed_before_the_first_checkpoint_starts_again(grape, trained, tmp_path):
    import shutil

    copy = shutil.copytree(trained, tmp_path / "copy")
    for file in copy.iterdir():
        if file.name != "config.json":
            file.unlink()
    grape.output("train", "--resume", copy)
    assert (copy / "predictions.csv").read_text() == (trained / "predictions.csv").read_text()


def test_resuming_a_finished_training_only_shows_it(grape, trained):
    before = {file.name: file.stat().st_mtime_ns for file in trained.iterdir()}
    assert "run folder" in grape.output("train", "--resume", trained)
    assert {file.name: file.stat().st_mtime_ns for file in trained.iterdir()} == before


def test_a_full_disk_in_the_middle_keeps_the_last_checkpoint(grape, tmp_path, monkeypatch):
    genuine, calls = Path.write_bytes, []

    def full(path, content):
        calls.append(1)
        if len(calls) > 2:
            raise OSError(28, "No space left on device")
        return genuine(path, content)

    run = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        result = grape.run(*WORDS, "--out", run)
    assert result.exit_code == 2
    last = result.stderr.splitlines()[-1]
    assert "No space left on device" in last
    assert last.endswith(f"go on with grape train --resume {run}")
    grape.output("train", "--resume", run)
    assert RunFolder.open(run).metrics["epochs"] == 200


def test_resuming_what_is_no_run(grape, tmp_path):
    assert "there is no such folder" in grape.error("train", "--resume", tmp_path / "none")
    assert "is not the folder of a training" in grape.error("train", "--resume", tmp_path)


@pytest.mark.parametrize("content", [b"", b"garbage"])
def test_a_damaged_checkpoint(grape, trained, tmp_path, content):
    import shutil

    copy = shutil.copytree(trained, tmp_path / "copy")
    (copy / "checkpoint.safetensors").write_bytes(content)
    message = grape.error("train", "--resume", copy)
    assert "checkpoint.safetensors: is damaged or not a safetensors file" in message
