"""The command line as a whole: help, version, exit codes, signals, pipes, imports."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

import grape_gnn
from grape_gnn.testing import gnp

COMMANDS = (
    "info", "templates", "match", "roles", "plan", "orbits", "train", "predict", "evaluate",
    "compare", "demo",
)  # fmt: skip


def test_version(grape):
    assert grape.output("--version") == f"grape-gnn {grape_gnn.__version__}\n"


def test_help_lists_every_command_and_each_has_an_example(grape):
    words = grape.output("--help")
    for command in COMMANDS:
        assert command in words
        page = grape.output(command, "--help")
        assert f"grape {command} " in page.replace(f"Usage: grape {command}", "")


@pytest.mark.parametrize(
    "words", [("--no-such-flag",), ("info",), ("nonsense",), ("roles", "a.csv")]
)
def test_wrong_usage_is_exit_code_2_without_traceback(grape, words):
    result = grape.run(*words)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "Usage: grape" in result.output or "Usage: root" in result.output


def test_errors_of_a_real_process(grape, tmp_path):
    child = grape.process("info", tmp_path / "missing.csv")
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (2, "")
    assert err == f"error: {tmp_path / 'missing.csv'}: no such file\n"


def test_a_defect_of_ours_is_not_disguised(grape, friends, monkeypatch):
    def broken(graph):
        raise RuntimeError("a defect")

    monkeypatch.setattr("grape_gnn.graph.summary.summarise", broken)
    result = grape.run("info", friends)
    assert isinstance(result.exception, RuntimeError)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_is_exit_code_130(grape, tmp_path):
    gnp(300, 0.5, seed=1).save(tmp_path / "g.npz")
    code = "import grape_gnn.cli; print('ready', flush=True); grape_gnn.cli.main()"
    words = ["match", str(tmp_path / "g.npz"), "-t", "8-cycle", "--time", "60s"]
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(timeout=2)
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=20)
    finally:
        child.kill()
        child.wait()
    assert (child.returncode, out, err) == (130, "", "interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_reader_that_goes_away_is_no_error(grape, options):
    reader, writer = os.pipe()
    os.close(reader)
    main = "from grape_gnn.cli import main; main()"
    try:
        child = subprocess.run(
            [sys.executable, "-c", main, "templates", *options],
            stdout=writer,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        os.close(writer)
    assert child.stderr == b""
    assert child.returncode in (1, 141)


def test_imports_stay_light():
    heavy = ["torch", "networkx", "igraph", "torch_geometric", "pandas", "rich", "scipy.linalg"]
    code = f"import sys, grape_gnn; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
    code = f"import sys, grape_gnn.cli; print([m for m in {heavy[:5]} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
