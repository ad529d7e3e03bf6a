"""`grape.search` from end to end, on a graph small enough to search in seconds."""

from __future__ import annotations

import inspect
import subprocess
import sys
from time import sleep

import pytest

import grape_gnn as grape
from grape_gnn.errors import BudgetExceededError, GraphError, SearchError
from grape_gnn.search import Gene, api, matching, ridge
from grape_gnn.search.evaluate import Outcome
from grape_gnn.search.history import score
from grape_gnn.search.ridge import fit_ridge


def test_search_is_a_plain_function_and_the_package_cannot_be_called(planted):
    assert inspect.isfunction(grape.search)
    assert list(inspect.signature(grape.search).parameters)[:3] == ["graph", "budget", "settings"]
    assert not callable(sys.modules["grape_gnn.search"])
    code = "import grape_gnn.search.folder, grape_gnn; print(grape_gnn.search.__name__)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "search\n"


@pytest.mark.parametrize("graph", ["friends.csv", None])
def test_what_is_no_graph(graph):
    with pytest.raises(GraphError, match="expected a graph"):
        grape.search(graph)


def test_what_are_no_settings(planted):
    with pytest.raises(SearchError, match="must be SearchSettings"):
        grape.search(planted, "1m", {"population": 4})


def test_a_search_finds_at_least_its_start(planted, quick):
    found = grape.search(planted, rounds=3, settings=grape.SearchSettings(**quick))
    assert found.ended == "rounds"
    assert found.validation_accuracy >= found.start.validation_accuracy
    assert found.start.gene == Gene.from_texts(["0-1"])
    assert found.start.fitness == found.history.best.fitness == "training"
    assert 1 <= len(found.templates) <= 3
    judged = [evaluation.fitness for evaluation in found.history]
    assert judged == ["ridge", "training", *["ridge"] * 3 * 4, *["training"] * (len(judged) - 14)]
    assert found.history.rounds == 3
    assert len(found.population) == 4


def test_the_found_templates_can_be_trained_and_scored_once(planted, quick):
    found = grape.search(planted, rounds=1, settings=grape.SearchSettings(seed=4, **quick))
    classifier = found.classifier()
    assert [t.text for t in classifier.templates] == found.best.texts
    assert (classifier.seed, classifier.epochs) == (4, 4)
    assert 0 <= classifier.fit(planted).score(planted) <= 1
    command = found.train_command("planted-roles")
    assert command.startswith("grape train planted-roles --templates ")
    assert command.endswith("--epochs 4 --seed 4")


def test_genes_may_be_judged_with_labels_as_inputs(planted, quick):
    options = {**quick, "model": {**quick["model"], "label_inputs": True}}
    found = grape.search(planted, rounds=1, settings=grape.SearchSettings(**options))
    assert found.classifier().label_inputs
    assert " --label-inputs on --seed " in found.train_command()


@pytest.mark.parametrize("fitness", ["ridge", "training"])
def test_no_gene_is_trained_twice(planted, quick, trained, fitness):
    settings = grape.SearchSettings(fitness=fitness, **quick)
    found = grape.search(planted, rounds=4, settings=settings)
    assert len(trained) == len(set(trained)) == sum(1 for _ in found.history.computed("training"))
    assert any(evaluation.cached for evaluation in found.history)


def test_training_chooses_among_the_best_by_ridge(planted, quick, trained):
    settings = grape.SearchSettings(finalists=2, **quick)
    found = grape.search(planted, rounds=6, settings=settings)
    ridge = sorted(found.history.computed("ridge"), key=score, reverse=True)
    best = [each.gene.key for each in ridge[:2] if each.gene.key != "0-1"]
    assert trained == ["0-1", *best]
    assert found.history.best == max(found.history.computed("training"), key=score)
    assert found.validation_accuracy == found.history.best.validation_accuracy


