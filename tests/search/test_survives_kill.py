"""A search that is killed, again and again, and resumed, ends where it would have ended anyway.

The process is killed with SIGKILL: nothing of it can clean up. Its progress tells the test when to
strike, so that every moment of a round comes under the knife.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

import grape_gnn as grape
from grape_gnn.search import SearchFolder, resume

SCRIPT = """
import os, signal, sys
import grape_gnn as grape
from grape_gnn.search import resume
from grape_gnn.search import folder as folders

folder, calls, where, options = sys.argv[1], int(sys.argv[2]), sys.argv[3], eval(sys.argv[4])
graph = grape.datasets.load("planted-roles", num_shapes=9)
count = 0

def strike(*_):
    global count
    count += 1
    if count == calls:
        os.kill(os.getpid(), signal.SIGKILL)

if where != "progress":
    write = getattr(folders.SearchFolder, where)
    def dying(self, *given):
        if where == "append" and count + 1 == calls:
            with (self.path / "history.jsonl").open("a") as file:
                file.write('{"round": 1, "ge')  # half a line
        else:
            write(self, *given)
        strike()
    setattr(folders.SearchFolder, where, dying)
progress = strike if where == "progress" else None
if os.path.exists(os.path.join(folder, "config.json")):
    resume(folder, graph, progress=progress)
else:
    grape.search(
        graph, rounds=3, out=folder, progress=progress, settings=grape.SearchSettings(**options)
    )
"""


def run(folder, calls, where, options):
    """Run the search in a process that kills itself at the given call; return the exit code."""
    command = [sys.executable, "-c", SCRIPT, str(folder), str(calls), where, repr(options)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


@pytest.mark.parametrize(
    ("where", "strikes", "options"),
    [
        ("progress", (4, 6), {}),
        ("append", (2, 3), {"engine": "incremental"}),
        ("write_state", (1, 2), {}),
        ("write_templates", (2,), {"method": "bayesian"}),
    ],
)
def test_killed_and_resumed(tmp_path, planted, quick, course, where, strikes, options):
    options = {**quick, **options}
    for calls in strikes:
        assert run(tmp_path / "torn", calls, where, options) == -signal.SIGKILL
    left = {file.name for file in (tmp_path / "torn").iterdir()}
    assert left <= {".lock", "config.json", "history.jsonl", "state.json", "templates.json"}
    resumed = resume(tmp_path / "torn", planted)
    whole = grape.search(planted, rounds=3, settings=grape.SearchSettings(**options))
    assert course(resumed) == course(whole)
    assert resumed.population == whole.population
    state = json.loads((tmp_path / "torn" / "state.json").read_text())
    assert state["population"] == [gene.texts for gene in whole.population]
    assert course(SearchFolder.open(tmp_path / "torn")) == course(whole)
