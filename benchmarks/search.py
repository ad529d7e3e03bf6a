"""Matching in a search: incremental against ESU (``make bench-search``).

The processor time of every engine for one sequence of mutated templates. What a search gains is in
`search_gain.py`, how its cheap fitness agrees with training in `search_agreement.py`.

    make bench-search                                # everything, for an hour or two
    python benchmarks/search.py --esu-seconds 20

Figures go to ``benchmarks/out/search.json`` and the tables to ``benchmarks/out/search.md``; with
``--docs`` also into ``docs/search.md``. Graphs that are not run keep their figures.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import grape_gnn as grape
from search_matching import MUTATED
from search_records import keep, kept, publish
from search_table import matching_table
from start import check_datasets, start

ENGINES = ("incremental", "esu", "auto")


def measure_matching(graph: str, options: argparse.Namespace) -> dict[str, Any]:
    templates = [grape.template(name).canonical for name in MUTATED[: options.templates]]
    job = {"graph": graph, "memory": options.memory, "templates": templates}
    found: dict[str, Any] = {"templates": templates, "esu_seconds": options.esu_seconds}
    for engine in ENGINES:
        limit = options.esu_seconds if engine == "esu" else options.our_seconds
        found[engine] = lines_of(job | {"engine": engine, "seconds": limit})
        print(f"{graph}, {engine}: {json.dumps(found[engine])}", flush=True)
    return found


def lines_of(job: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a matching cell and keep every line it printed."""
    import subprocess
    import sys

    script = Path(__file__).with_name("search_matching.py")
    child = subprocess.run(
        [sys.executable, str(script), json.dumps(job)], capture_output=True, text=True, check=False
    )
    if child.returncode != 0:
        raise SystemExit(child.stderr)
    return [json.loads(line) for line in child.stdout.splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="+", default=["amherst", "hamilton"])
    parser.add_argument("--templates", type=int, default=len(MUTATED), help="so many of them")
    parser.add_argument("--memory", default="1GB", help="for stored instances")
    parser.add_argument("--esu-seconds", type=float, default=300, help="CPU time per template")
    parser.add_argument("--our-seconds", type=float, default=300, help="CPU time per template")
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/search.md")
    options = parser.parse_args()

    check_datasets(options.graphs)
    report = kept("search")
    for graph in options.graphs:
        report[graph] = measure_matching(graph, options)
        keep("search", report)
    tables = "\n\n".join(matching_table(graph, known) for graph, known in report.items())
    publish("search", {"matching": tables}, options.docs)


if __name__ == "__main__":
    start(main)
