"""What a result was computed with."""

from __future__ import annotations

import platform

import numpy
import torch

__all__ = ["versions"]


def versions() -> dict[str, str]:
    """Return the versions that a result depends on, by name.

    Examples
    --------
    >>> sorted(versions())
    ['grape-gnn', 'numpy', 'python', 'torch']
    """
    from grape_gnn import __version__

    return {
        "grape-gnn": __version__,
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": str(torch.__version__),
    }
