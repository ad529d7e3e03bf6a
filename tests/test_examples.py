"""The example scripts run, in seconds, and show what they promise."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def run(monkeypatch, capsys):
    """Give a function that runs an example as a script and returns what it printed."""

    def run(name, *words):
        monkeypatch.setattr("sys.argv", [name, *map(str, words)])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return run


def test_roles_of_a_networkx_graph(run):
    text = run("role_analysis.py")
    assert "33: 17 friends, 11% of their pairs closed" in text
    assert "1 (7), 2 (5), 3 (5)" in text  # triangles with Mr. Hi; networkx agrees, see below
    import networkx as nx

    club = nx.karate_club_graph()
    assert len(set(club[0]) & set(club[1])) == 7
    assert str(sum(d * (d - 1) for _, d in club.degree)) in text


def test_a_mixed_pyg_model_sees_roles(run):
    pytest.importorskip("torch_geometric")
    plain, mixed = (float(p) for p in re.findall(r"accuracy ([0-9.]+)%", run("pyg_mixed.py")))
    assert mixed > plain + 20


def test_rings_of_molecules_are_seen(run):
    text = run("molecules.py")
    blind, seeing = (float(r2) for r2 in re.findall(r"R2 (-?[0-9.]+)", text))
    assert seeing > 0.97 > 0.8 > blind
    assert "of 6-cycle" in text


def test_search_on_csv_files(run, tmp_path):
    text = run("search_csv.py")
    assert re.search(r"Graph\(nodes=150, .*columns=1, classes=8", text)
    assert re.search(r"test accuracy +[0-9.]+%", text)


def test_search_refuses_half_of_the_arguments(run):
    with pytest.raises(SystemExit, match="an edge list, a table of the nodes"):
        run("search_csv.py", "edges.csv")


def test_every_example_is_tested_and_listed():
    tested = Path(__file__).read_text(encoding="utf-8")
    for example in EXAMPLES.glob("*.py"):
        assert example.name in tested
