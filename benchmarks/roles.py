"""Time all role matrices of the usual templates against the peers (``make bench``).

Every row is one template on one graph: our CPU time with one thread, wall time with two,
memory, and the ratio of each peer's CPU time in the same run to ours. No peer computes role
matrices; the notes under each table say what it computed instead. Where a peer did not
finish, the ratio is a lower bound and marked as one.

The table is printed and written with the raw figures to ``benchmarks/out/``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import grape_gnn as grape
from cell import run_cell
from generated import social_edges
from grape_gnn.errors import GrapeError
from machine import describe_machine
from peers import PEERS
from start import facebook_file, start
from table import print_tables, write_markdown

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "benchmarks" / "out"
TEMPLATES = {
    "S1 edge": "edge",
    "S2 3-path": "3-path",
    "S3 triangle": "triangle",
    "S5 4-clique": "4-clique",
    "S6 tailed triangle": "tailed-triangle",
    "4-path": "4-path",
    "diamond": "diamond",
    "5-clique": "5-clique",
    "house": "house",
}
# What a tuned kernel needs for the materialised matrices on Amherst41, one thread.
TARGETS = {
    "S3 triangle": 0.013,
    "S5 4-clique": 0.018,
    "S6 tailed triangle": 0.033,
    "5-clique": 0.057,
}


def load_graphs(
    data: Path | None, wanted: list[str]
) -> Iterator[tuple[str, int, NDArray[np.int64]]]:
    """Yield (name, number of nodes, edges) of every wanted graph that is at hand."""
    for name in wanted:
        if name == "generated":
            edges = social_edges()
            yield name, int(edges.max()) + 1, edges
            continue
        try:
            path = facebook_file(name, data)
        except GrapeError as missing:
            print(f"{name} is left out: {missing}")
            continue
        graph = grape.read_graph(path)
        yield name, graph.num_nodes, graph.edge_array()


def measure_row(name: str, job: dict[str, Any], options: argparse.Namespace) -> dict[str, Any]:
    """Measure one template on one graph: ours, then every peer."""
    template = grape.template(TEMPLATES[name])
    ours = run_cell(
        "ours",
        job | {"template": template.text, "engine": options.engine, "seconds": options.our_seconds},
    )
    maps = ours.get("instances", 0) * template.num_automorphisms
    row: dict[str, Any] = {"template": name, "ours": ours, "maps": maps, "peers": {}}
    for peer in options.peers:
        row["peers"][peer] = run_cell(
            "peers",
            job | {"peer": peer, "pattern": template.edges, "seconds": options.peer_seconds},
        )
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with facebook100/, else GRAPE_DATA")
    parser.add_argument("--peer-seconds", type=float, default=30, help="CPU time for a peer")
    parser.add_argument("--our-seconds", type=float, default=120, help="CPU time for us")
    parser.add_argument("--engine", default="enumerate")
    parser.add_argument("--graphs", nargs="+", default=["Amherst41", "Rochester38", "generated"])
    parser.add_argument("--templates", nargs="+", choices=TEMPLATES, default=list(TEMPLATES))
    parser.add_argument("--peers", nargs="*", choices=PEERS, default=list(PEERS))
    options = parser.parse_args()

    results: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, num_nodes, edges in load_graphs(options.data, options.graphs):
            path = Path(folder) / f"{name}.npy"
            np.save(path, edges)
            job = {"edges": str(path), "num_nodes": num_nodes}
            result = {"graph": name, "num_nodes": num_nodes, "num_edges": len(edges), "rows": []}
            results.append(result)
            for template in options.templates:
                row = measure_row(template, job, options)
                row["target"] = TARGETS.get(template) if name == "Amherst41" else None
                result["rows"].append(row)
                print(f"{name}, {template}: {json.dumps(row)}", flush=True)
                write(results, options)
    print(describe_machine()["processor"])
    print_tables(results)
    print(f"written: {OUT / 'roles.md'}, {OUT / 'roles.json'}")


def write(results: list[dict[str, Any]], options: argparse.Namespace) -> None:
    """Write what there is after every row, so that a stopped run is not lost."""
    OUT.mkdir(exist_ok=True)
    report = {
        "machine": describe_machine(),
        "engine": options.engine,
        "peer_seconds": options.peer_seconds,
        "graphs": results,
    }
    (OUT / "roles.json").write_text(json.dumps(report, indent=1))
    write_markdown(results, describe_machine()["processor"], OUT / "roles.md")


if __name__ == "__main__":
    start(main)
