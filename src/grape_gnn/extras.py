"""The extras of the installation: which one brings a package that an import did not find."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grape_gnn.errors import MissingExtraError

__all__ = ["named_extra"]

_EXTRA_OF = {
    "torch": "torch",
    "safetensors": "torch",
    "jinja2": "report",
    "markupsafe": "report",
    "networkx": "networkx",
    "igraph": "igraph",
    "torch_geometric": "pyg",
    "joblib": "search",
    "optuna": "search",
    "distributed": "dask",
    "sklearn": "sklearn",
    "pandas": "arrow",
    "pyarrow": "arrow",
    "rdkit": "smiles",
}


@contextmanager
def named_extra() -> Iterator[None]:
    """Name the extra when an import in this block misses one of our optional packages.

    Examples
    --------
    >>> with named_extra():
    ...     import numpy
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in _EXTRA_OF:
            raise
        raise MissingExtraError(package, _EXTRA_OF[package]) from error
