"""The protocol: selection by validation, hidden test labels, going on after a kill."""

import json
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
import torch

from grape_gnn.comparison import compare
from grape_gnn.errors import DatasetError, ModelError, ModelFileError
from grape_gnn.training import Fitted, Method, random_split, read_results


class Spy(Method):
    """Scores everything as class 0, claims a validation accuracy, and notes what it was given."""

    name = "spy"
    title = "Spy"

    def __init__(self):
        self.prepared, self.given = 0, []

    def network(self, shape, prepared):
        raise AssertionError("a spy has no network: it answers in `fit`")

    def prepare(self, graph, x):
        self.prepared += 1
        return super().prepare(graph, x)

    def fit(self, prepared, labels, train_mask, validation_mask, num_classes, settings):
        self.given.append((settings["seed"], labels.clone(), settings))
        scores = torch.zeros(labels.numel(), num_classes)
        scores[:, 0] = 1
        return Fitted(scores, settings["dropout"], best_epoch=0, epochs=1)


def stable(runs):
    return [(r.model, r.stage, r.seed, r.settings, r.test_score) for r in runs]


def test_the_grid_point_is_chosen_by_validation_and_used_by_all_runs(halves, tiny_profile):
    spy = Spy()
    runs = compare(halves, [spy], dataset="halves", seeds=[4, 5], profile=tiny_profile)
    # The spy claims its dropout as validation accuracy, so 0.5 must win.
    assert [run.settings["dropout"] for run in runs] == [0.5, 0.5]
    assert [seed for seed, _, _ in spy.given] == [4, 4, 4, 5]
    assert spy.prepared == 1


def test_test_labels_never_reach_the_training(halves, tiny_profile):
    spy = Spy()
    runs = compare(halves, [spy], dataset="halves", seeds=[4, 5], profile=tiny_profile)
    for seed, labels, _ in spy.given:
        test = random_split(halves.y, seed).test
        assert (labels.numpy()[test] == -1).all()
        assert (labels.numpy()[~test] == halves.y[~test]).all()
    for run in runs:
        test = random_split(halves.y, run.seed).test
        assert run.test_score == pytest.approx((halves.y[test] == 0).mean())


def test_grid_trainings_are_lines_without_test_score(halves, tiny_profile, tmp_path):
    file = tmp_path / "runs.jsonl"
    compare(halves, ["linkx"], dataset="halves", seeds=[0], profile=tiny_profile, results=file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line["stage"] for line in lines] == ["grid", "grid", "run"]
    assert [line["test_score"] is None for line in lines] == [True, True, False]
    details = lines[-1]["details"]
    assert len(details["data"]) == 64
    assert details["parts"] == {"train": 36, "validation": 12, "test": 12}
    assert "torch" in details["versions"]


