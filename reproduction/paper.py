"""The paper's own numbers, as printed, to stand next to ours; ``paper.json`` has them all."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["paper_accuracy", "paper_facts"]

# The paper's Amazon graph (Music) is too large to be at hand; see docs/results.md.
STAND_INS = {"amazon-dvd": "amazon"}


@cache
def _all() -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(Path(__file__).with_name("paper.json").read_text("utf-8"))
    return facts


def paper_facts(name: str) -> dict[str, Any]:
    """Return what the paper prints in a table or says of a figure, with its source.

    Examples
    --------
    >>> paper_facts("fig3b")["source"]
    'Fig. 3b and Section 4.1, on Lehigh'
    """
    facts: dict[str, Any] = _all()[name]
    return facts


def paper_accuracy(table: str, method: str, dataset: str) -> tuple[float, float] | None:
    """Return mean and standard deviation in percent; None where the paper has no such entry.

    Examples
    --------
    >>> paper_accuracy("table1", "grape", "amherst")
    (32.6, 2.2)
    >>> paper_accuracy("table1", "mlp", "amherst") is None
    True
    """
    row = paper_facts(table)["accuracy"].get(method, {})
    entry = row.get(STAND_INS.get(dataset, dataset))
    return None if entry is None else (entry[0], entry[1])
