"""One measurement in a process of its own, so that it can be cut off and its memory seen.

The parent calls `run_cell` with the name of a script, which prints what it finds as lines of
JSON. Time is CPU time: other load on the machine hardly changes it. A process that uses more
than its share of CPU time is ended by the kernel; what it has printed by then is kept.

Read the time with `cpu_seconds`. Under a limit of CPU time, or with a timer of it, Linux answers
`time.process_time` from a counter that it only moves at every tick of the scheduler, up to 4 ms, so
that short work seems to take none; the usage of resources is exact to the microsecond all the same.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
MEMORY_LIMIT = 8 << 30


def run_cell(script: str, job: dict[str, Any]) -> dict[str, Any]:
    """Run ``benchmarks/<script>.py`` on a job; return what it printed, or what ended it."""
    child = subprocess.run(
        [sys.executable, str(_HERE / f"{script}.py"), json.dumps(job)],
        capture_output=True,
        text=True,
        check=False,
    )
    answer: dict[str, Any] = {}
    for line in child.stdout.splitlines():
        answer.update(json.loads(line))
    if "seconds" in answer:  # even if the time ran out while memory was given back
        return answer
    if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return answer | {"seconds": float(job["seconds"]), "unfinished": True}
    if child.returncode != 0:
        lines = child.stderr.strip().splitlines() or [f"exit code {child.returncode}"]
        return answer | {"error": lines[-1][:200]}
    return answer


def cpu_seconds() -> float:
    """CPU time of this process so far, all threads, to the microsecond."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def best_of(
    work: Callable[[], Any], clock: Callable[[], float] = cpu_seconds, patience: float = 1.5
) -> float:
    """Return the shortest time of several runs; a long one is not repeated."""
    times: list[float] = []
    while not times or (len(times) < 20 and sum(times) < patience):
        before = clock()
        work()
        times.append(clock() - before)
    return min(times)


def limit_this_process(seconds: float) -> None:
    """Let the kernel end this process after so much more CPU time; cap its memory."""
    end = int(cpu_seconds() + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def memory_in_use(peak: bool = False) -> int:
    """Bytes of RAM this process holds, or the most it ever held (Linux only, else 0).

    ``ru_maxrss`` would not do: a child inherits its parent's.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    key = "VmHWM:" if peak else "VmRSS:"
    line = next(line for line in status.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024


def forget_peak() -> None:
    """Let the peak of `memory_in_use` start again from now (Linux only)."""
    switch = Path("/proc/self/clear_refs")
    if switch.exists():
        switch.write_text("5")
