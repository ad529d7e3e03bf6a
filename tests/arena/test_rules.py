"""GRAPE does not lose to what it contains: the rule, and the committed records under it."""

from __future__ import annotations

from arena.entrants import GRAPE, GRAPE_EDGE
from arena.rules import Loss, as_json, known_losses, losses
from arena.scores import Scores
from arena.tasks import TASKS


def test_the_committed_records_lose_nothing_but_what_is_known():
    found = losses(Scores())
    assert found == known_losses(), (
        "GRAPE loses where it did not, or no longer where it did. Mend the model, or say so in "
        f"arena/known_losses.json:\n{as_json(found)}"
    )


def test_grape_was_run_on_every_task_of_a_league_or_on_none():
    runs = Scores().runs
    for league in (1, 2):
        ran = [
            (task.name, name)
            for task in TASKS
            for name in (GRAPE, GRAPE_EDGE)
            if (league, task.name, name) in runs
        ]
        assert len(ran) in (0, 2 * len(TASKS)), f"league {league}: only {ran}"


def test_losses_are_found(write, tmp_path):
    write("gcn", "minesweeper", [0.80, 0.81, 0.82])
    write("gin", "minesweeper", [0.90, 0.91, 0.92])
    write("mixhop", "minesweeper", [0.99, 0.99, 0.99])  # may win
    write("grape-edge", "minesweeper", [0.88, 0.90, 0.91])
    write("grape", "minesweeper", [0.88, 0.90, 0.91])
    assert losses(Scores(tmp_path)) == [
        Loss(1, "minesweeper", "grape-edge", "gin", -1.33, 0.33),
    ]


def test_a_larger_set_must_not_hurt(write, tmp_path):
    write("grape-edge", "minesweeper", [0.88, 0.90, 0.91], league=2)
    write("grape", "minesweeper", [0.87, 0.90, 0.90], league=2)
    (loss,) = losses(Scores(tmp_path))
    assert (loss.league, loss.method, loss.against) == (2, "grape", "grape-edge")
    file = tmp_path / "known.json"
    file.write_text(as_json([loss]))
    assert known_losses(file) == [loss]


def test_within_one_standard_error_is_no_loss(write, tmp_path):
    write("gin", "minesweeper", [0.90, 0.91, 0.92])
    write("grape-edge", "minesweeper", [0.88, 0.92, 0.92])
    assert losses(Scores(tmp_path)) == []
