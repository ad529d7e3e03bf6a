"""What learning nothing between the hops costs: the presets ``decoupled`` and ``default``.

    GRAPE_DATA=<folder with the datasets> python benchmarks/decoupled_accuracy.py cora amherst

By the protocol of the arena, without label inputs: its grid and splits, settings chosen on
validation nodes, for `decoupled` those of the first split, because trainings in mini-batches are
long. `default` is *GRAPE* of the arena's records. Trainings are kept in
``out/decoupled_accuracy.jsonl``, and a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from arena.entrants import GRAPE  # noqa: E402  the arena is no installed package
from arena.scores import Scores  # noqa: E402
from arena.tasks import PAPER_TASKS, Task, find_tasks  # noqa: E402
from grape_gnn.comparison import compare  # noqa: E402
from grape_gnn.estimator.decoupled import Decoupled  # noqa: E402
from start import start  # noqa: E402

RECORDS = ROOT / "benchmarks" / "out" / "decoupled_accuracy.jsonl"


def row(task: Task) -> str:
    """Train on all splits of a task and compare them with the arena's, split by split."""
    chosen = Decoupled(task.templates)
    runs = compare(
        task.graph(),
        [chosen],
        dataset=task.dataset,
        features=task.features,
        seeds=task.seeds,
        metric=task.metric,
        splits=task.splits(),
        profile=replace(task.profile, splits=1, finals=False),
        results=RECORDS,
    )
    mine = {run.seed: run.test_score for run in runs}
    layered = Scores().tested(1, task.name, GRAPE)
    apart = 100 * np.array([mine[seed] - layered[seed] for seed in mine])
    error = apart.std(ddof=1) / np.sqrt(apart.size)
    means = [100 * np.mean([scores[seed] for seed in mine]) for scores in (mine, layered)]
    return f"| {task.name} | {means[0]:.1f} | {means[1]:.1f} | {apart.mean():+.1f} ± {error:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", default=list(PAPER_TASKS), help="tasks of the arena")
    RECORDS.parent.mkdir(exist_ok=True)
    print("| graph | `decoupled` | `default` | difference |\n|---|---|---|---|")
    for task in find_tasks(parser.parse_args().tasks):
        print(row(task), flush=True)


if __name__ == "__main__":
    start(main)
