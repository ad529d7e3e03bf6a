"""What a result was computed with."""

from __future__ import annotations

import platform

import numpy
import torch

from grape_gnn.version import __version__

__all__ = ["versions"]


def versions() -> dict[str, str]:
    """Return the versions that a result depends on, by name.

    Examples
    --------
    >>> sorted(versions())
    ['grape-gnn', 'numpy', 'python', 'torch']
    """
    return {
        "grape-gnn": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": str(torch.__version__),
    }
