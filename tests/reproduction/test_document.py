"""The page of results: made from records alone, complete without any, the same when made twice."""

from __future__ import annotations

import re
from dataclasses import replace

from reproduction import EXPERIMENTS, PROFILES, Records, run_cells
from reproduction.document import write_document


def test_without_results_everything_is_there_as_not_run(tmp_path):
    page = write_document(tmp_path / "records", tmp_path / "results.md").read_text()
    for experiment in EXPERIMENTS:
        assert f"## {experiment.title}\n" in page
        assert re.search(rf"`python -m reproduction {experiment.name}`: 0 of \d+ cells", page)
    assert "not run" in page
    assert "Nothing was run yet." in page
    assert not (tmp_path / "records").exists()


def test_records_and_pictures(tiny, tmp_path):
    run_cells(tiny, tiny.cells(None), PROFILES["quick"], Records(tmp_path / "records", "tiny"))
    (tmp_path / "docs").mkdir()
    path = write_document(tmp_path / "records", tmp_path / "docs" / "results.md", [tiny])
    page = path.read_text()
    assert "3 of 4 cells (3 in the quick profile)" in page
    assert "3 cells." in page
    assert (tmp_path / "docs" / "images" / "results" / "dot.svg").read_text() == "<svg/>"
    assert write_document(tmp_path / "records", path, [tiny]).read_text() == page


def test_records_that_are_out_of_date_are_counted(tiny, tmp_path):
    run_cells(tiny, tiny.cells(None), PROFILES["quick"], Records(tmp_path / "records", "tiny"))
    changed = replace(tiny, fingerprint=lambda cell, profile: {"method": "another"})
    page = write_document(tmp_path / "records", tmp_path / "results.md", [changed]).read_text()
    assert "3 of them rest on methods or settings that have changed since." in page


def test_links_within_the_page_lead_somewhere(tmp_path):
    page = write_document(tmp_path, tmp_path / "results.md").read_text()
    titles = {title.lower().replace(" ", "-") for title in re.findall(r"^## (.*)$", page, re.M)}
    for target in re.findall(r"\]\(#([^)]*)\)", page):
        assert target in titles
