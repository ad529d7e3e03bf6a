"""Compare random matches with brute force for as long as you like (``make fuzz``).

Each round draws a kind of check, a graph and a template from a numbered seed. The first
disagreement ends the run: its graph is shrunk to the smallest that still fails, the call that
shows it is printed, and the exit code is 1. The C++ tests are built and run under
AddressSanitizer and UBSan first.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

from grape_gnn.roles import ENGINES, match
from grape_gnn.roles.algebra.induced import reaches_induced
from grape_gnn.testing import (
    FAMILIES,
    Case,
    disagreement,
    mutation_chain,
    random_graph,
    random_template,
    shrink,
)

ROOT = Path(__file__).resolve().parent.parent
INDUCED_ENGINES = ("auto", "algebra", "enumerate", "esu")


def random_case(
    rng: np.random.Generator, engine: str, labels: int, induced: bool, edge_types: int = 0
) -> Case:
    directed = bool(rng.random() < 0.4)
    template = random_template(
        int(rng.integers(2**31)),
        max_nodes=int(rng.integers(2, 7)),
        directed=directed,
        labels=labels,
        edge_types=edge_types,
    )
    if induced and engine == "algebra" and not reaches_induced(template):
        engine = "auto"
    family = "labelled" if labels else str(rng.choice(list(FAMILIES)))
    family = "typed" if edge_types else family
    largest = {2: 12, 3: 11, 4: 10, 5: 9, 6: 8}[template.num_nodes]
    graph = random_graph(
        family, int(rng.integers(0, largest + 1)), int(rng.integers(2**31)), directed
    )
    weighting = str(rng.choice(["count", "set"]))
    threads, isolated = int(rng.integers(1, 3)), int(rng.choice([0, 0, 1, 200]))
    return Case(graph, template, engine, weighting, induced, threads, isolated)


def check_plain(rng: np.random.Generator, engine: str) -> Case | None:
    return failing(random_case(rng, engine, labels=0, induced=False))


def check_labelled(rng: np.random.Generator, engine: str) -> Case | None:
    return failing(random_case(rng, engine, labels=int(rng.integers(1, 3)), induced=False))


def check_typed(rng: np.random.Generator, engine: str) -> Case | None:
    induced = engine in INDUCED_ENGINES and bool(rng.random() < 0.3)
    labels = int(rng.choice([0, 2]))
    return failing(random_case(rng, engine, labels, induced, edge_types=int(rng.integers(1, 4))))


def check_induced(rng: np.random.Generator, engine: str) -> Case | None:
    return failing(random_case(rng, engine, labels=int(rng.choice([0, 2])), induced=True))


def check_chain(rng: np.random.Generator, engine: str) -> Case | None:
    """All templates of a mutation chain in one call, each against brute force."""
    first = random_case(rng, engine, labels=0, induced=False)
    chain = mutation_chain(6, int(rng.integers(2**31)), first.graph.directed, max_nodes=5)
    together = match(first.graph, chain, engine=engine, threads=first.threads)
    for template, roles in zip(chain, together, strict=True):
        case = Case(first.graph, template, engine, threads=first.threads)
        fresh = match(first.graph, [template], engine="enumerate")[0]
        same = all(
            np.array_equal(a.to_scipy().toarray(), b.to_scipy().toarray())
            for a, b in zip(roles, fresh, strict=True)
        )
        if not same or failing(case):
            print("in the chain:", " | ".join(t.text for t in chain))
            return case
    return None


def failing(case: Case) -> Case | None:
    try:
        return case if disagreement(case) else None
    except Exception:
        traceback.print_exc()
        return case


CHECKS: dict[str, tuple[Callable[[np.random.Generator, str], Case | None], tuple[str, ...]]] = {
    "plain": (check_plain, tuple(ENGINES)),
    "labelled": (check_labelled, tuple(ENGINES)),
    "typed": (check_typed, tuple(ENGINES)),
    "induced": (check_induced, INDUCED_ENGINES),
    "chain": (check_chain, tuple(ENGINES)),
}


def native_tests() -> bool:
    """Build the C++ tests with sanitizers and run them."""
    build = ROOT / "build" / "sanitize"
    if shutil.which("cmake") is None:
        print("C++ tests under ASan and UBSan: skipped, no cmake on the path")
        return True
    print("C++ tests under ASan and UBSan:", flush=True)
    options = ["-DGRAPE_NATIVE_TESTS=ON", "-DGRAPE_SANITIZE=ON"]
    for command in (
        ["cmake", "-S", str(ROOT), "-B", str(build), *options],
        ["cmake", "--build", str(build), "--parallel", "2"],
        ["ctest", "--test-dir", str(build), "--output-on-failure"],
    ):
        done = subprocess.run(command, check=False, text=True, capture_output=True)
        if done.returncode != 0:
            print(done.stdout[-5000:], done.stderr[-5000:])
            return False
    print(done.stdout.strip())
    return True


def fuzz(minutes: float, seed: int) -> int:
    """Run checks until the time is up or the user stops; return the exit code."""
    end = time.monotonic() + 60 * minutes
    counts: Counter[tuple[str, str]] = Counter()
    number, case = seed, None
    plan = [(kind, engine) for kind, (_, engines) in CHECKS.items() for engine in engines]
    try:
        while case is None and time.monotonic() < end:
            kind, engine = plan[number % len(plan)]
            case = CHECKS[kind][0](np.random.default_rng(number), engine)
            counts[kind, engine] += 1
            number += 1
    except KeyboardInterrupt:
        print("\nstopped")
    for (kind, engine), count in sorted(counts.items()):
        print(f"{kind:>10}  {engine:<12} {count:>10,} cases")
    print(f"{'total':>10}  {'':<12} {sum(counts.values()):>10,} cases")
    if case is None:
        print("no disagreement")
        return 0
    print(f"\nFAILED with --seed {number - 1}; the smallest case found:\n")
    smallest = shrink(case)
    print(disagreement_or_error(smallest))
    return 1


def disagreement_or_error(case: Case) -> str:
    try:
        return disagreement(case) or f"fails only in a chain:\n{case}"
    except Exception as error:
        return f"{type(error).__name__}: {error}\n{case}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=None, help="default: from the clock")
    parser.add_argument("--no-native", action="store_true", help="leave out the C++ tests")
    options = parser.parse_args()
    seed = time.time_ns() // 1000 % 10**9 if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    if not options.no_native and not native_tests():
        sys.exit(1)
    sys.exit(fuzz(options.minutes, seed))


if __name__ == "__main__":
    main()
