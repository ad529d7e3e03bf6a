"""``python -m arena``: the page, validation scores, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.__main__ import main

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(capsys):
    def command(*words):
        code = main([str(word) for word in words])
        return code, *capsys.readouterr()

    return command


def test_the_page_is_what_the_records_say(run, tmp_path):
    code, _, errors = run("table", "--page", tmp_path / "arena.md")
    assert code == 0, errors
    kept = (ROOT / "docs" / "arena.md").read_text()
    assert (tmp_path / "arena.md").read_text() == kept, "run python -m arena table"


def test_validation_shows_no_test_scores(run, write, tmp_path):
    write("gin", "minesweeper", [0.9876] * 3)
    code, text, _ = run("validation", "--records", tmp_path, "--methods", "gin")
    assert code == 0
    assert "50.00" in text
    assert "98.76" not in text


def test_losses_are_on_the_page(run, write, tmp_path):
    write("gin", "minesweeper", [0.90, 0.91, 0.92])
    write("grape-edge", "minesweeper", [0.88, 0.90, 0.91])
    page = tmp_path / "arena.md"
    run("table", "--records", tmp_path, "--page", page)
    assert "- minesweeper: GRAPE, edge is 1.33 ± 0.33 points below GIN" in page.read_text()
    assert "GRAPE was not run in this league yet" in page.read_text()


def test_runs_and_refuses(run, tmp_path):
    words = ["run", "--records", tmp_path, "--tasks", "planted-roles"]
    code, text, errors = run(*words, "--methods", "label-propagation")
    assert code == 0, errors
    assert "planted-roles label-propagation (league 1): validation" in text
    assert "15 trainings" in text  # a grid of ten, five splits
    assert "core hours" in text
    (tmp_path / "label-propagation.jsonl").write_text("damaged\n")
    code, _, errors = run(*words, "--methods", "label-propagation")
    assert code == 2
    assert "1 failed, see above" in errors
    code, _, errors = run(*words, "--methods", "gcnn")
    assert code == 2
    assert "no entrant is called 'gcnn'" in errors
