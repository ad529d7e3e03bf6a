"""The folder of a search: what is in it, going on from it, and what damage does."""

from __future__ import annotations

import json

import pytest

import grape_gnn as grape
from grape_gnn import load_templates
from grape_gnn.errors import SearchFolderError
from grape_gnn.search import SearchFolder, resume


@pytest.fixture
def finished(planted, quick, tmp_path):
    """Give a search of three rounds in a folder."""
    return grape.search(
        planted, rounds=3, out=tmp_path / "found", settings=grape.SearchSettings(**quick)
    )


def test_what_is_in_it(finished):
    folder = SearchFolder.open(finished.folder)
    assert folder.config["kind"] == "search"
    assert folder.config["parameters"]["population"] == 4
    assert [e.to_json() for e in folder.history] == [e.to_json() for e in finished.history]
    assert folder.best.gene == finished.best
    assert folder.templates() == finished.templates
    assert load_templates(finished.folder / "templates.json") == finished.templates
    assert folder.state["round"] == 4
    for picture in ("templates.svg", "curve.svg"):
        assert (finished.folder / picture).read_text().startswith("<svg")
    assert sorted(file.name for file in finished.folder.iterdir()) == [
        "config.json", "curve.svg", "history.jsonl", "state.json", "templates.json",
        "templates.svg",
    ]  # fmt: skip


def test_lines_of_the_history(finished):
    lines = (finished.folder / "history.jsonl").read_text().splitlines()
    assert len(lines) == len(finished.history)
    first = json.loads(lines[0])
    assert (first["round"], first["gene"], first["change"]) == (0, ["0-1"], "start")
    assert set(first) >= {
        "validation_accuracy", "seconds", "matching_seconds", "evaluation_seconds", "parents",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("where", "options"),
    [
        ((0, 0), {}),
        ((1, 2), {}),
        ((2, 0), {}),
        ((2, 3), {"engine": "incremental"}),
        ((2, 1), {"method": "random"}),
        ((2, 1), {"method": "bayesian"}),
        ((2, 1), {"fitness": "training"}),
    ],
    ids=str,
)
def test_going_on_gives_the_same_as_never_stopping(
    planted, quick, tmp_path, course, where, options
):
    def interrupt(progress):
        if (progress.round, len(progress.evaluated)) == where:
            raise KeyboardInterrupt

    out = tmp_path / "torn"
    whole = grape.search(planted, rounds=3, settings=grape.SearchSettings(**options, **quick))
    if where == (0, 0):
        with pytest.raises(KeyboardInterrupt):
            grape.search(
                planted,
                rounds=3,
                out=out,
                progress=interrupt,
                settings=grape.SearchSettings(**options, **quick),
            )
    else:
        torn = grape.search(
            planted,
            rounds=3,
            out=out,
            progress=interrupt,
            settings=grape.SearchSettings(**options, **quick),
        )
        assert torn.ended == "interrupted"
    resumed = resume(out, planted)
    assert course(resumed) == course(whole)
    assert resumed.population == whole.population
    assert course(SearchFolder.open(out)) == course(whole)


@pytest.mark.parametrize("done", [0, 1, 2])
def test_going_on_with_the_trainings_at_the_end(planted, quick, tmp_path, course, trained, done):
    def interrupt(progress):
        if progress.candidates[0].change == "final" and len(progress.evaluated) == done:
            raise KeyboardInterrupt

    out = tmp_path / "torn"
    settings = grape.SearchSettings(**quick)
    torn = grape.search(planted, rounds=3, out=out, progress=interrupt, settings=settings)
    assert torn.ended == "interrupted"
    assert torn.history.best.fitness == ("training" if done else "ridge")
    resumed = resume(out, planted)
    assert len(trained) == len(set(trained)) == 1 + 3
    whole = grape.search(planted, rounds=3, settings=settings)
    assert course(resumed) == course(whole) == course(SearchFolder.open(out))


def test_a_torn_round_counts_when_the_budget_is_over(planted, quick, tmp_path):
    def interrupt(progress):
        if (progress.round, len(progress.evaluated)) == (2, 3):
            raise KeyboardInterrupt

    out, settings = tmp_path / "torn", grape.SearchSettings(**quick)
    torn = grape.search(planted, rounds=3, out=out, progress=interrupt, settings=settings)
    ended = resume(out, planted, rounds=1)
    assert ended.ended == "rounds"
    assert len(list(ended.history.computed("ridge"))) == len(list(torn.history.computed("ridge")))
    assert ended.history.best.fitness == "training"


def test_ctrl_c_right_after_an_evaluation_was_written(planted, quick, tmp_path, monkeypatch):
    append, written = SearchFolder.append, []

    def interrupted(folder, evaluation):
        append(folder, evaluation)
        written.append(evaluation)
        if len(written) == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(SearchFolder, "append", interrupted)
    out, settings = tmp_path / "torn", grape.SearchSettings(**quick)
    torn = grape.search(planted, rounds=3, out=out, settings=settings)
    assert torn.ended == "interrupted"
    for history in (torn.history, SearchFolder.open(out).history):
        assert [each.gene for each in history] == [each.gene for each in written]


def test_nothing_is_evaluated_again(planted, quick, tmp_path, trained):
    def interrupt(progress):
        if (progress.round, len(progress.evaluated)) == (2, 3):
            raise KeyboardInterrupt

    grape.search(
        planted,
        rounds=3,
        out=tmp_path / "torn",
        progress=interrupt,
        settings=grape.SearchSettings(**quick),
    )
    resume(tmp_path / "torn", planted)
    assert len(trained) == len(set(trained))


