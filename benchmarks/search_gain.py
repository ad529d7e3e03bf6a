"""What the search gains: over edges alone, and over hand-made sets of templates.

On every graph, over several seeds (published splits where there are any): GRAPE with edges, with
the social set, on cubic shapes with the right templates, and with what the search finds. Then the
paper's methods and engines for the same time: how many genes they see, and what becomes of the
time.

    python benchmarks/search_gain.py                       # 45 minutes of processor time
    python benchmarks/search_gain.py --tasks minesweeper --seeds 2
    python benchmarks/search_gain.py --parts gain --docs   # and write into docs/search.md

One process at a time; what is known from an earlier run is kept (``benchmarks/out``).
"""

from __future__ import annotations

import argparse
import json
from statistics import mean, stdev
from typing import Any

from cell import run_cell
from machine import describe_machine
from search_records import keep, kept, publish
from search_tasks import TASKS
from start import start

SEARCH, FIXED = "search", ("edges alone", "social set", "the right ones")
METHODS: dict[str, dict[str, Any]] = {
    "Random+ESU": {"method": "random", "engine": "esu"},
    "Bayesian+ESU": {"method": "bayesian", "engine": "esu"},
    "Genetic+ESU": {"method": "genetic", "engine": "esu"},
    "Genetic+INC": {"method": "genetic", "engine": "incremental"},
    "Genetic+auto": {"method": "genetic", "engine": "auto"},
}
_NAMES = tuple(name for name in TASKS if name != "planted roles")


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Run what is not known yet."""
    report = kept("search_gain")

    def note(part: str, task: str, name: str, job: dict[str, Any]) -> None:
        runs = report.setdefault(part, {}).setdefault(task, {}).setdefault(name, {})
        if str(job["seed"]) not in runs:
            runs[str(job["seed"])] = run_cell("search_gain_cell", {"task": task, **job})
            print(
                f"{task}, {name}, {job['seed']}: {json.dumps(runs[str(job['seed'])])}", flush=True
            )
            keep("search_gain", report)

    for task in options.tasks:
        for seed in range(options.seeds if "gain" in options.parts else 0):
            job = {"seed": seed, "settings": {}, "budget": None, "rounds": options.rounds}
            note("gain", task, SEARCH, job | {"train": True})
        for name, settings in METHODS.items() if "methods" in options.parts else ():
            job = {"seed": 0, "settings": settings, "budget": options.budget, "rounds": None}
            note("methods", task, name, job | {"train": False})
    return report


def gain_table(report: dict[str, Any]) -> str:
    """One row per graph."""
    lines = [
        "| graph | edges | social set | right templates | search | over edges | over social | "
        "genes | templates | matching | ridge | training | search in all |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for task, rows in report["gain"].items():
        runs = [run for run in rows[SEARCH].values() if SEARCH in run]
        tests = {
            name: [100 * run[name] for run in runs if name in run] for name in (*FIXED, SEARCH)
        }
        cells = [task, *map(spread, tests.values())]
        for other in FIXED[:2]:
            pairs = zip(tests[SEARCH], tests[other], strict=True)
            cells.append(spread([search - than for search, than in pairs], sign=True))
        cells += [f"{mean(run[key] for run in runs):.0f}" for key in ("genes", "shapes")]
        times = [[run["matching"] for run in runs]]
        times += [[run["judging"][key] for run in runs] for key in ("ridge", "training")]
        times.append([run["search_seconds"] for run in runs])
        cells += [f"{mean(each):.1f} s" for each in times]
        lines.append(f"| {' | '.join(cells)} |")
    lines += ["", f"One thread; {describe_machine()['processor']}."]
    return "\n".join(lines)


def methods_table(report: dict[str, Any]) -> str:
    """One row per graph and method."""
    lines = [
        "| graph | method | genes | templates | matching | ridge | training | best by ridge |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for task, rows in report["methods"].items():
        for name, by_seed in rows.items():
            run = by_seed["0"]
            if "genes" not in run:
                lines.append(f"| {task} | {name} | {run.get('error', 'no result')} | | | | | |")
                continue
            lines.append(
                f"| {task} | {name} | {run['genes']} | {run['shapes']} | {run['matching']:.1f} s | "
                f"{run['judging']['ridge']:.1f} s | {run['judging']['training']:.1f} s | "
                f"{100 * run['best_ridge'][1]:.1f}% |"
            )
    return "\n".join(lines)


def spread(values: list[float], sign: bool = False) -> str:
    """Mean and standard error."""
    if not values:
        return ""
    middle = f"{mean(values):{'+' if sign else ''}.1f}"
    return f"{middle} ± {stdev(values) / len(values) ** 0.5:.1f}" if len(values) > 1 else middle


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", nargs="+", default=list(_NAMES), choices=list(TASKS))
    parser.add_argument("--parts", nargs="+", default=["gain", "methods"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=100, help="of a search for its gain")
    parser.add_argument("--budget", default="30s", help="of a search for its speed")
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/search.md")
    options = parser.parse_args()
    for name in options.tasks:
        TASKS[name].graph()  # what is not there is said before the cells fail one by one
    report = measure(options)
    made = {"gain": gain_table, "methods": methods_table}
    publish("search_gain", {part: made[part](report) for part in report}, options.docs)


if __name__ == "__main__":
    start(main)