def test_training_may_be_the_fitness(planted, quick):
    settings = grape.SearchSettings(fitness="training", **quick)
    found = grape.search(planted, rounds=1, settings=settings)
    assert {evaluation.fitness for evaluation in found.history} == {"training"}
    assert [evaluation.round for evaluation in found.history] == [0, 1, 1, 1, 1]


def test_time_is_held_back_for_the_trainings_at_the_end(planted, quick, monkeypatch):
    def quarter_of_a_second(problem, job):
        sleep(0.25)
        return Outcome(0.5, 1.0, 1, 0.25)

    def slowly(*given):
        sleep(0.05)  # or there is no gene left before the time is over
        return fit_ridge(*given)

    monkeypatch.setattr(api, "train_gene", quarter_of_a_second)
    monkeypatch.setattr(ridge, "fit_ridge", slowly)
    found = grape.search(planted, budget=4.0, settings=grape.SearchSettings(**quick))
    assert found.ended == "time"
    final = [each.seconds for each in found.history if each.change == "final"]
    assert len(final) == 3
    assert max(each.seconds for each in found.history.computed("ridge")) < 3.0


def test_no_template_is_matched_twice(planted, quick, monkeypatch):
    matched = []
    from grape_gnn.roles import match

    def noted(graph, templates, **options):
        matched.extend(template.text for template in templates)
        return match(graph, templates, **options)

    monkeypatch.setattr(matching, "match", noted)
    found = grape.search(
        planted, rounds=4, settings=grape.SearchSettings(engine="incremental", **quick)
    )
    assert len(matched) == len(set(matched))
    assert set(matched) == {text for e in found.history for text in e.gene.texts}


def test_a_time_budget_ends_the_search(planted, quick):
    found = grape.search(planted, budget=0.5, settings=grape.SearchSettings(**quick))
    assert found.ended == "time"
    assert found.history[0].change == "start"


def test_matching_that_the_end_of_the_time_cut_off_is_counted(planted, quick, monkeypatch):
    from grape_gnn.roles import match

    def endless_beyond_edges(graph, templates, *, time, **options):
        if templates[0].num_nodes == 2:
            return match(graph, templates, time=time, **options)
        sleep(time)
        raise BudgetExceededError("time", "time is up")

    monkeypatch.setattr(matching, "match", endless_beyond_edges)
    found = grape.search(planted, budget=3.0, settings=grape.SearchSettings(**quick))
    assert found.ended == "time"
    finished = sum(each.matching_seconds for each in found.history)
    assert found.history.matching_seconds > finished + 1.0


@pytest.mark.parametrize("fitness", ["ridge", "training"])
def test_training_that_the_end_of_the_time_cut_off_is_counted(planted, quick, monkeypatch, fitness):
    train = api.train_gene

    def endless_beyond_edges(problem, job):
        if job.gene.texts == ["0-1"]:
            return train(problem, job)
        return Outcome(0.0, 0.0, 7, 5.0, cut_off=True)

    monkeypatch.setattr(api, "train_gene", endless_beyond_edges)
    settings = grape.SearchSettings(fitness=fitness, **quick)
    found = grape.search(planted, budget="5m", rounds=3, settings=settings)
    assert found.ended == "time"
    assert (found.best.texts == ["0-1"]) == (fitness == "training")
    finished = sum(each.evaluation_seconds for each in found.history)
    assert found.history.evaluation_seconds == finished + 5.0


def test_a_search_with_nothing_left_to_find_ends(planted):
    found = grape.search(
        planted,
        budget="5m",
        settings=grape.SearchSettings(population=2, eliminate=1, max_nodes=2, model={"epochs": 1}),
    )
    assert found.ended == "exhausted"
    assert found.best == Gene.from_texts(["0-1"])


def test_ctrl_c_returns_the_best_so_far(planted, quick):
    def interrupt(progress):
        if progress.round == 2 and progress.evaluated:
            raise KeyboardInterrupt

    found = grape.search(
        planted, rounds=9, progress=interrupt, settings=grape.SearchSettings(**quick)
    )
    assert found.ended == "interrupted"
    assert found.history.rounds == 2


