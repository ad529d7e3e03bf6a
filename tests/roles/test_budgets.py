"""Time, memory and instance budgets: a typed error, or a result that says it is partial."""

from __future__ import annotations

import time as clock

import numpy as np
import pytest

from grape_gnn.errors import BudgetExceededError, MatchError
from grape_gnn.roles import ENGINES, dispatch, match
from grape_gnn.roles.enumerate import enumerate_roles
from grape_gnn.template import Template
from grape_gnn.testing import gnp

CYCLE = Template("0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-0")
HOUSE = Template("0-1 0-2 1-2 1-3 2-4 3-4")
ENDLESS = gnp(300, 0.5, seed=1)  # 8-cycles of this graph would take days
MEDIUM = gnp(120, 0.3, seed=2)
engines = pytest.mark.parametrize("engine", ENGINES)
# The algebra visits no instances, so it neither counts nor completes them one by one.
visiting = pytest.mark.parametrize("engine", [e for e in ENGINES if e != "algebra"])
storing = pytest.mark.parametrize("engine", ["enumerate", "incremental", "esu"])


@engines
def test_time_budget_raises_soon(engine):
    with pytest.raises(BudgetExceededError, match="time") as caught:
        match(ENDLESS, [CYCLE], engine=engine, time=0.1)
    assert caught.value.kind == "time"


@engines
def test_the_budget_is_named_as_it_was_given(engine):
    """Not what planning and earlier templates left of it."""
    with pytest.raises(BudgetExceededError, match=r"the time budget of 0\.2 s (is not|ran)"):
        match(ENDLESS, ["triangle", CYCLE], engine=engine, time="0.2s", threads=1)


@visiting
def test_instance_budget_raises(engine):
    with pytest.raises(BudgetExceededError, match=r"1,?000") as caught:
        match(MEDIUM, [HOUSE], engine=engine, instances=1000)
    assert caught.value.kind == "instances"


@storing
def test_memory_budget_raises(engine):
    with pytest.raises(BudgetExceededError, match="memory") as caught:
        match(MEDIUM, [Template("0-1 1-2")], engine=engine, memory=20_000)
    assert caught.value.kind == "memory"


def test_an_operator_fits_where_its_matrix_does_not():
    ends = match(MEDIUM, "3-path", engine="algebra", memory=20_000)[0][2]
    degrees = np.diff(MEDIUM.indptr)
    walks = MEDIUM.to_scipy() @ degrees - degrees  # there are no more ends than these
    np.testing.assert_array_equal(ends @ np.ones(MEDIUM.num_nodes), walks)
    with pytest.raises(BudgetExceededError, match="multiply by the operator instead"):
        ends.to_scipy()


def test_the_algebra_has_no_partial_results():
    with pytest.raises(MatchError, match="no partial results: use engine='enumerate'"):
        match(MEDIUM, [HOUSE], engine="algebra", time=1, on_budget="partial")


@engines
def test_generous_budgets_change_nothing(engine):
    graph, template = gnp(25, 0.3, seed=4), HOUSE
    free = match(graph, [template], engine=engine)[0]
    bounded = match(graph, [template], engine=engine, time=600, memory=2**33, instances=10**15)[0]
    assert not bounded.truncated
    for one, other in zip(free, bounded, strict=True):
        np.testing.assert_array_equal(one.to_scipy().toarray(), other.to_scipy().toarray())


@visiting
def test_partial_result_is_flagged_and_right_where_complete(engine):
    full = match(MEDIUM, [HOUSE], engine="enumerate")[0]
    budget = int(np.asarray(full.totals).sum()) // 3
    part = match(MEDIUM, [HOUSE], engine=engine, instances=budget, on_budget="partial")[0]
    assert part.truncated
    assert part.complete is not None
    done = np.asarray(part.complete)
    assert done.dtype == bool
    assert not done.all()
    np.testing.assert_array_equal(np.asarray(part.totals)[done], np.asarray(full.totals)[done])
    for j in range(1, len(full)):
        np.testing.assert_array_equal(
            part[j].to_scipy().toarray()[done], full[j].to_scipy().toarray()[done]
        )


@visiting
def test_partial_after_time_returns_soon(engine):
    part = match(ENDLESS, [CYCLE], engine=engine, time=0.1, on_budget="partial")[0]
    assert part.truncated
    assert not np.asarray(part.complete).all()


@engines
def test_progress_is_reported_and_never_goes_back(engine):
    seen: list[tuple[int, int]] = []
    with pytest.raises(BudgetExceededError):
        match(
            ENDLESS,
            [CYCLE],
            engine=engine,
            time=0.3,
            progress=lambda done, total: seen.append((done, total)),
        )
    assert seen
    assert all(0 <= done <= total for done, total in seen)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@engines
def test_an_error_in_the_progress_callback_stops_the_match(engine):
    class EnoughError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise EnoughError(f"{done} of {total}")

    with pytest.raises(EnoughError, match="of"):
        match(ENDLESS, [CYCLE], engine=engine, time=20, progress=stop)


@pytest.mark.parametrize("engine", ["algebra", "auto"])
def test_large_templates_are_derived_within_the_time(engine):
    arcs = gnp(30, 0.2, seed=5, directed=True)
    path = Template("0>1 1>2 3>2 3>4 5>4 5>6 6>7")  # of which no other test knows the quotients
    start = clock.process_time()
    with pytest.raises(BudgetExceededError, match="time"):
        match(arcs, [path], engine=engine, time=0.02)
    assert clock.process_time() - start < 0.6  # 1.2 s when nothing looked at the clock


def test_what_the_algebra_keeps_is_no_longer_there_for_an_enumeration(monkeypatch):
    given = []

    def enumerate_and_note(graph, template, settings):
        given.append(settings.bytes)
        return enumerate_roles(graph, template, settings)

    engines = iter(["algebra", "enumerate"])
    monkeypatch.setattr(dispatch, "choose_engine", lambda *_: next(engines))
    monkeypatch.setattr(dispatch, "enumerate_roles", enumerate_and_note)
    match(MEDIUM, ["4-cycle", "triangle"], engine="auto", memory="100MB")
    kept = 100_000_000 - given[0]
    assert kept >= 8 * len(MEDIUM.indices)  # at least a number for every pair two steps apart
