"""How often ``engine="auto"`` picks the better engine: all 69 templates of 4 and 5 nodes.

For every anchored template, on Amherst41 and on a Barabási-Albert graph (100,000 nodes, m = 5),
the CPU time with one thread of ``match(graph, [template], engine=...)[0] @ features`` with 32
float32 columns: what training pays before its second epoch, and the only thing that users who
never look at a role matrix pay. Planning is included. The ratio is that of ``auto`` to the better
of ``algebra`` and ``enumerate``; where neither ends within its limit nothing is compared.

The engines take turns, so that other load disturbs all alike. Cells of a few seconds are measured
in several processes, of which the least time counts: where the features happen to lie in memory,
and who else uses the cache, moves a time by half.

Cells are kept in ``benchmarks/out/auto.json`` with the number of their measurements; ``--rounds``
asks for more, of all cells alike. To begin anew delete the file, or name the engines to
``--again``, for all templates or for those of ``--templates``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import run_cell
from generated import hub_edges
from grape_gnn.template import all_templates
from machine import describe_machine
from start import facebook_file, start
from table import seconds as in_words

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "benchmarks" / "out"
ENGINES = ("algebra", "enumerate", "auto")
SIZES = (4, 5)
TEMPLATES = [template.text for size in SIZES for template in all_templates(size)]
SHORT = 5.0  # seconds; longer cells are measured once
# Shares of the templates that have to stay within these ratios.
TARGETS = ((1.3, 0.95), (2.0, 1.0))

Cells = dict[str, dict[str, dict[str, dict[str, Any]]]]  # graph, template, engine


def load(name: str, data: Path | None) -> tuple[int, Any]:
    """Return the number of nodes and the edges of a graph."""
    if name == "Amherst41":
        graph = grape.read_graph(facebook_file("Amherst41", data))
        return graph.num_nodes, graph.edge_array()
    edges = hub_edges(100_000, 5)
    return int(edges.max()) + 1, edges


def measure(cells: Cells, name: str, options: argparse.Namespace, path: Path) -> None:
    """Fill in the cells of one graph that are missing."""
    num_nodes, edges = load(name, options.data)
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "edges.npy", edges)
        job = {"edges": str(Path(folder) / "edges.npy"), "num_nodes": num_nodes}
        job |= {"seconds": options.seconds, "written": options.written}
        for template in options.templates:
            row = cells.setdefault(name, {}).setdefault(template, {})
            take_turns(row, options.engines, options.rounds, job, template)
            print(name, template, json.dumps(row), flush=True)
            path.write_text(json.dumps(cells, indent=1))


def take_turns(
    row: dict[str, dict[str, Any]],
    engines: Sequence[str],
    rounds: int,
    job: dict[str, Any],
    template: str,
) -> None:
    """Time engines on a template in turn until all short cells have had their rounds."""
    for number in range(1, rounds + 1):
        for engine in engines:
            known = row.get(engine)
            if known is not None and (
                known["rounds"] >= number or cut(known) or known["seconds"] > SHORT
            ):
                continue
            found = run_cell("auto_cell", job | {"template": template, "engine": engine})
            if known is None or found.get("seconds", np.inf) < known["seconds"]:
                row[engine] = found
            row[engine]["rounds"] = number


def ratio(row: dict[str, dict[str, Any]], measured: str) -> float | None:
    """How many times the better engine's time `auto` took; None if nothing can be compared."""
    best = min(
        (row[engine].get(measured, np.inf) for engine in ENGINES[:2] if not cut(row[engine])),
        default=np.inf,
    )
    auto = row["auto"].get(measured)
    return None if auto is None or not np.isfinite(best) else auto / best


def cut(cell: dict[str, Any]) -> bool:
    return bool(cell.get("unfinished")) or "error" in cell


def describe(name: str, rows: dict[str, dict[str, dict[str, Any]]], measured: str) -> list[str]:
    """Say how the ratios are distributed, and name the worst."""
    whole = {template: row for template, row in rows.items() if set(row) == set(ENGINES)}
    ratios = {t: r for t, row in whole.items() if (r := ratio(row, measured)) is not None}
    if not ratios:
        return [f"## {name}", "", "Nothing to compare.", ""]
    values = np.array(list(ratios.values()))
    lines = [f"## {name}: {len(ratios)} of {len(whole)} templates compared", ""]
    for bound, share in TARGETS:
        within = (values <= bound).mean()
        verdict = "met" if within >= share else "missed"
        lines.append(f"- within {bound}x: {within:.0%} (target {share:.0%}: {verdict})")
    lines += [
        f"- median {np.median(values):.2f}x, 95th percentile {np.quantile(values, 0.95):.2f}x",
        "",
        "| template | algebra | enumerate | auto | ratio | roles by |",
        "|---|---|---|---|---|---|",
    ]
    for template in sorted(ratios, key=lambda t: -ratios[t])[:10]:
        times = [in_figures(whole[template][engine], measured) for engine in ENGINES]
        kinds = ", ".join(kind.removesuffix("Role") for kind in whole[template]["auto"]["kinds"])
        lines.append(f"| {template} | {' | '.join(times)} | {ratios[template]:.2f} | {kinds} |")
    missing = [t for t in whole if t not in ratios]
    if missing:
        lines += ["", f"Ended by no engine: {'; '.join(missing)}"]
    return [*lines, ""]


def in_figures(cell: dict[str, Any], measured: str) -> str:
    if "error" in cell:
        return "out of memory" if "emory" in cell["error"] else cell["error"]
    if cut(cell):
        return f"> {in_words(cell['seconds'])}"
    return in_words(cell[measured])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with facebook100/, else GRAPE_DATA")
    parser.add_argument("--seconds", type=float, default=15, help="CPU time for one cell")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of a short cell")
    parser.add_argument("--graphs", nargs="+", default=["Amherst41", "Barabasi-Albert"])
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    parser.add_argument(
        "--templates", nargs="+", choices=TEMPLATES, default=TEMPLATES, metavar="TEMPLATE"
    )
    parser.add_argument("--again", nargs="+", choices=ENGINES, default=[], help="forget these")
    parser.add_argument("--written", action="store_true", help="also time writing matrices out")
    options = parser.parse_args()
    OUT.mkdir(exist_ok=True)
    path = OUT / "auto.json"
    cells: Cells = json.loads(path.read_text()) if path.exists() else {}
    for name in options.graphs:
        for template in options.templates:
            for engine in options.again:
                cells.get(name, {}).get(template, {}).pop(engine, None)
    lines = ["# engine='auto' against the better engine", ""]
    lines += [f"{describe_machine()['processor']}, CPU time, one thread.", ""]
    for name in options.graphs:
        measure(cells, name, options, path)
        lines += describe(name, cells[name], "seconds")
        if options.written:
            lines += ["Matching and writing the matrices out:", ""]
            lines += describe(name, cells[name], "written")
    (OUT / "auto.md").write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    start(main)