def test_ctrl_c_before_anything_was_found_is_passed_on(planted, quick):
    def interrupt(progress):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grape.search(planted, rounds=9, progress=interrupt, settings=grape.SearchSettings(**quick))


def test_progress_tells_where_the_search_stands(planted, quick):
    seen = []
    grape.search(
        planted,
        rounds=1,
        progress=lambda p: seen.append((p.fitness, p.round, len(p.evaluated))),
        settings=grape.SearchSettings(**quick),
    )
    start = [("ridge", 0, 0), ("ridge", 0, 1), ("training", 0, 0), ("training", 0, 1)]
    first = [("ridge", 1, done) for done in range(5)]
    assert seen[:9] == [*start, *first]
    assert seen[9:] == [("training", 1, done) for done in range(len(seen) - 9)]


def test_times_add_up(planted, quick):
    found = grape.search(planted, rounds=2, settings=grape.SearchSettings(engine="esu", **quick))
    computed = list(found.history.computed())
    assert all(e.evaluation_seconds > 0 for e in computed)
    assert found.history.matching_seconds > 0
    assert [e.seconds for e in found.history] == sorted(e.seconds for e in found.history)
    spent = found.history.matching_seconds + found.history.evaluation_seconds
    assert spent <= found.history[-1].seconds + 0.01


def test_the_cheaper_choices_rise_in_cost_and_accuracy(planted, quick):
    found = grape.search(planted, rounds=2, settings=grape.SearchSettings(method="random", **quick))
    front = found.pareto
    assert [e.cost for e in front] == sorted(e.cost for e in front)
    judged = [e.validation_accuracy for e in found.history if e.fitness == "ridge"]
    assert front[-1].validation_accuracy == max(judged)


def test_templates_that_take_too_long_fail_and_the_search_goes_on(quick):
    graph = grape.datasets.load("social-like", num_nodes=200)
    dense = grape.Graph.from_edges(
        *zip(*((a, b) for a in range(200) for b in range(a) if (a * b + a) % 3), strict=True),
        y=graph.y,
        label_names=graph.label_names,
    )
    found = grape.search(
        dense,
        rounds=2,
        settings=grape.SearchSettings(
            engine="esu",
            match_time=0.05,
            node_probability=1.0,
            edge_probability=0.0,
            recall_probability=0.0,
            **{**quick, "elites": 0},
        ),
    )
    failed = [e for e in found.history if e.failure]
    assert failed
    assert "time budget" in failed[0].failure
    assert found.history.best.failure is None


def test_directed_graphs(quick):
    src, dst = zip(*((i, (i * 7 + k) % 40) for i in range(40) for k in (1, 3)), strict=True)
    graph = grape.Graph.from_edges(src, dst, directed=True, y=[i % 2 for i in range(40)])
    found = grape.search(graph, rounds=2, settings=grape.SearchSettings(**quick))
    assert all(t.directed for e in found.history for t in e.gene.templates)


def test_a_random_gene_of_another_method(planted, quick):
    for method in ("random", "bayesian"):
        found = grape.search(
            planted, rounds=1, settings=grape.SearchSettings(method=method, **quick)
        )
        changes = [e.change for e in found.history if e.fitness == "ridge"]
        assert changes == ["start", *["draw"] * 4]


def test_masks_instead_of_a_split(planted, quick):
    train, validation = list(range(30)), list(range(30, 50))
    found = grape.search(
        planted,
        rounds=1,
        train_mask=train,
        val_mask=validation,
        settings=grape.SearchSettings(**quick),
    )
    accuracy = found.start.validation_accuracy * 20
    assert accuracy == pytest.approx(round(accuracy))


def test_the_start_is_evaluated_however_short_the_time(planted, quick):
    found = grape.search(planted, budget=0.001, settings=grape.SearchSettings(**quick))
    assert found.ended == "time"
    assert [(e.gene.texts, e.fitness) for e in found.history] == [
        (["0-1"], "ridge"),
        (["0-1"], "training"),
    ]
