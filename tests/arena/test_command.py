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


@pytest.fixture
def readme(tmp_path):
    file = tmp_path / "README.md"
    file.write_text((ROOT / "README.md").read_text())
    return file


def test_the_page_and_the_readme_are_what_the_records_say(run, readme, tmp_path):
    code, _, errors = run("table", "--page", tmp_path / "arena.md", "--readme", readme)
    assert code == 0, errors
    for page in ("docs/arena.md", "README.md"):
        written = (tmp_path / Path(page).name).read_text()
        assert written == (ROOT / page).read_text(), "run python -m arena table"


def test_validation_shows_no_test_scores(run, write, tmp_path):
    write("gin", "minesweeper", [0.9876] * 3)
    code, text, _ = run("validation", "--records", tmp_path, "--methods", "gin")
    assert code == 0
    assert "50.00" in text
    assert "98.76" not in text


def test_losses_are_on_the_page(run, write, readme, tmp_path):
    write("gin", "minesweeper", [0.90, 0.91, 0.92])
    write("grape-edge", "minesweeper", [0.88, 0.90, 0.91])
    page = tmp_path / "arena.md"
    run("table", "--records", tmp_path, "--page", page, "--readme", readme)
    assert "- minesweeper: GRAPE, edge is 1.33 ± 0.33 points below GIN" in page.read_text()
    assert "GRAPE was not run in this league yet" in page.read_text()
    row = "| minesweeper | 89.7 ± 0.9 |  | **91.0 ± 0.6** GIN |  |  |"
    assert row in readme.read_text()


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
