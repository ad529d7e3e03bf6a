"""A real Dask scheduler and workers on this machine, for tests."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def dask_cluster(
    folder: Path, *worker_environments: dict[str, str] | None
) -> Iterator[tuple[str, list[Any]]]:
    """Give the address of a scheduler and its workers, one per environment; all end with it."""
    from distributed import Client

    address = f"tcp://127.0.0.1:{free_port()}"
    host, port = address.removeprefix("tcp://").split(":")
    processes = [_start(None, "scheduler", "--host", host, "--port", port, "--no-dashboard")]
    try:
        for number, environment in enumerate(worker_environments):
            place = ("--local-directory", str(folder / f"worker{number}"))
            options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            processes.append(_start(environment, "worker", address, *options, *place))
        with Client(address, timeout="120s") as client:  # it keeps trying to connect
            client.wait_for_workers(len(worker_environments), timeout=120)
        yield address, processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _start(environment: dict[str, str] | None, *words: str) -> Any:
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
