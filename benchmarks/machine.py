"""What a result was measured on: processor and versions, nothing that names a person or a host."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

__all__ = ["describe_machine"]

PACKAGES = ("torch", "torch-geometric", "numpy", "scipy")


@cache
def describe_machine() -> dict[str, Any]:
    """Return processor, cores, system, and the versions that results may depend on."""
    versions = {name: found for name in PACKAGES if (found := _version(name))}
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "system": platform.system(),
        "versions": {"python": platform.python_version(), **versions},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
