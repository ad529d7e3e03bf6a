"""How well hidden links are found: GRAPE, common neighbours and Adamic-Adar on the same pairs.

    python benchmarks/links.py FOLDER

``FOLDER`` has edge lists, ``NAME.edges.txt``, two node numbers a line; further columns are left
out. Prints the rows of the table in ``docs/guide/links.md`` and the processor seconds of all splits
together.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from grape_gnn.graph import Graph
from grape_gnn.links import evaluate_links, mean_figures

SPLITS, SEED = 10, 100


def read(path: Path) -> Graph:
    ends = np.loadtxt(path)[:, :2].astype(np.int64)
    nodes, numbers = np.unique(ends, return_inverse=True)
    return Graph.from_edges(*numbers.reshape(ends.shape).T, num_nodes=len(nodes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="with edge lists, NAME.edges.txt")
    paths = sorted(parser.parse_args().folder.glob("*.edges.txt"))
    if not paths:
        parser.error("the folder has no NAME.edges.txt")
    print("| graph | nodes | links | method | AUC | AP | Hits@50 | MRR | seconds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for path in paths:
        graph = read(path)
        start = time.process_time()
        found = evaluate_links(graph, SPLITS, SEED)
        seconds = time.process_time() - start
        for method, figures in mean_figures(found).items():
            texts = [f"{100 * mean:.2f} ± {100 * spread:.2f}" for mean, spread in figures.values()]
            about = (path.name.split(".")[0], f"{graph.num_nodes:,}", f"{graph.num_edges:,}")
            print("|", " | ".join((*about, method, *texts, f"{seconds:.0f}")), "|", flush=True)


if __name__ == "__main__":
    main()
