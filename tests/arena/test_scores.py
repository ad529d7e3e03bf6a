"""What the records say, and the tables."""

from __future__ import annotations

import pytest

from arena.scores import Scores, is_reused
from arena.table import duel_table, score_table


def row(text, name):
    return next(
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith(f"| {name} |")
    )


def test_gaps_are_paired_and_a_tie_is_one_standard_error(write, tmp_path):
    write("grape", "minesweeper", [0.90, 0.92, 0.94])
    write("gin", "minesweeper", [0.89, 0.92, 0.93])
    write("gcn", "minesweeper", [0.80, 0.82, 0.84])
    write("sage", "minesweeper", [0.90, 0.93, 0.93])
    scores = Scores(tmp_path)
    gap = scores.gap(1, "minesweeper", "grape", "gin")
    assert (gap.difference, gap.error) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    verdicts = {
        name: scores.gap(1, "minesweeper", "grape", name).verdict for name in ("gin", "gcn", "sage")
    }
    assert verdicts == {"gin": 1, "gcn": 1, "sage": 0}
    assert scores.gap(1, "minesweeper", "sage", "gcn").verdict == 1
    assert scores.gap(1, "minesweeper", "gcn", "sage").verdict == -1
    assert scores.gap(1, "minesweeper", "grape", "mlp") is None
    assert scores.gap(2, "minesweeper", "grape", "gin") is None


def test_more_splits_count_once_grape_has_them_all(write, tmp_path):
    write("gin", "chameleon", [0.4] * 3)
    write("grape", "chameleon", [0.5] * 4, seeds=range(4))
    scores = Scores(tmp_path)
    assert len(scores.tested(1, "chameleon", "grape")) == 3
    write("grape", "chameleon", [0.5] * 6, seeds=range(4, 10))
    scores = Scores(tmp_path)
    assert len(scores.tested(1, "chameleon", "grape")) == 10
    assert row(score_table(scores, 1), "chameleon")[3] == "40.0 ± 0.0 (3)"


def test_the_baselines_on_the_papers_graphs_are_those_of_the_reproduction(tmp_path):
    scores = Scores(tmp_path)
    assert is_reused("amherst", "gat", 1)
    assert is_reused("amherst", "gin", 2)
    assert not is_reused("amherst", "gcn", 1)
    assert not is_reused("cora", "gat", 1)
    assert not is_reused("amherst", "gcn", 2)
    assert not is_reused("amherst", "grape", 1)
    assert not is_reused("minesweeper", "gcn", 1)
    assert set(scores.tested(1, "amherst", "gcn")) == {1000, 1001, 1002}
    assert (1, "amherst", "grape") not in scores.runs
    assert scores.tested(1, "amherst", "gin") != scores.tested(2, "amherst", "gin")


def test_of_the_arenas_runs_and_the_reproductions_validation_takes_one(write, tmp_path):
    known = Scores(tmp_path)
    before = known.tested(1, "amherst", "gcn")
    assert set(before) == {1000, 1001, 1002}
    above = known.validation(1, "amherst", "gcn") / 100 + 0.01
    write("gcn", "amherst", [0.5] * 3, seeds=range(1000, 1003), validation=above)
    assert Scores(tmp_path).tested(1, "amherst", "gcn") == dict.fromkeys(before, 0.5)
    write("gcn", "amherst", [0.5] * 3, seeds=range(1000, 1003), validation=above - 0.02)
    assert Scores(tmp_path).tested(1, "amherst", "gcn") == before


def test_leagues_are_kept_apart_but_for_those_that_are_not_trained(write, tmp_path):
    write("gin", "minesweeper", [0.1] * 3)
    write("gin", "minesweeper", [0.9] * 3, league=2)
    write("logistic-totals", "minesweeper", [0.5] * 3)
    scores = Scores(tmp_path)
    for league, expected in ((1, 10), (2, 90)):
        assert scores.figures(league, "minesweeper", "gin")[0] == pytest.approx(expected)
        assert scores.figures(league, "minesweeper", "logistic-totals")[0] == pytest.approx(50)


def test_who_declines_label_inputs_by_validation_has_the_runs_without(write, tmp_path):
    for method, with_labels in (("gin", 0.4), ("gcn", 0.6)):
        write(method, "minesweeper", [0.1] * 3, validation=0.5)
        write(method, "minesweeper", [0.9] * 3, league=2, validation=with_labels)
    write("sage", "minesweeper", [0.7] * 3, validation=0.9)
    scores = Scores(tmp_path)
    found = {method for task, method in scores.declined if task == "minesweeper"}
    assert found == {"gin"}
    assert scores.figures(2, "minesweeper", "gin")[0] == pytest.approx(10)
    assert scores.figures(2, "minesweeper", "gcn")[0] == pytest.approx(90)
    assert scores.figures(2, "minesweeper", "sage") is None
    assert row(score_table(scores, 2), "minesweeper")[1:4] == ["**90.0 ± 0.0**", "", "10.0 ± 0.0°"]
    assert "°" not in score_table(scores, 1)


def test_tables(write, tmp_path):
    write("gcn", "minesweeper", [0.80, 0.82, 0.84])
    write("grape-edge", "minesweeper", [0.90, 0.91, 0.94])
    write("grape", "minesweeper", [0.90, 0.92, 0.94])
    scores = Scores(tmp_path)
    text = score_table(scores, 1)
    cells = row(text, "minesweeper")
    assert cells[1] == "82.0 ± 1.2"
    assert [cell for cell in cells if "**" in cell] == ["**91.7 ± 1.2**", "**92.0 ± 1.2**"]
    assert row(text, "*mean rank*")[9:11] == ["2.0 on 1", "1.0 on 1"]
    assert row(text, "*first or tied*")[9:11] == ["1 of 1", "1 of 1"]
    duels = duel_table(scores, 1)
    assert row(duels, "GCN") == ["GCN", "1, 0, 0", "1, 0, 0"]
    assert row(duels, "GRAPE, edge") == ["GRAPE, edge", "", "0, 1, 0"]
    assert row(duels, "GIN") == ["GIN", "not run", "not run"]
