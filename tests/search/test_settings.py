"""Settings refuse what cannot be searched, and say why."""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from grape_gnn.errors import GrapeError, SearchError
from grape_gnn.search.budget import make_budget
from grape_gnn.search.settings import SearchSettings


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"method": "luck"}, "method='luck' is unknown: use one of genetic, random, bayesian"),
        ({"engine": "vf2"}, "engine='vf2' is unknown"),
        ({"population": 1}, "population=1 must be at least 2"),
        ({"templates_per_gene": 0}, "templates_per_gene=0 must be at least 1"),
        ({"max_nodes": 9}, "at most 8"),
        ({"eliminate": 9}, "at most half of population=16"),
        ({"fitness": "luck"}, "fitness='luck' is unknown: use 'ridge' or 'training'"),
        ({"finalists": 0}, "finalists=0 must be at least 1"),
        ({"eliminate": 1.5}, "eliminate=1.5 must be a whole number"),
        ({"seed": "x"}, "seed='x' must be a whole number"),
        ({"model": "epochs"}, "must be a dictionary"),
        ({"elites": 16}, "elites=16"),
        (
            {"node_probability": 1.5},
            "node_probability=1.5 must be a number, at least 0 and at most 1",
        ),
        ({"node_probability": 0.6, "edge_probability": 0.6}, "must not add up to more than 1"),
        ({"memory": "many"}, "cannot read 'many' as a size"),
        ({"memory": 0}, "leaves no room"),
        ({"match_time": "soon"}, "cannot read 'soon' as a duration"),
    ],
)
def test_bad_settings(given, message):
    with pytest.raises(GrapeError, match=message):
        SearchSettings(**given)


def test_settings_go_through_json():
    settings = SearchSettings(population=6, model={"epochs": 7}, memory="1GB")
    assert SearchSettings.from_json(settings.to_json()) == settings


def test_budgets():
    assert make_budget("90s", 4).over(3, 91.0) == "time"
    assert make_budget("90s", 4).over(4, 1.0) == "rounds"
    assert make_budget("90s", 4).over(3, 1.0) is None
    assert make_budget("90s", None).left(100.0) == 0.0
    assert make_budget(None, 2).left(1e9) is None
    with pytest.raises(SearchError, match="rounds=-1 must not be negative"):
        make_budget(None, -1)
    with pytest.raises(SearchError, match="leaves no time"):
        make_budget(0, None)


def test_the_guide_lists_every_setting_as_it_is():
    guide = (Path(__file__).parents[2] / "docs" / "search.md").read_text(encoding="utf-8")
    for each in fields(SearchSettings):
        about = each.metadata
        default = "" if each.default in (MISSING, None) else f"`{each.default}`"
        row = f"| `{each.name}` | {about.get('paper', '')} | {default} | {about['meaning']} |"
        assert " ".join(row.split()) in guide, row
