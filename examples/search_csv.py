"""Template search on a graph of one's own, from CSV files.

    python examples/search_csv.py                          # writes a small example first
    python examples/search_csv.py edges.csv people.csv year 5m

Arguments: an edge list, a table of the nodes, the column to predict, and the time to search. The
table's first column has the names of the nodes; all further columns are features.
"""

from __future__ import annotations

import csv
import sys
import tempfile
from pathlib import Path

import grape_gnn as grape


def write_example(folder: Path) -> tuple[Path, Path]:
    """Write a generated social network as two CSV files."""
    graph = grape.datasets.load("social-like", num_nodes=150, seed=1)
    edges, people = folder / "edges.csv", folder / "people.csv"
    with edges.open("w", newline="") as file:
        csv.writer(file).writerows([("source", "target"), *graph.edge_array().tolist()])
    with people.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["name", "year", "gender"])
        for node, code in enumerate(graph.y.tolist()):
            year = "" if code < 0 else graph.label_names[code]
            table.writerow([node, year, int(graph.x[node, 0])])
    return edges, people


def search(edges: Path, people: Path, label: str, budget: str) -> None:
    """Search templates, then look at the test nodes, once."""
    graph = grape.read_graph(edges, nodes=people, label=label)
    print(graph)
    found = grape.search(
        graph,
        budget=budget,
        settings=grape.SearchSettings(templates_per_gene=2, population=4, eliminate=1),
    )
    for template in found.templates:
        print(f"  {template.name or template.text}: {template.sketch()}")
    print(f"validation accuracy {found.validation_accuracy:.1%}, chosen by it")
    print(f"with edges alone    {found.start.validation_accuracy:.1%}")
    print(f"test accuracy       {found.classifier().fit(graph).score(graph):.1%}")


def main() -> None:
    """Search in the files given, or in an example."""
    if len(sys.argv) in (4, 5):
        edges, people, label, budget = (*sys.argv[1:4], *(sys.argv[4:] or ["10m"]))
        search(Path(edges), Path(people), label, budget)
        return
    if len(sys.argv) > 1:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        search(*write_example(Path(folder)), budget="5s", label="year")


if __name__ == "__main__":
    main()
