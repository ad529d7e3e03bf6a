"""One search by one method with one seed, for `search.py`.

Searches for the given time, with short trainings, then trains GRAPE once in full with the templates
found and measures its test accuracy: the only look at the test labels. A job with ``templates``
does the latter only.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import grape_gnn as grape
from cell import memory_in_use


def main(job: dict[str, Any]) -> dict[str, Any]:
    graph = grape.datasets.load(job["graph"])
    before = memory_in_use()
    if "templates" in job:
        model = grape.GrapeClassifier(job["templates"], seed=job["seed"]).fit(graph)
        history = model.history_
        accuracy = history.epochs[history.best].validation_accuracy
        return {"retrained_validation": accuracy, "test": model.score(graph)}
    found = grape.search(
        graph, job["budget"], grape.SearchSettings(seed=job["seed"], **job["options"])
    )
    peak = memory_in_use(peak=True) - before
    model = grape.GrapeClassifier(found.templates, seed=job["seed"]).fit(graph)
    history = found.history
    retrained = model.history_.epochs[model.history_.best].validation_accuracy
    return {
        "validation": found.validation_accuracy,
        "start": found.start.validation_accuracy,
        "retrained_validation": retrained,
        "test": model.score(graph),
        "templates": found.best.texts,
        "names": [template.name or template.text for template in found.templates],
        "rounds": history.rounds,
        "evaluations": sum(1 for _ in history.computed()),
        "epochs": sum(each.epochs for each in history.computed()),
        "matching": history.matching_seconds,
        "training": history.evaluation_seconds,
        "seconds": history[-1].seconds,
        "curve": history.curve(),
        "ended": found.ended,
        "memory": peak,
    }


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
