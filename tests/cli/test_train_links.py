"""``grape train --task link``."""

from __future__ import annotations

import csv
import json

import pytest

from grape_gnn.links import evaluate_links
from grape_gnn.runs import link_run


@pytest.fixture
def ring(tmp_path, monkeypatch):
    """Write a ring whose nodes know the next three, and make splits few."""
    monkeypatch.setattr(link_run, "SPLITS", 3)
    path = tmp_path / "ring.csv"
    rows = [f"n{v},n{(v + step) % 30}\n" for v in range(30) for step in (1, 2, 3)]
    path.write_text("source,target\n" + "".join(rows))
    return path


def test_a_run_folder_with_figures_model_and_suggestions(grape, ring, tmp_path):
    out = tmp_path / "run"
    words = grape.output("train", ring, "--task", "link", "--out", out, "--seed", 1)
    assert "Adamic-Adar" in words
    assert "3 splits" in words
    metrics = json.loads((out / "metrics.json").read_text())
    auc, spread = metrics["figures"]["grape"]["auc"]
    assert 0.5 < auc <= 1.0
    assert 0.0 <= spread < 0.5
    rows = list(csv.DictReader((out / "suggestions.csv").read_text().splitlines()))
    assert rows[0]["reason"].startswith("3 common neighbours")
    model = link_run.LinkRun.open(out).model()
    chance = model.predict_proba([(rows[0]["source"], rows[0]["target"])])[0, 1]
    assert chance == pytest.approx(float(rows[0]["score"]), abs=1e-6)


def test_an_interrupted_run_goes_on_to_the_same_result(grape, ring, tmp_path, monkeypatch):
    whole = grape.json("train", ring, "--task", "link", "--out", tmp_path / "whole")

    def stop(done, of):
        raise KeyboardInterrupt

    monkeypatch.setattr(
        link_run,
        "evaluate_links",
        lambda graph, splits, seed, out, threads, progress: evaluate_links(
            graph, splits, seed, out, threads, stop
        ),
    )
    result = grape.run("train", ring, "--task", "link", "--out", tmp_path / "run")
    assert result.exit_code == 130
    assert "grape train --resume" in result.stderr
    assert len(json.loads((tmp_path / "run" / "splits.json").read_text())["splits"]) == 1
    monkeypatch.undo()
    monkeypatch.setattr(link_run, "SPLITS", 3)
    resumed = grape.json("train", "--resume", tmp_path / "run")
    assert resumed["figures"] == whole["figures"]
    names = ("suggestions.csv", "metrics.json")
    for name in names:
        assert (tmp_path / "run" / name).read_text() == (tmp_path / "whole" / name).read_text()


def test_bad_input_is_one_line(grape, ring, tmp_path):
    out = tmp_path / "run"
    told = grape.error("train", ring, "--task", "link", "--out", out, "--hidden", 8)
    assert "--task link looks at the edges alone: leave out --hidden" in told
    few = tmp_path / "few.csv"
    few.write_text("source,target\na,b\nb,c\n")
    assert "too few links" in grape.error("train", few, "--task", "link", "--out", out)
    assert not out.exists()
    assert "directions" in grape.error("train", ring, "--task", "link", "--out", out, "--directed")
    assert not out.exists()
    assert "task" in grape.error("info", ring, "--task", "link")
    grape.output("train", ring, "--task", "link", "--out", out)
    ring.write_text(ring.read_text() + "n0,n15\n")
    (out / "metrics.json").unlink()
    assert "has changed since this training" in grape.error("train", "--resume", out)
