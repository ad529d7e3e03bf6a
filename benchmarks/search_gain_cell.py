"""One cell of `search_gain.py`: a search on a graph, then trainings whose test score is looked at.

Everything is chosen by validation. The trainings are with the templates found and with the sets
that the task compares with, all with the same seed and split. Without ``train`` there is the search
only. Its clock is that of the processor, so that other load on the machine changes nothing: budgets
and times are of this process.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch

import grape_gnn as grape
from cell import cpu_seconds, memory_in_use
from grape_gnn.search import SearchResult
from search_tasks import TASKS


def main(job: dict[str, Any]) -> dict[str, Any]:
    torch.set_num_threads(1)
    time.monotonic = cpu_seconds
    task, seed = TASKS[job["task"]], job["seed"]
    graph, masks = task.graph(), task.masks(seed)
    before, start = memory_in_use(), cpu_seconds()
    settings = grape.SearchSettings(seed=seed, model=task.model, **job["settings"])
    result = grape.search(graph, job["budget"], settings, rounds=job["rounds"], **masks)
    found = facts(result) | {
        "search_seconds": cpu_seconds() - start,
        "memory": memory_in_use(peak=True) - before,
    }
    if job["train"]:
        chosen = {**task.templates, "search": result.templates}
        for name, templates in chosen.items():
            model = grape.GrapeClassifier(templates, **task.model, seed=seed).fit(graph, **masks)
            found[name] = task.test_score(model, graph)
    return found | {"seconds": cpu_seconds() - start}


def facts(result: SearchResult) -> dict[str, Any]:
    """Return what is to be told of a search."""
    history = result.history
    took = {
        fitness: sum(each.evaluation_seconds for each in history.computed(fitness))
        for fitness in ("ridge", "training")
    }
    return {
        "templates": [template.name or template.text for template in result.templates],
        "ended": result.ended,
        "rounds": history.rounds,
        "genes": sum(1 for _ in history.computed("ridge")),
        "shapes": len({t for each in history for t in each.gene.texts}),
        "matching": history.matching_seconds,
        "judging": took,
        "best_ridge": history.curve()[-1],
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