def test_a_longer_budget_goes_on(finished, planted, course, quick):
    longer = resume(finished.folder, planted, rounds=5)
    assert longer.history.rounds == 5
    whole = grape.search(planted, rounds=5, settings=grape.SearchSettings(**quick))
    assert _by_ridge(course(longer)) == _by_ridge(course(whole))
    assert {e.gene for e in longer.history.computed("training")} >= {
        e.gene for e in whole.history.computed("training")
    }
    assert longer.history[-1].seconds >= finished.history[-1].seconds


def _by_ridge(lines):
    return [line for line in lines if line["fitness"] == "ridge"]


def test_a_finished_search_stays_as_it_is(finished, planted, course):
    again = resume(finished.folder, planted)
    assert course(again) == course(finished)


def test_a_torn_line_is_cut_off(planted, quick, tmp_path, course):
    def interrupt(progress):
        if progress.round == 2:
            raise KeyboardInterrupt

    out = tmp_path / "torn"
    grape.search(
        planted, rounds=3, out=out, progress=interrupt, settings=grape.SearchSettings(**quick)
    )
    with (out / "history.jsonl").open("a") as file:
        file.write('{"round": 2, "gene": ["0-')
    assert course(resume(out, planted)) == course(
        grape.search(planted, rounds=3, settings=grape.SearchSettings(**quick))
    )


def test_folders_in_use_are_refused(finished, planted, quick, tmp_path):
    with pytest.raises(SearchFolderError, match="already holds a search: choose another"):
        grape.search(planted, rounds=1, out=finished.folder, settings=grape.SearchSettings(**quick))
    other = tmp_path / "mine"
    other.mkdir()
    (other / "thesis.txt").write_text("precious")
    with pytest.raises(SearchFolderError, match="already holds other files"):
        grape.search(planted, rounds=1, out=other, settings=grape.SearchSettings(**quick))
    with pytest.raises(SearchFolderError, match="cannot make the folder"):
        grape.search(
            planted,
            rounds=1,
            out=other / "thesis.txt" / "deeper",
            settings=grape.SearchSettings(**quick),
        )


def test_another_graph_is_refused(finished, quick):
    other = grape.datasets.load("planted-roles", num_shapes=9, seed=1)
    with pytest.raises(SearchFolderError, match="belongs to another graph"):
        resume(finished.folder, other)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("config.json", "{", "config.json: is damaged"),
        ("config.json", '{"kind": "train"}', "of kind 'train', not of a search"),
        (
            "config.json",
            '{"kind": "search", "format": 99}',
            "has version 99, this release reads version 2",
        ),
        ("config.json", '{"kind": "search", "format": 1}', "has version 1, this release reads"),
        ("config.json", '{"kind": "search", "version": 2}', "damaged: 'source' is missing"),
        ("state.json", "[]", "state.json: is damaged"),
        ("state.json", '{"round": 2}', "state.json: is damaged"),
        ("history.jsonl", "nonsense\n", "history.jsonl: line 1 is damaged"),
        (
            "history.jsonl",
            '{"gene": [1]}\n',
            "history.jsonl: line 1 is damaged: 'round' is missing",
        ),
    ],
)
def test_damage_is_named(finished, planted, file, text, message):
    (finished.folder / file).write_text(text)
    with pytest.raises(SearchFolderError, match=message):
        resume(finished.folder, planted)


@pytest.mark.parametrize(
    "strategy", [None, {}, {"population": [], "random": {}}, {"population": 3}]
)
def test_a_strategy_that_does_not_fit(finished, planted, strategy):
    file = finished.folder / "state.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "strategy": strategy}))
    with pytest.raises(
        SearchFolderError, match=r"state\.json: is damaged: 'strategy' does not fit"
    ):
        resume(finished.folder, planted)


@pytest.mark.parametrize(
    ("name", "value"),
    [("round", "1"), ("fitness", "luck"), ("validation_loss", -1.0), ("gene", [1]),
     ("parents", [["0-9-"]]), ("validation_accuracy", float("nan")),
     ("validation_accuracy", "much"), ("curve", ["x"]), ("failure", 3), ("epochs", -1)],
)  # fmt: skip
def test_a_record_with_a_wrong_value_is_named(finished, planted, name, value):
    file = finished.folder / "history.jsonl"
    first, rest = file.read_text().split("\n", 1)
    file.write_text(json.dumps({**json.loads(first), name: value}) + "\n" + rest)
    with pytest.raises(SearchFolderError, match=r"history\.jsonl: line 1 is damaged") as caught:
        _ = SearchFolder.open(finished.folder).history
    assert "\n" not in str(caught.value)


def test_a_history_that_is_not_utf8(finished, planted):
    file = finished.folder / "history.jsonl"
    file.write_bytes(file.read_bytes().replace(b"0-1", b"0-\xff", 1))
    with pytest.raises(SearchFolderError, match=r"line 1 is damaged: it is not UTF-8 at byte"):
        resume(finished.folder, planted)


def test_a_history_that_does_not_fit(finished, planted):
    file = finished.folder / "history.jsonl"
    state = finished.folder / "state.json"
    data = json.loads(state.read_text())
    state.write_text(json.dumps({**data, "round": 2}))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-4] + lines[-4:][::-1] + lines[-4:]))
    with pytest.raises(SearchFolderError, match=r"does not fit state\.json"):
        resume(finished.folder, planted)


def test_folders_that_are_not_there(tmp_path):
    with pytest.raises(SearchFolderError, match="there is no such folder"):
        SearchFolder.open(tmp_path / "nowhere")
    with pytest.raises(SearchFolderError, match="is not the folder of a search"):
        SearchFolder.open(tmp_path)
