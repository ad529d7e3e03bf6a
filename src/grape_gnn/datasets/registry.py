"""All datasets by name: what there is, and one function to load it."""

from __future__ import annotations

import difflib
import inspect
import os
import re
from pathlib import Path
from typing import Any

from grape_gnn.datasets import (
    airports,
    amazon,
    facebook100,
    heterophilous,
    planetoid,
    synthetic_cubic,
    synthetic_directed,
    synthetic_heterophily,
    synthetic_power_law,
    synthetic_quartile,
    synthetic_roles,
    synthetic_social,
)
from grape_gnn.datasets.dataset import Dataset, DatasetInfo
from grape_gnn.datasets.download import fetch
from grape_gnn.errors import DatasetError, UnknownDatasetError
from grape_gnn.graph import Graph
from grape_gnn.graph.split import Split

__all__ = ["available", "info", "load", "splits"]

_DATASETS: tuple[Dataset, ...] = (
    *planetoid.DATASETS,
    *facebook100.DATASETS,
    *amazon.DATASETS,
    *airports.DATASETS,
    *heterophilous.DATASETS,
    *synthetic_roles.DATASETS,
    *synthetic_social.DATASETS,
    *synthetic_quartile.DATASETS,
    *synthetic_heterophily.DATASETS,
    *synthetic_power_law.DATASETS,
    *synthetic_directed.DATASETS,
    *synthetic_cubic.DATASETS,
)


def _key(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().lower())


_BY_NAME = {
    name: dataset for dataset in _DATASETS for name in (dataset.info.name, *dataset.info.aliases)
}


def available() -> list[str]:
    """Return the names of all datasets.

    Examples
    --------
    >>> available()[:3]
    ['cora', 'citeseer', 'amherst']
    """
    return [dataset.info.name for dataset in _DATASETS]


def info(name: str) -> DatasetInfo:
    """Return what is known of a dataset without loading it.

    Examples
    --------
    >>> info("johns-hopkins").num_nodes
    5180
    """
    return _find(name).info


def load(
    name: str,
    *,
    data_dir: str | os.PathLike[str] | None = None,
    download: bool = True,
    **options: Any,
) -> Graph:
    """Load a dataset by name.

    Files are taken from `data_dir`, from the folder in the environment variable ``GRAPE_DATA``,
    or from the user's cache, in this order, and otherwise downloaded into the cache. Files with
    a published SHA-256 are checked. The generated datasets need no files.

    Parameters
    ----------
    name
        One of :func:`available`: ``cora``, ``citeseer``; ``amherst``, ``hamilton``, ``lehigh``,
        ``rochester``, ``jhu``; ``amazon``, ``amazon-dvd``, ``amazon-video``;
        ``brazil-airports``, ``europe-airports``; ``minesweeper``, ``chameleon-filtered``;
        ``planted-roles``, ``social-like``, ``role-quartile``, ``heterophilous-roles``,
        ``power-law-roles``, ``directed-roles``.
    data_dir
        A folder with ``planetoid/``, ``facebook100/``, ``amazon/``, ``airports/``,
        ``heterophilous/`` in it.
    download
        False: never use the network.
    **options
        Of the dataset. Facebook100: ``missing="class"`` or ``"drop-label"`` for people without a
        year, ``rare=k`` to drop labels of years with fewer than k people. Amazon:
        ``group="Music"`` (``amazon`` only), ``missing="drop-label"`` or ``"class"`` for products
        without a rating. Generated: ``num_shapes`` or ``num_nodes``, and ``seed``;
        ``role-quartile``: ``template``; ``heterophilous-roles``: ``noise``.

    Returns
    -------
    Graph
        With features `x` and labels `y`.

    Raises
    ------
    UnknownDatasetError
        No dataset has this name.
    DatasetUnavailableError
        A file is not here and cannot be downloaded.
    DatasetError
        An option does not apply, or a file is not the published one.

    Examples
    --------
    >>> from grape_gnn import datasets
    >>> datasets.load("planted-roles", num_shapes=30, seed=1)
    Graph(nodes=240, edges=440, undirected, features=1, classes=15)
    """
    dataset = _find(name)
    _check_options(dataset, options)
    return dataset.read(*_paths(dataset, data_dir, download), **options)


def splits(
    name: str, *, data_dir: str | os.PathLike[str] | None = None, download: bool = True
) -> list[Split]:
    """Load the splits that are published with a dataset.

    Parameters
    ----------
    name, data_dir, download
        As for :func:`load`.

    Returns
    -------
    list of Split
        Empty for datasets without splits of their own.

    Examples
    --------
    >>> splits("planted-roles")
    []
    """
    dataset = _find(name)
    if dataset.read_splits is None:
        return []
    return dataset.read_splits(*_paths(dataset, data_dir, download))


def _paths(dataset: Dataset, data_dir: str | os.PathLike[str] | None, download: bool) -> list[Path]:
    return [fetch(file, data_dir, download) for file in dataset.info.files]


def _find(name: str) -> Dataset:
    if not isinstance(name, str):
        raise UnknownDatasetError(f"cannot find a dataset by {name!r}: give a name, such as 'cora'")
    if _key(name) in _BY_NAME:
        return _BY_NAME[_key(name)]
    close = difflib.get_close_matches(_key(name), _BY_NAME, n=3)
    advice = f"did you mean {', '.join(close)}?" if close else f"known are {', '.join(available())}"
    raise UnknownDatasetError(f"no dataset is called {name!r}; {advice}")


def _check_options(dataset: Dataset, options: dict[str, Any]) -> None:
    parameters = inspect.signature(dataset.read).parameters.values()
    known = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            raise DatasetError(
                f"the dataset {dataset.info.name!r} has no option {option!r}; it has "
                f"{', '.join(known) or 'none'}"
            )