def test_what_is_done_is_not_done_again(halves, tiny_profile, tmp_path):
    """Killed after any line, even in the middle of one, it ends in the same results."""
    whole = tmp_path / "whole.jsonl"
    options = {"dataset": "halves", "seeds": [0, 1], "profile": tiny_profile}
    expected = compare(halves, ["mlp", "gcn"], results=whole, **options)
    lines = whole.read_text().splitlines(keepends=True)
    for kept in range(len(lines) + 1):
        file = tmp_path / f"{kept}.jsonl"
        half = lines[kept][: len(lines[kept]) // 2] if kept < len(lines) else ""
        file.write_text("".join(lines[:kept]) + half)
        steps = []
        found = compare(halves, ["mlp", "gcn"], results=file, progress=steps.append, **options)
        assert stable(found) == stable(expected)
        assert sum(not step.reused for step in steps) == len(lines) - kept
        assert stable(read_results(file)) == stable(read_results(whole))


def test_other_data_or_settings_are_run_again(halves, tiny_profile, tmp_path):
    file = tmp_path / "runs.jsonl"
    options = {"dataset": "halves", "seeds": [0], "results": file}

    def count_new(graph, profile, features="original"):
        steps = []
        compare(
            graph, ["linkx"], profile=profile, features=features, progress=steps.append, **options
        )
        return sum(not step.reused for step in steps)

    assert count_new(halves, tiny_profile) == 3
    assert count_new(halves, tiny_profile) == 0
    assert count_new(halves, replace(tiny_profile, epochs=5)) == 3
    assert count_new(replace(halves, x=halves.x + 1), tiny_profile) == 3
    assert count_new(halves, tiny_profile, "random") == 3


def test_baselines_published_without_batch_norm_try_it_too(halves, tiny_profile, tmp_path):
    file = tmp_path / "runs.jsonl"
    compare(halves, ["mlp"], dataset="halves", seeds=[0], profile=tiny_profile, results=file)
    tried = [run.settings for run in read_results(file) if run.stage == "grid"]
    assert [(point["dropout"], point["norm"]) for point in tried] == [
        (0.0, "none"), (0.0, "batch"), (0.5, "none"), (0.5, "batch"),
    ]  # fmt: skip


class Fickle(Spy):
    """Has two forms; the first split flatters one of them, the others prefer the other."""

    choices = MappingProxyType({"norm": ("none", "batch")})

    def fit(self, prepared, labels, train_mask, validation_mask, num_classes, settings):
        fitted = super().fit(prepared, labels, train_mask, validation_mask, num_classes, settings)
        better = settings["norm"] == ("none" if settings["seed"] == 4 else "batch")
        return replace(fitted, validation_score=(settings["dropout"] + better) / 2)


def test_finals_choose_among_the_forms_on_all_splits(halves, tiny_profile):
    fickle, steps = Fickle(), []
    options = {"dataset": "halves", "seeds": [4, 5, 6]}
    (run, *_) = compare(halves, [fickle], **options, profile=tiny_profile)
    assert run.settings["norm"] == "none"
    with_finals = replace(tiny_profile, finals=True)
    (run, *_) = compare(halves, [fickle], **options, profile=with_finals, progress=steps.append)
    assert (run.settings["norm"], run.settings["dropout"]) == ("batch", 0.5)
    assert [step.done for step in steps] == list(range(1, steps[0].total + 1))
    finals = [step.result for step in steps[4:10]]
    assert {(each.settings["norm"], each.seed) for each in finals} == {
        (norm, seed) for norm in ("none", "batch") for seed in (4, 5, 6)
    }
    assert all(each.test_score is None for each in finals)


def test_several_processes_give_the_same_results(halves, tiny_profile):
    pytest.importorskip("joblib")
    options = {"dataset": "halves", "seeds": [0, 1], "profile": tiny_profile}
    one = compare(halves, ["grape"], templates="edge", **options)
    two = compare(halves, ["grape"], templates="edge", n_jobs=2, **options)
    assert stable(one) == stable(two)


def test_no_early_stopping_at_first_with_constant_features(halves, tiny_profile):
    spy = Spy()
    long = replace(tiny_profile, epochs=500)
    compare(halves, [spy], dataset="halves", seeds=[0], profile=long, features="constant")
    assert {settings["min_epochs"] for _, _, settings in spy.given} == {200}


class FeatureSpy(Spy):
    """Claims to be better without features."""

    name = "feature-spy"

    def fit(self, *args):
        fitted = super().fit(*args)
        return replace(fitted, validation_score=0.9 - 0.5 * args[-1]["use_features"])


def test_whether_features_are_used_is_chosen_by_validation(halves, tiny_profile):
    long = replace(tiny_profile, epochs=300)
    options = {"dataset": "halves", "seeds": [0], "profile": long, "label_inputs": True}
    (run,) = compare(halves, [FeatureSpy()], **options)
    assert run.settings["label_inputs"] is True
    assert run.settings["use_features"] is False
    assert run.settings["min_epochs"] == 200  # as with features that are constant
    # Where they are constant already there is nothing to choose.
    spy = FeatureSpy()
    (run,) = compare(halves, [spy], features="constant", **options)
    assert run.settings["use_features"] is True
    assert len(spy.given) == 3


def test_every_method_that_trains_gets_label_inputs(halves, tiny_profile):
    options = {"dataset": "halves", "seeds": [0], "profile": tiny_profile, "templates": "edge"}
    methods = ["gin", "grape", "label-propagation"]
    plain = compare(halves, methods, **options)
    given = compare(halves, methods, label_inputs=True, **options)
    assert not any("label_inputs" in run.settings for run in plain)
    assert [run.settings.get("label_inputs") for run in given] == [True, True, None]


def test_random_features_are_the_same_for_all_runs(halves, tiny_profile, tmp_path):
    file = tmp_path / "runs.jsonl"
    compare(
        halves, ["mlp"], dataset="halves", features="random", seeds=[0, 1],
        profile=tiny_profile, results=file,
    )  # fmt: skip
    assert len({run.details["data"] for run in read_results(file)}) == 1


def test_progress_counts_up(halves, tiny_profile):
    steps = []
    compare(
        halves,
        ["linkx"],
        dataset="halves",
        seeds=[0, 1],
        profile=tiny_profile,
        progress=steps.append,
    )
    assert [(step.done, step.total) for step in steps] == [(n, 4) for n in (1, 2, 3, 4)]
    assert steps[0].method == "LINKX"


def test_fixed_splits_are_taken_by_number(halves, tiny_profile, tmp_path):
    fixed = [random_split(halves.y, seed, (0.4, 0.2, 0.4)) for seed in range(3)]
    options = {"dataset": "halves", "profile": tiny_profile, "results": tmp_path / "runs.jsonl"}
    spy = Spy()
    compare(halves, [spy], seeds=[0, 2], splits=fixed, **options)
    for seed, labels, _ in spy.given:
        assert (labels.numpy() == -1).tolist() == fixed[seed].test.tolist()
    # More splits add runs, other splits are another task.
    again, other = Spy(), Spy()
    compare(halves, [again], seeds=[0, 1, 2], splits=fixed, **options)
    assert [seed for seed, _, _ in again.given] == [1]
    compare(halves, [other], seeds=[0, 2], splits=fixed[::-1], **options)
    assert len(other.given) == 4
    with pytest.raises(ModelError, match="there are 3 fixed splits: give seeds from 0 to 2"):
        compare(halves, [spy], seeds=[3], splits=fixed, **options)
    other = [random_split(np.arange(40) % 2, 0)]
    with pytest.raises(ModelError, match="a fixed split has 40 nodes and the graph 60"):
        compare(halves, [spy], seeds=[0], splits=other, **options)


def test_the_metric_scores_and_is_recorded(halves, tiny_profile, tmp_path):
    file = tmp_path / "runs.jsonl"
    options = {"dataset": "halves", "seeds": [0], "profile": tiny_profile, "results": file}
    (auc,) = compare(halves, ["gcn"], metric="roc-auc", **options)
    (right,) = compare(halves, ["gcn"], **options)
    assert (auc.metric, right.metric) == ("roc-auc", "accuracy")
    assert len({(run.metric, run.stage) for run in read_results(file)}) == 4
    test = random_split(halves.y, 0).test.sum()
    assert right.test_score * test == pytest.approx(round(right.test_score * test))
    three = replace(halves, y=np.arange(60) % 3, label_names=("a", "b", "c"))
    (rest,) = compare(three, ["gcn"], metric="roc-auc", **options)
    assert 0 <= rest.test_score <= 1  # of each class against the rest
    with pytest.raises(ModelError, match="metric='rmse' is not for classification tasks"):
        compare(three, ["gcn"], metric="rmse", **options)


def test_trainings_of_other_code_are_not_taken(halves, tiny_profile, tmp_path):
    options = {"dataset": "halves", "seeds": [0], "results": tmp_path / "runs.jsonl"}
    counts = []
    for fingerprint in ("old", "old", "new"):
        spy = Spy()
        compare(halves, [spy], profile=tiny_profile, fingerprint=fingerprint, **options)
        counts.append(len(spy.given))
    assert counts == [3, 0, 3]


def test_records_from_before_there_was_a_choice_of_metrics_are_taken(
    halves, tiny_profile, tmp_path
):
    file = tmp_path / "runs.jsonl"
    options = {"dataset": "halves", "seeds": [0], "profile": tiny_profile, "results": file}
    compare(halves, ["linkx"], **options)
    old = file.read_text().replace("_score", "_accuracy").replace(', "metric": "accuracy"', "")
    file.write_text(old)
    steps = []
    compare(halves, ["linkx"], progress=steps.append, **options)
    assert [step.reused for step in steps] == [True] * 3


def test_the_depths_of_a_profile_hold_for_all_that_can_have_them(halves, tiny_profile, tmp_path):
    grid = {**tiny_profile.grid, "dropout": (0.0,), "layers": (2, 4)}
    tried = {}
    for name in ("gin", "gcn", "de-gnn"):
        file = tmp_path / f"{name}.jsonl"
        deep = replace(tiny_profile, grid=grid)
        compare(halves, [name], dataset="halves", seeds=[0], profile=deep, results=file)
        runs = [run for run in read_results(file) if run.stage == "grid"]
        tried[name] = sorted({run.settings["layers"] for run in runs})
    assert tried == {"gin": [2, 4], "gcn": [2, 4], "de-gnn": [2]}


def test_messages(halves, tiny_profile, tmp_path):
    with pytest.raises(ModelError, match="no seeds"):
        compare(halves, ["mlp"], dataset="halves", seeds=[])
    with pytest.raises(ModelError, match=r"unknown profile 'papr'.*did you mean 'paper'"):
        compare(halves, ["mlp"], dataset="halves", profile="papr")
    with pytest.raises(DatasetError, match="unknown kind of features 'none'"):
        compare(halves, ["mlp"], dataset="halves", features="none")
    with pytest.raises(ModelError, match="no labels"):
        compare(replace(halves, y=None), ["mlp"], dataset="halves")
    one = replace(halves, y=np.zeros(60, np.int64))
    with pytest.raises(ModelError, match="one class only"):
        compare(one, ["mlp"], dataset="halves", profile=tiny_profile)
    bad = tmp_path / "runs.jsonl"
    bad.write_text('not a run\n{"neither": 1}\n')
    with pytest.raises(ModelFileError, match="line 1 is damaged"):
        compare(halves, ["mlp"], dataset="halves", results=bad)
