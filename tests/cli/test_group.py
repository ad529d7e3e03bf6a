"""The command line as a whole: help, version, exit codes, signals, pipes, imports."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import grape_gnn
from grape_gnn.testing import gnp

COMMANDS = (
    "info", "convert", "templates", "match", "roles", "plan", "orbits", "differ", "separate",
    "colours", "links", "train", "predict", "evaluate", "compare", "demo",
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
    ("words", "line"),
    [
        (
            ("--vershion",),
            "grape has no option --vershion: did you mean --version? (see grape --help)",
        ),
        (("info",), "missing argument 'GRAPH' (see grape info --help)"),
        (("infoo",), "no such command 'infoo'. Did you mean 'info'? (see grape --help)"),
        (("roles", "a.csv"), "missing option '--template' / '-t' (see grape roles --help)"),
        (
            ("info", "a.csv", "--nodess", "b.csv"),
            "grape info has no option --nodess: did you mean --nodes? (see grape info --help)",
        ),
        (("info", "a.csv", "--xyzzy"), "grape info has no option --xyzzy (see grape info --help)"),
        (
            ("templates", "--svg"),
            "option '--svg' requires an argument (see grape templates --help)",
        ),
        (
            ("info", "a.csv", "b.csv"),
            "got unexpected extra argument(s) (b.csv) (see grape info --help)",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(grape, words, line):
    result = grape.run(*words)
    assert result.exit_code == 2
    assert result.output == f"error: {line}\n"


def test_a_wrong_value_names_its_option(grape):
    result = grape.run("train", "a.csv", "--epochs", "many")
    assert result.exit_code == 2
    assert result.output.startswith("error: invalid value for '--epochs': ")
    assert result.output.count("\n") == 1


def test_no_words_at_all_get_the_help(grape):
    assert "Usage: grape" in grape.run().output


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


@pytest.mark.skipif(sys.platform != "linux", reason="reads the processor time of a process")
def test_ctrl_c_does_not_wait_until_torch_is_taken_down(tmp_path):
    gnp(2000, 0.01, seed=1).save(tmp_path / "g.npz")
    words = [sys.executable, "-c", "from grape_command import main; main()"]
    child = subprocess.Popen(
        [*words, "links", str(tmp_path / "g.npz"), "--evaluate", "--splits", "99"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        text=True,
    )

    def used() -> float:
        fields = Path(f"/proc/{child.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    try:
        maps = Path(f"/proc/{child.pid}/maps")
        while "libtorch_cpu" not in maps.read_text():
            time.sleep(0.05)
        time.sleep(3)
        before = used()
        os.kill(child.pid, signal.SIGINT)
        _, status, usage = os.wait4(child.pid, 0)
    finally:
        with suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
        assert child.stderr is not None
        err = child.stderr.read()
        child.stderr.close()
        child.returncode = 130  # it was waited for above
    assert (os.waitstatus_to_exitcode(status), err.splitlines()[-1]) == (130, "interrupted")
    # The promise is 0.2 s; torch alone would take half a second.
    assert usage.ru_utime + usage.ru_stime - before < 0.4


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


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("module", ["numpy", "typer", "torch"])
def test_ctrl_c_while_the_command_is_starting(tmp_path, module):
    code = f"""
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            print("ready", flush=True)
            time.sleep(60)
sys.meta_path.insert(0, Slow())
from grape_command import main
main()
"""
    words = ["train", "planted-roles", "--epochs", "1", "-o", str(tmp_path / "run")]
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        os.kill(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=20)
    finally:
        child.kill()
        child.wait()
    assert (child.returncode, out, err) == (130, "", "interrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_inside_a_destructor_is_not_lost():
    # Python ignores exceptions there; the command must end all the same.
    code = """
import os, signal, time
from grape_gnn.cli import app, main
class Gone:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
@app.command()
def work():
    Gone()
    time.sleep(60)
main()
"""
    child = subprocess.run(
        [sys.executable, "-c", code, "work"],
        capture_output=True,
        text=True,
        timeout=40,
        check=False,
    )
    assert (child.returncode, child.stdout, child.stderr) == (130, "", "interrupted\n")


def test_the_installed_command_begins_where_ctrl_c_is_known():
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert 'grape = "grape_command:main"' in project.read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="has no full device")
@pytest.mark.parametrize("words", [("templates", "--json"), ("templates",), ("match", "--help")])
def test_output_that_cannot_be_written(words):
    with Path("/dev/full").open("w") as full:
        child = subprocess.run(
            [sys.executable, "-c", "from grape_gnn.cli import main; main()", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert child.stderr == "error: cannot write the output: No space left on device\n"
    assert child.returncode == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes it")
def test_closed_output_is_no_error():
    line = '"$0" -c "from grape_gnn.cli import main; main()" templates --json >&-'
    child = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, timeout=60, check=False
    )
    assert (child.returncode, child.stderr) == (0, b"")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="takes root's rights away")
def test_a_read_only_folder_is_one_line(trained, friends, tmp_path):
    run = shutil.copytree(trained, tmp_path / "run")
    for file in run.iterdir():
        if file.name != "config.json":
            file.unlink()
    locked = tmp_path / "locked"
    locked.mkdir()
    run.chmod(0o555)
    locked.chmod(0o555)
    code = "from grape_gnn.cli import main; main()"
    for words, message in (
        (("match", friends, "-t", "edge", "-o", locked / "r.npz"), "is read-only"),
        (("predict", trained, "-o", locked / "p.csv"), "is read-only"),
        (("templates", "--svg", locked / "t.svg"), "is read-only"),
        (("train", "planted-roles", "--epochs", 1, "-o", locked / "run"), "Permission denied"),
        (("train", "--resume", run), "Permission denied"),
    ):
        child = subprocess.run(
            [sys.executable, "-c", code, *map(str, words)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            # Root may write everywhere, unless this right is taken away (PR_CAPBSET_DROP).
            preexec_fn=lambda: ctypes.CDLL(None).prctl(24, 1),
        )
        last = child.stderr.splitlines()[-1]
        assert child.returncode == 2, child.stderr
        assert "Traceback" not in child.stderr
        assert last.startswith("error: ")
        assert message in last


def test_imports_stay_light():
    heavy = ["torch", "networkx", "igraph", "torch_geometric", "pandas", "rich", "scipy.linalg"]
    code = f"import sys, grape_gnn; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"
    code = f"import sys, grape_gnn.cli; print([m for m in {heavy[:5]} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


def test_a_described_graph_is_not_taken_for_an_option(grape, tmp_path):
    gnp(300, 0.5, seed=1).save(tmp_path / "g.npz")
    error = grape.error("match", tmp_path / "g.npz", "-t", "8-cycle", "--time", "0.3s")
    assert "--time" in error
    assert "--nodes" not in error
