"""An experiment small enough to test everything around it."""

from __future__ import annotations

import json

import pytest

from grape_gnn.errors import GrapeError
from reproduction import Experiment
from reproduction.experiment import Section


def cells(profile):
    return [{"dataset": d, "method": m} for d in ("here", "there") for m in ("one", "two")]


def run(cell, profile, folder):
    """Count the attempts, as an experiment that goes on from its folder would."""
    tries = folder / "tries.json"
    count = json.loads(tries.read_text()) + 1 if tries.exists() else 1
    tries.write_text(json.dumps(count))
    if cell == {"dataset": "there", "method": "two"} and count == 1:
        raise GrapeError("the file is not there")
    return {"tries": count, "seeds": list(profile.seeds)}


def fingerprint(cell, profile):
    return {"method": cell["method"], "seeds": profile.seeds}


def section(records):
    return Section(f"{len(records)} cells.\n", {"dot.svg": "<svg/>"})


@pytest.fixture
def tiny():
    """Give an experiment of four cells, the last of which fails at the first attempt."""
    return Experiment("tiny", "A tiny one", cells, run, fingerprint, section)
