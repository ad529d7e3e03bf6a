"""Running what is missing, and replacing what rests on other code."""

from __future__ import annotations

from arena import run
from arena.run import run_arena
from grape_gnn.training import read_results


def trainings(file):
    return [(each.stage, each.seed) for each in read_results(file)]


def test_what_is_done_is_kept_and_more_splits_add_runs(tiny, tmp_path):
    (first,) = run_arena([tiny], ["linkx"], 1, tmp_path)
    assert (first.trainings, first.failure) == (4, "")
    assert trainings(tmp_path / "linkx.jsonl") == [("grid", 0)] * 2 + [("run", 0), ("run", 1)]
    (again,) = run_arena([tiny], ["linkx"], 1, tmp_path)
    assert (again.trainings, again.validation) == (0, first.validation)
    (full,) = run_arena([tiny], ["linkx"], 1, tmp_path, full=True)
    assert full.trainings == 1
    assert trainings(tmp_path / "linkx.jsonl")[-1] == ("run", 2)


def test_a_changed_model_replaces_its_runs(tiny, tmp_path, monkeypatch):
    file = tmp_path / "linkx.jsonl"
    run_arena([tiny], ["linkx"], 1, tmp_path, full=True)
    run_arena([tiny], ["linkx"], 2, tmp_path)
    kept = [each for each in read_results(file) if each.settings.get("label_inputs")]
    assert kept
    monkeypatch.setattr(run, "fingerprint", lambda chosen: "changed")
    (report,) = run_arena([tiny], ["linkx"], 1, tmp_path)
    assert report.trainings == 4
    found = read_results(file)
    assert [each for each in found if each.settings.get("label_inputs")] == kept
    plain = [each for each in found if not each.settings.get("label_inputs")]
    assert {each.details["fingerprint"] for each in plain} == {"changed"}
    assert [each.seed for each in plain if each.stage == "run"] == [0, 1]


def test_what_cannot_have_label_inputs_or_was_run_before_is_not_run(tiny, tmp_path):
    assert run_arena([tiny], ["label-propagation"], 2, tmp_path) == []
    from arena.tasks import find_tasks

    assert run_arena(find_tasks(["amherst"]), ["gat"], 1, tmp_path) == []


def test_a_failure_does_not_stop_the_others(tiny, tmp_path):
    (tmp_path / "mlp.jsonl").write_text("no record\nat all\n")
    broken, fine = run_arena([tiny], ["mlp", "linkx"], 1, tmp_path)
    assert "line 1 is damaged" in broken.failure
    assert fine.trainings == 4
