"""Induced roles by the algebra and by enumeration, on Amherst41; one thread, processor time.

    python benchmarks/induced.py [--seconds 60]

All roles of a template, and once multiplied by 32 columns, by both engines; what ``engine="auto"``
chooses is marked. Then instances per ego (`count_instances`) against the same enumeration without
role matrices. What is expected to take longer than ``--seconds`` is not run: its time is the
estimate of the cost model, marked by "about".
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import grape_gnn as grape
from grape_gnn.roles.algebra import CostModel, choose_engine
from grape_gnn.roles.engine import MatchSettings
from grape_gnn.roles.enumerate import enumerate_totals
from machine import describe_machine
from start import start

ROLES = (
    "3-path", "4-path", "4-star", "4-cycle", "tailed-triangle", "diamond", "5-path", "5-star",
    "house", "bull",
)  # fmt: skip
TOTALS = ("4-path", "4-cycle", "diamond", "5-path", "5-star", "5-cycle", "house", "5-clique")
SETTINGS = MatchSettings(induced=True)


def seconds_of(run: Callable[[], object]) -> str:
    start = time.process_time()
    run()
    return f"{time.process_time() - start:.3f} s"


def multiplied(graph: grape.Graph, template: grape.Template, engine: str, features: Any) -> None:
    roles = grape.match(graph, template, induced=True, engine=engine, threads=1)[0]
    _ = roles @ features


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    most = parser.parse_args().seconds
    print(describe_machine())
    graph = grape.datasets.load("amherst")
    features = np.random.default_rng(0).random((graph.num_nodes, 32)).astype(np.float32)
    model = CostModel(graph, induced=True)
    print(graph, "\nall roles, multiplied once: algebra, enumeration")
    for name in ROLES:
        template = grape.template(name)
        chosen = choose_engine(model, template, SETTINGS)
        cells = []
        for engine in ("algebra", "enumerate"):
            expected = getattr(model, {"enumerate": "enumeration"}.get(engine, engine))(template)
            took = f"about {expected:.0f} s"
            if expected <= most:
                took = seconds_of(partial(multiplied, graph, template, engine, features))
            cells.append(took + ("*" if engine == chosen else ""))
        print(f"  {name}: {', '.join(cells)}", flush=True)
    print("instances per ego: count_instances, enumeration")
    for name in TOTALS:
        template = grape.template(name)
        ours = seconds_of(
            lambda template=template: grape.count_instances(
                graph, template, induced=True, threads=1
            )
        )
        expected = model.enumeration(template)
        other = f"about {expected:.0f} s"
        if expected <= most:
            other = seconds_of(
                lambda template=template: enumerate_totals(graph, template, SETTINGS)
            )
        print(f"  {name}: {ours}, {other}", flush=True)


if __name__ == "__main__":
    start(main)
