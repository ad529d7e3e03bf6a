"""How well the cheap fitness of the search ranks genes as training does, and what it costs.

Genes are drawn at random and judged both ways on the same split. Kendall's tau says how often two
genes are ranked alike: 1 always, 0 by chance. As trainings have noise of their own, the tau of two
trainings that differ in the seed of the weights alone is the most that can be expected; and what
users care about is the test accuracy, which nobody saw.

    python benchmarks/search_agreement.py            # about ten minutes of processor time
    python benchmarks/search_agreement.py --docs     # and write the table into docs/search.md

What is known from an earlier run with as many genes is kept (``benchmarks/out``).
"""

from __future__ import annotations

import argparse
import json
from statistics import median
from typing import Any

import numpy as np
import torch
from scipy.stats import kendalltau

import grape_gnn as grape
from cell import cpu_seconds
from grape_gnn.search.encoding import choose_gene
from grape_gnn.search.gene import Gene, start_gene
from grape_gnn.search.problem import make_problem
from grape_gnn.search.ridge import RidgeFitness
from grape_gnn.search.strategy import mixed_seed
from machine import describe_machine
from search_records import keep, kept, publish
from search_tasks import TASKS, Task
from start import start

GRAPHS = ("planted roles", "Brazil airports", "chameleon, constant features")


def drawn_genes(count: int, seed: int = 0) -> list[Gene]:
    """Return different genes of one to three templates of up to five nodes."""
    rng = np.random.default_rng(seed)
    found = dict.fromkeys([start_gene(1, directed=False)])
    while len(found) < count:
        size = int(rng.integers(1, 4))
        gene = choose_gene(lambda _, answers: int(rng.integers(answers)), size, 5, directed=False)
        found[gene] = None
    return list(found)


def measure(task: Task, gene: Gene) -> dict[str, Any]:
    """Judge a gene by ridge regression and by two trainings."""
    graph, masks = task.graph(), task.masks(0)
    problem = make_problem(graph, task.model, 0, **masks)
    roles = grape.match(problem.graph, list(gene.templates), weighting=problem.weighting)
    judge = RidgeFitness(problem, 1 << 30)
    start = cpu_seconds()
    ridge = judge.judge(roles)
    fresh = cpu_seconds() - start
    again = min(_timed(lambda: judge.judge(roles)) for _ in range(5))
    found: dict[str, Any] = {
        "ridge": (ridge.accuracy, -ridge.loss),
        "ridge_seconds": {"new templates": fresh, "known templates": again},
    }
    for seed in (0, 1):
        start = cpu_seconds()
        # As a search trains it, by a classifier that can be asked about the test nodes.
        model = grape.GrapeClassifier(
            list(gene.templates), **task.model, seed=mixed_seed(seed, gene.key)
        ).fit(graph, train_mask=problem.train, val_mask=problem.validation)
        best = model.history_.epochs[model.history_.best]
        found[f"training {seed}"] = {
            "validation": (best.validation_accuracy, -best.validation_loss),
            "test": task.test_score(model, graph),
            "seconds": cpu_seconds() - start,
        }
    return found


def _timed(work: Any) -> float:
    start = cpu_seconds()
    work()
    return cpu_seconds() - start


def table(report: dict[str, Any]) -> str:
    """One row per graph."""
    lines = [
        "| graph | ridge and training | two trainings | ridge and test | training and test | "
        "a training | ridge, new templates | known templates |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, by_gene in report.items():
        genes = list(by_gene.values())
        ridge = [tuple(each["ridge"]) for each in genes]
        first, second = (
            [tuple(each[f"training {seed}"]["validation"]) for each in genes] for seed in (0, 1)
        )
        test = [(each["training 0"]["test"] + each["training 1"]["test"],) for each in genes]
        training = median(each["training 0"]["seconds"] for each in genes)
        cells = [name]
        cells += [
            f"{tau(a, b):.2f}"
            for a, b in ((ridge, first), (second, first), (ridge, test), (first, test))
        ]
        cells.append(f"{training:.2f} s")
        for kind in ("new templates", "known templates"):
            cheap = median(each["ridge_seconds"][kind] for each in genes)
            cells.append(f"{1000 * cheap:.1f} ms, {training / cheap:,.0f}x less")
        lines.append(f"| {' | '.join(cells)} |")
    machine = describe_machine()
    lines += ["", f"Processor time with one thread, medians; {machine['processor']}."]
    return "\n".join(lines)


def tau(first: list[tuple[float, ...]], second: list[tuple[float, ...]]) -> float:
    """Kendall's tau-b of two rankings; scores are compared as tuples."""
    places = [[sorted(set(each)).index(one) for one in each] for each in (first, second)]
    return float(kendalltau(*places).statistic)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--genes", type=int, default=30)
    parser.add_argument("--graphs", nargs="+", default=list(GRAPHS), choices=list(TASKS))
    parser.add_argument("--docs", action="store_true", help="write the table into docs/search.md")
    options = parser.parse_args()
    torch.set_num_threads(1)
    report = kept("search_agreement")
    for name in options.graphs:
        known = report.setdefault(name, {})
        for gene in drawn_genes(options.genes):
            if gene.key not in known:
                known[gene.key] = measure(TASKS[name], gene)
                print(f"{name}, {gene.key}: {json.dumps(known[gene.key])}", flush=True)
                keep("search_agreement", report)
    publish("search_agreement", {"agreement": table(report)}, options.docs)


if __name__ == "__main__":
    start(main)
