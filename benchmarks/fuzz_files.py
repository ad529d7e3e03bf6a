"""Damage files of every format that is read, and read them (``make fuzz``, or by itself).

A case is right if reading succeeds or raises a `GrapeError` with a message of one line. Cases run
in processes of their own: one that crashes, or that is silent for a minute, is a finding too. A
case is known by its format and number, and ``--case "graph npz" 17`` runs it again.
"""

from __future__ import annotations

import argparse
import queue
import resource
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from file_formats import FORMATS, damage_case, make_examples

SILENCE = 60
ADDRESS_SPACE = 12 << 30  # a header that lies must not take the machine's memory


def work(examples: Path, name: str, first: int, last: int) -> None:
    """Run cases, telling the parent of each before and after."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            print(f"{number}", flush=True)
            wrong = damage_case(examples, name, number, Path(folder, "case"))
            if wrong is not None:
                print(f"{number} {wrong!r}", flush=True)
    print("done", flush=True)


def fuzz(examples: Path, name: str, first: int, last: int) -> list[str]:
    """Run the cases of a format in a process, and in another one after each crash."""
    findings = []
    while first < last:
        words = [sys.executable, __file__, "--worker", str(examples), name, str(first), str(last)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            lines: queue.Queue[str | None] = queue.Queue()
            threading.Thread(target=pump, args=(process.stdout, lines), daemon=True).start()
            reached, end = first, "the process ended"
            while True:
                try:
                    line = lines.get(timeout=SILENCE)
                except queue.Empty:
                    process.kill()
                    line, end = None, f"silent for {SILENCE} seconds"
                if line is None or line == "done":
                    break
                number, _, wrong = line.partition(" ")
                reached = int(number)
                if wrong:
                    findings.append(f"{name}, case {number}: {wrong}")
        if line == "done":
            break
        findings.append(f"{name}, case {reached}: {end} (exit code {process.wait()})")
        first = reached + 1
    return findings


def pump(stream: object, lines: queue.Queue[str | None]) -> None:
    for line in stream:  # type: ignore[attr-defined]
        lines.put(line.rstrip("\n"))
    lines.put(None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=460, help="for every format")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=list(FORMATS))
    parser.add_argument("--case", nargs=2, metavar=("FORMAT", "NUMBER"), help="run this one only")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        examples, name, first, last = options.worker
        work(Path(examples), name, int(first), int(last))
        return
    with tempfile.TemporaryDirectory() as folder:
        examples = Path(folder, "examples")
        if options.case:
            name, number = options.case
            make_examples(examples, [name])
            print(damage_case(examples, name, int(number), Path(folder, "case")) or "right")
            return
        make_examples(examples, options.formats)
        findings, counts = [], Counter[str]()
        for name in options.formats:
            found = fuzz(examples, name, options.first, options.first + options.cases)
            counts[name] += options.cases
            findings += found
            print(f"{name:>24} {options.cases:>8,} cases {len(found):>6} findings", flush=True)
    print(f"{'total':>24} {sum(counts.values()):>8,} cases {len(findings):>6} findings")
    for finding in findings:
        print(finding)
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
