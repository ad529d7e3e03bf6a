"""What the machine at hand can give: memory, disk, processors."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grape_gnn.roles.engine import available_processors

__all__ = ["Machine", "this_machine"]

_UNKNOWN_MEMORY = 8 * 10**9
_CGROUP = Path("/sys/fs/cgroup")
_LIMITS = (  # of both versions: the limit, what is held, and how pages of files are called
    ("memory.max", "memory.current", "inactive_file"),
    ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes", "total_inactive_file"),
)


@dataclass(frozen=True)
class Machine:
    """Room to work in.

    Parameters
    ----------
    memory
        Bytes that can still be taken without swapping.
    disk
        Bytes free where results would be written.
    processors
        Processors this process may use.
    """

    memory: int
    disk: int
    processors: int


def this_machine(folder: str | os.PathLike[str] = ".") -> Machine:
    """Look at the machine: what is free now, not what is built in.

    Examples
    --------
    >>> this_machine().processors > 0
    True
    """
    memory = min(_free_memory(), *_container_limits(), *_physical_memory())
    return Machine(memory, shutil.disk_usage(folder).free, available_processors())


def _free_memory() -> int:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return _UNKNOWN_MEMORY
    found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return found[0] if found else _UNKNOWN_MEMORY


def _physical_memory() -> Iterator[int]:
    if "SC_PHYS_PAGES" in os.sysconf_names:
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _container_limits() -> Iterator[int]:
    """Yield what a container allows this process beyond what it holds."""
    for limit, used, files in _LIMITS:
        try:
            most = (_CGROUP / limit).read_text(encoding="ascii").strip()
            held = int((_CGROUP / used).read_text(encoding="ascii"))
            lines = (_CGROUP / limit).with_name("memory.stat").read_text("ascii").splitlines()
        except (OSError, ValueError):
            continue
        if most.isdigit():
            # Pages of files can be dropped at any time.
            dropped = sum(int(line.split()[1]) for line in lines if line.startswith(f"{files} "))
            yield max(0, int(most) - held + dropped)
