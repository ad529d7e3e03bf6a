"""Time the role algebra (``make bench``): products without role matrices, one thread, CPU time.

(a) Build all roles of the usual templates on Amherst41 and multiply them by 32 columns, against
    our own enumeration, by the same `match(...)[0] @ features`, and against igraph and networkx
    listing all maps. Those two are read for a few seconds and extrapolated by the exact number of
    maps; the table says so.
(b) Two layers of aggregation over the social set on Lehigh96, forward and backward, against the
    same with materialised matrices.
(c) Generated power-law graphs of 10^5, 10^6 and 10^7 edges: time and memory to build
    S1, S2, S3, S6 and the 4-path on two threads.

The tables are printed and written with the raw figures to ``benchmarks/out/``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import grape_gnn as grape
from cell import run_cell
from grape_gnn.roles.algebra import Evaluator, algebra_roles
from grape_gnn.roles.engine import MatchSettings
from machine import describe_machine
from start import facebook_file, start
from table import seconds as in_words

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "benchmarks" / "out"
COLUMNS = 32
ROUNDS, REPEAT = 3, 5  # the same for both sides, which take turns; the least of all 15 counts
TEMPLATES = {
    "S1 edge": "edge",
    "S2 3-path": "3-path",
    "S3 triangle": "triangle",
    "4-path": "4-path",
    "S5 4-clique": "4-clique",
    "S6 tailed triangle": "tailed-triangle",
}
EDGES = (100_000, 1_000_000, 10_000_000)


def cpu_time(work: Callable[[], Any], repeat: int = 1) -> float:
    """Give the least CPU time of several runs."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def cpu_times(works: Sequence[Callable[[], Any]]) -> list[float]:
    """Give the least CPU time of each work; they take turns, to meet the same load."""
    rounds = [[cpu_time(work, REPEAT) for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


# ---------------------------------------------------------------- (a)


def operators_row(graph: grape.Graph, name: str, peer_seconds: float) -> dict[str, Any]:
    template = grape.template(TEMPLATES[name])
    features = np.random.default_rng(0).standard_normal((graph.num_nodes, COLUMNS))
    features = features.astype(np.float32)

    def algebra() -> tuple[Any, ...]:
        return grape.match(graph, [template], engine="algebra", threads=1)[0] @ features

    def enumeration() -> tuple[Any, ...]:
        return grape.match(graph, [template], engine="enumerate", threads=1)[0] @ features

    ready = grape.match(graph, [template], engine="algebra", threads=1)[0]
    instances = sum(ready.totals.tolist())
    maps = instances * template.num_automorphisms
    for ours, theirs in zip(algebra(), enumeration(), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-3 * np.abs(theirs).max())
    algebra_time, enumeration_time = cpu_times([algebra, enumeration])
    return {
        "template": name,
        "instances": instances,
        "algebra": algebra_time,
        "product": cpu_times([lambda role=role: role @ features for role in ready[1:]]),
        "enumeration": enumeration_time,
        "igraph": listing_time(igraph_maps(graph, template), maps, peer_seconds),
        "networkx": listing_time(networkx_maps(graph, template), maps, peer_seconds),
    }


def igraph_maps(graph: grape.Graph, template: grape.Template) -> Callable[[float], int]:
    """List maps by igraph's VF2 until a deadline; give their number."""
    import igraph

    large = igraph.Graph(n=graph.num_nodes, edges=graph.edge_array())
    small = igraph.Graph(edges=template.edges)

    def run(deadline: float) -> int:
        count = 0

        def found(*_: Any) -> bool:
            nonlocal count
            count += 1
            return count % 256 != 0 or time.process_time() < deadline

        large.subisomorphic_vf2(small, callback=found)
        return count

    return run


def networkx_maps(graph: grape.Graph, template: grape.Template) -> Callable[[float], int]:
    """List maps by networkx until a deadline; give their number."""
    import networkx as nx

    large = nx.Graph(graph.edge_array().tolist())
    matcher = nx.algorithms.isomorphism.GraphMatcher(large, nx.Graph(list(template.edges)))

    def run(deadline: float) -> int:
        count = 0
        for count, _ in enumerate(matcher.subgraph_monomorphisms_iter(), start=1):
            if count % 256 == 0 and time.process_time() > deadline:
                break
        return count

    return run


def listing_time(run: Callable[[float], int], maps: int, limit: float) -> dict[str, Any]:
    start = time.process_time()
    count = run(start + limit)
    spent = time.process_time() - start
    return {"seconds": spent * maps / max(1, count), "extrapolated": count < maps, "maps": count}


# ---------------------------------------------------------------- (b)


def training_figures(graph: grape.Graph) -> dict[str, Any]:
    import torch

    torch.set_num_threads(1)
    features = torch.randn(graph.num_nodes, COLUMNS)

    def two_layers(operators: Sequence[Any]) -> torch.Tensor:
        leaf = features.clone().requires_grad_()
        hidden = leaf
        for _ in range(2):
            # One constant per role keeps the numbers in range, as training does.
            parts = [op @ hidden for op in operators]
            hidden = torch.stack([p / p.detach().abs().max() for p in parts]).sum(0)
        hidden.sum().backward()
        assert leaf.grad is not None
        return leaf.grad

    start = time.process_time()
    known, social = Evaluator(graph), grape.templates("social")
    algebra = [role for t in social for role in algebra_roles(known, t, MatchSettings())[1:]]
    algebra_build = time.process_time() - start
    start = time.process_time()
    found = grape.match(graph, "social", engine="enumerate", threads=1)
    stored = [role for roles in found for role in roles[1:]]
    stored_build = time.process_time() - start
    tensors = [_TorchRole(role) for role in stored]
    gradients = [two_layers(operators) for operators in (algebra, stored, tensors)]
    for other in gradients[1:]:
        torch.testing.assert_close(gradients[0], other, rtol=1e-2, atol=1e-3)
    return {
        "algebra": cpu_time(lambda: two_layers(algebra), repeat=7),
        "materialised": cpu_time(lambda: two_layers(stored), repeat=3),
        "torch CSR": cpu_time(lambda: two_layers(tensors), repeat=3),
        "algebra build": algebra_build,
        "materialised build": stored_build,
        "stored entries": [role.nnz for role in stored],
    }


class _TorchRole:
    """A materialised role as well as torch can do it: float32 CSR, transposed once."""

    def __init__(self, role: Any) -> None:
        import torch

        def tensor(matrix: Any) -> torch.Tensor:
            return torch.sparse_csr_tensor(
                torch.from_numpy(matrix.indptr.astype(np.int32)),
                torch.from_numpy(matrix.indices.astype(np.int32)),
                torch.from_numpy(matrix.data.astype(np.float32)),
                size=matrix.shape,
            )

        forward, backward = tensor(role.to_scipy()), tensor(role.T.to_scipy())

        class Product(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, dense: torch.Tensor) -> torch.Tensor:
                return forward @ dense

            @staticmethod
            def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
                return backward @ gradients[0]

        self._product = Product

    def __matmul__(self, dense: Any) -> Any:
        return self._product.apply(dense)


# ---------------------------------------------------------------- tables


def markdown(report: dict[str, Any]) -> str:
    processor = report["machine"]["processor"]
    lines = ["# Role algebra", "", f"{processor}, CPU time, one thread unless said otherwise.", ""]
    if "operators" in report:
        lines += [
            f"## (a) All roles, build and one product with {COLUMNS} columns: Amherst41",
            "",
            "igraph and networkx list all maps (VF2), extrapolated where marked ~.",
            "",
            "| template | instances | algebra | one product | enumeration | ratio "
            "| igraph | networkx |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for row in report["operators"]:
            ratio = row["enumeration"] / row["algebra"]
            peers = [
                f"{'~' if cell['extrapolated'] else ''}{in_words(cell['seconds'])}"
                for cell in (row["igraph"], row["networkx"])
            ]
            lines.append(
                f"| {row['template']} | {row['instances']:,} | {in_words(row['algebra'])} | "
                f"{', '.join(in_words(p) for p in row['product'])} | "
                f"{in_words(row['enumeration'])} | {ratio:.3g}x | {' | '.join(peers)} |"
            )
    if "training" in report:
        row = report["training"]
        lines += [
            "",
            f"## (b) Two layers over the social set, forward and backward, {COLUMNS} columns: "
            "Lehigh96",
            "",
            "| | CPU time | ratio |",
            "|---|---|---|",
            f"| algebra | {in_words(row['algebra'])} | |",
        ]
        for other in ("materialised", "torch CSR"):
            ratio = row[other] / row["algebra"]
            lines.append(f"| {other} | {in_words(row[other])} | {ratio:.3g}x |")
    if "growth" in report:
        lines += [
            "",
            "## (c) Building S1, S2, S3, S6 and the 4-path on power-law graphs, two threads",
            "",
            "| nodes | edges | wall | CPU | peak memory | 4-path instances | one 4-path product |",
            "|---|---|---|---|---|---|---|",
        ]
        for row in report["growth"]:
            if "nodes" not in row:
                lines.append(f"| not finished: {row} |")
                continue
            lines.append(
                f"| {row['nodes']:,} | {row['edges']:,} | {in_words(row['wall'])} | "
                f"{in_words(row['seconds'])} | {row['memory'] / 2**30:.2f} GiB | "
                f"{row['instances']:,} | {in_words(row['product'])} |"
            )
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with facebook100/, else GRAPE_DATA")
    parser.add_argument("--peer-seconds", type=float, default=10, help="CPU time for a peer")
    parser.add_argument("--parts", default="abc", help="which parts to run")
    parser.add_argument("--edges", type=int, nargs="+", default=EDGES)
    options = parser.parse_args()
    report: dict[str, Any] = {
        "machine": describe_machine(),
    }
    if "a" in options.parts:
        graph = grape.read_graph(facebook_file("Amherst41", options.data))
        report["operators"] = [
            operators_row(graph, name, options.peer_seconds) for name in TEMPLATES
        ]
    if "b" in options.parts:
        lehigh = grape.read_graph(facebook_file("Lehigh96", options.data))
        report["training"] = training_figures(lehigh)
    if "c" in options.parts:
        report["growth"] = [run_cell("algebra_large", {"edges": m}) for m in options.edges]
    OUT.mkdir(exist_ok=True)
    (OUT / "algebra.json").write_text(json.dumps(report, indent=1))
    (OUT / "algebra.md").write_text(markdown(report))
    print(markdown(report))
    print(f"written: {OUT / 'algebra.md'}, {OUT / 'algebra.json'}")


if __name__ == "__main__":
    start(main)
