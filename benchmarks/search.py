"""The search against its baselines (``make bench-search``).

First matching alone: the processor time of incremental matching and of ESU for one sequence of
mutated templates. Then whole searches: every method for the same time, over several seeds, with
the validation accuracy it found and, measured once, the test accuracy of its templates; and the
same for edges alone and for the hand-made social set.

    make bench-search                                          # everything, for hours
    python benchmarks/search.py --parts matching --esu-seconds 20
    python benchmarks/search.py --parts methods --budget 60 --seeds 3

Figures go to ``benchmarks/out/search.json`` and the tables to ``benchmarks/out/search.md``; with
``--docs`` also into ``docs/search.md``. Parts that are not run keep their figures.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
from pathlib import Path
from typing import Any

from cell import run_cell
from grape_gnn.search.curve import curve_svg
from search_matching import mutated_templates
from search_table import matching_table, methods_table

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "benchmarks" / "out"
ENGINES = ("incremental", "esu", "auto")
METHODS: dict[str, dict[str, Any]] = {
    "Random+ESU": {"method": "random", "engine": "esu"},
    "Bayesian+ESU": {"method": "bayesian", "engine": "esu"},
    "Genetic+ESU": {"method": "genetic", "engine": "esu"},
    "Genetic+INC": {"method": "genetic", "engine": "incremental"},
    "Genetic+auto": {"method": "genetic", "engine": "auto"},
}
FIXED = {"edges alone": ["0-1"] * 3, "social set": "social"}


def measure_matching(graph: str, options: argparse.Namespace) -> dict[str, Any]:
    templates = mutated_templates(options.templates, options.max_nodes, seed=0)
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


def measure_methods(
    graph: str, options: argparse.Namespace, found: dict[str, Any]
) -> dict[str, Any]:
    """Run every method with every seed; what is known from an earlier run is kept."""
    for seed in range(options.seeds):
        for name, templates in FIXED.items():
            job = {"graph": graph, "seed": seed, "templates": templates, "seconds": 36000}
            note(found, name, seed, lambda job=job: run_cell("search_method", job))
        for name, settings in METHODS.items():
            model = {"epochs": options.epochs, "patience": options.epochs // 4}
            chosen = {"max_nodes": options.max_nodes, "model": model, **settings}
            job = {
                "graph": graph, "seed": seed, "budget": options.budget, "options": chosen,
                "seconds": 36000,
            }  # fmt: skip
            note(found, name, seed, lambda job=job: run_cell("search_method", job))
    return found


def note(found: dict[str, Any], name: str, seed: int, measure: Any) -> None:
    runs = found.setdefault(name, {})
    if str(seed) not in runs:
        runs[str(seed)] = measure()
        print(f"{name}, seed {seed}: {json.dumps(runs[str(seed)])}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="+", default=["amherst", "hamilton"])
    parser.add_argument("--parts", nargs="+", default=["matching", "methods"])
    parser.add_argument("--templates", type=int, default=14, help="length of the sequence")
    parser.add_argument("--max-nodes", type=int, default=5, help="largest template")
    parser.add_argument("--memory", default="1GB", help="for stored instances")
    parser.add_argument("--esu-seconds", type=float, default=300, help="CPU time per template")
    parser.add_argument("--our-seconds", type=float, default=300, help="CPU time per template")
    parser.add_argument("--budget", default="10m", help="time of every search")
    parser.add_argument("--epochs", type=int, default=100, help="of every evaluation")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--docs", action="store_true", help="write the tables into docs/search.md")
    options = parser.parse_args()

    OUT.mkdir(exist_ok=True)
    file = OUT / "search.json"
    report = json.loads(file.read_text()) if file.exists() else {}
    report["machine"] = f"{platform.platform()}, Python {platform.python_version()}"
    for graph in options.graphs:
        known = report.setdefault(graph, {})
        if "matching" in options.parts:
            known["matching"] = measure_matching(graph, options)
        if "methods" in options.parts:
            before = known.get("methods", {})
            size = {"budget": options.budget, "epochs": options.epochs}
            if {key: before.get(key) for key in size} != size:  # others cannot be compared
                before = {**size, "runs": {}}
            known["methods"] = before
            measure_methods(graph, options, before["runs"])
        file.write_text(json.dumps(report, indent=1))
    write_tables(report, options.docs)


def write_tables(report: dict[str, Any], into_docs: bool) -> None:
    texts: dict[str, list[str]] = {"matching": [], "methods": []}
    for graph, known in report.items():
        if graph == "machine":
            continue
        if "matching" in known:
            texts["matching"].append(matching_table(graph, known["matching"]))
        if "methods" in known:
            texts["methods"].append(methods_table(graph, known["methods"]))
            curves = {
                name: runs["0"]["curve"]
                for name, runs in known["methods"]["runs"].items()
                if name in METHODS and "curve" in runs.get("0", {})
            }
            (OUT / f"search-{graph}.svg").write_text(curve_svg(curves))
    tables = {part: "\n\n".join(text) for part, text in texts.items()}
    (OUT / "search.md").write_text("\n\n".join(tables.values()) + "\n")
    print((OUT / "search.md").read_text())
    if into_docs:
        page = ROOT / "docs" / "search.md"
        text = page.read_text()
        for part, table in tables.items():
            marks = f"<!-- {part} -->", f"<!-- end of {part} -->"
            pattern = re.compile(f"{marks[0]}.*?{marks[1]}", re.DOTALL)
            if table:
                text = pattern.sub(lambda _, m=marks, t=table: f"{m[0]}\n\n{t}\n\n{m[1]}", text)
        page.write_text(text)


if __name__ == "__main__":
    main()
