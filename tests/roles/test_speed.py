"""How fast the processor is enters estimates of time, and nothing else."""

from __future__ import annotations

import pytest

import grape_gnn as grape
from grape_gnn.roles import estimate
from grape_gnn.roles.speed import slowness


def test_it_is_looked_at_once() -> None:
    assert slowness() == slowness() > 0


@pytest.mark.parametrize("times", [0.5, 3.0])
def test_estimates_of_the_algebra_are_in_proportion(times, monkeypatch) -> None:
    graph = grape.datasets.load("planted-roles", num_shapes=180)
    monkeypatch.setattr(estimate, "slowness", lambda: 1.0)
    (before,) = grape.plan(graph, "diamond").matching
    monkeypatch.setattr(estimate, "slowness", lambda: times)
    (after,) = grape.plan(graph, "diamond").matching
    assert before.engine == after.engine == "algebra"
    assert after.bytes == before.bytes
    touched = estimate._SECONDS_PER_BYTE * before.bytes
    assert after.seconds - touched == pytest.approx(times * (before.seconds - touched))
