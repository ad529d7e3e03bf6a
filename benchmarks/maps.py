"""The maps of all roles: compiled products of some nodes after the other, against torch's.

    python benchmarks/maps.py

Seven roles in two forms, width 32, 100,000 nodes, one thread, CPU time, the least of several runs:
messages mapped, the derivative by the maps, and that by the means, with vectors of 32 and 64 bytes;
narrower ones leave the products to torch. Beside it torch's products alone, 512 nodes at a time, in
the vectors that its library chooses: they are given the messages and do not write them.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from grape_gnn import _native
from grape_gnn.nn.messages import BLOCK, FORMS, map_messages, maps_backward, messages_backward
from machine import describe_machine
from table import seconds

NODES, ROLES, WIDTH = 100_000, 7, 32
RUNS = 9


def least(run: Callable[[], object]) -> float:
    """CPU seconds of the quickest of several runs."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    means, logs = torch.randn(NODES, ROLES, WIDTH), torch.rand(NODES, ROLES)
    columns = ROLES * len(FORMS) * WIDTH
    mean, maps = torch.randn(columns), torch.randn(WIDTH, columns)
    out, by_means = torch.empty(NODES, WIDTH), torch.empty_like(means)
    given, by_maps = torch.randn(BLOCK, columns), torch.zeros_like(maps)
    blocks = [slice(first, first + BLOCK) for first in range(0, NODES - BLOCK + 1, BLOCK)]
    by_torch: dict[str, Callable[[], object]] = {
        "mapped": lambda: [torch.mm(given, maps.T, out=out[nodes]) for nodes in blocks],
        "by the maps": lambda: [by_maps.addmm_(out[nodes].T, given) for nodes in blocks],
        "by the means": lambda: [torch.mm(out[nodes], maps, out=given) for nodes in blocks],
    }
    known = means, logs, mean
    ours: dict[str, Callable[[], object]] = {
        "mapped": lambda: map_messages(*known, maps, out),
        "by the maps": lambda: maps_backward(*known, out),
        "by the means": lambda: messages_backward(*known, mean, mean, out, maps, by_means),
    }
    lanes = [width for width in (16, 32, 64) if width <= _native.widest_lanes()]
    print(f"# Maps of {ROLES} roles, on {describe_machine()['processor']}\n")
    print("| | torch's products alone |" + "".join(f" {width} bytes |" for width in lanes))
    print("|---" * (len(lanes) + 2) + "|")
    for name, run in ours.items():
        cells = [seconds(least(by_torch[name]))]
        for width in lanes:
            _native.use_lanes(width)
            cells.append(seconds(least(run)))
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
