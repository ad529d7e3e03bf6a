"""What a cell's result rests on besides its name: methods, grid and splits, as plain JSON.

Every record keeps it. When a method is given another preset, other templates or other choices, its
records rest on something that no longer is, and their cells are run again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reproduction.profiles import Profile

if TYPE_CHECKING:
    from grape_gnn.training import Method

__all__ = ["as_json", "dataset_method", "method_fingerprint", "tuned_fingerprint"]


def dataset_method(name: str, dataset: str) -> Method:
    """Return a method with the templates of a dataset, for those that match any.

    Examples
    --------
    >>> len(dataset_method("grape", "amherst").describe()["templates"])
    5
    """
    from grape_gnn import datasets
    from reproduction.variants import table_method

    return table_method(name, datasets.info(dataset).templates)


def method_fingerprint(*methods: Method) -> dict[str, Any]:
    """Return what the methods are, by name.

    Examples
    --------
    >>> from grape_gnn.baselines import method
    >>> method_fingerprint(method("gcn"), method("grape", "edge"))["grape"]["templates"]
    ['0-1']
    """
    return {
        each.name: {
            **each.describe(),
            "choices": dict(each.choices if each.grid is None else each.grid),
        }
        for each in methods
    }


def tuned_fingerprint(method: Method, profile: Profile) -> dict[str, Any]:
    """Return what the runs of a tuned method rest on: the method, the grid and the splits.

    Examples
    --------
    >>> from grape_gnn.baselines import method
    >>> from reproduction import PROFILES
    >>> tuned_fingerprint(method("gin"), PROFILES["quick"])["seeds"]
    [0, 1, 2]
    """
    grid = dict(profile.grid) if method.grid is None else {}
    return {"methods": method_fingerprint(method), "grid": grid, "seeds": list(profile.seeds)}


def as_json(fingerprint: dict[str, Any]) -> dict[str, Any]:
    """Return a fingerprint as it is read back from a record.

    Examples
    --------
    >>> as_json({"dropout": (0.3, 0.5)})
    {'dropout': [0.3, 0.5]}
    """
    read: dict[str, Any] = json.loads(json.dumps(fingerprint))
    return read
