"""``grape report``."""

from __future__ import annotations

from grape_gnn.datasets.source import find_source
from grape_gnn.runs.training import train_run


def test_the_page_is_written_where_it_is_wanted(grape, tmp_path):
    source = find_source("planted-roles", {"num_shapes": 9})
    run = train_run(tmp_path / "run", source, {"epochs": 2, "hidden": 4}, templates="triangle")
    words = grape.output("report", run.path)
    assert words.startswith(str(run.path / "report.html"))
    assert "kB; open it in a browser" in words.replace("\n", " ")
    grape.output("report", run.path, "--out", tmp_path / "page.html", "--node", 3)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "GRAPE on planted-roles" in page
    assert '"start":3' in page


def test_what_cannot_be_reported(grape, tmp_path):
    assert "there is no such folder" in grape.error("report", tmp_path / "nowhere")
    assert "is not the folder of a training" in grape.error("report", tmp_path)
