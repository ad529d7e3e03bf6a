"""Sets of graphs by name, through PyTorch Geometric: ZINC and the TU collection."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from grape_gnn.arguments import one_of
from grape_gnn.datasets.download import DATA_FOLDER, cache_folder
from grape_gnn.errors import DatasetError, DatasetUnavailableError
from grape_gnn.extras import named_extra
from grape_gnn.graphs import GraphSet, read_graphs
from grape_gnn.graphs.tu_folder import is_tu_folder

__all__ = ["load_graphs"]

_SPLITS = ("train", "val", "test")


def load_graphs(
    name: str, *, data_dir: str | os.PathLike[str] | None = None, split: str | None = None
) -> GraphSet:
    """Load a set of graphs by its name; PyTorch Geometric downloads and keeps it.

    Parameters
    ----------
    name
        ``"ZINC"`` (the 12,000 molecules of benchmarks), ``"ZINC-full"``, or a name of the TU
        collection, such as ``"MUTAG"`` or ``"PROTEINS"``. Atoms and bonds are types, which
        templates can ask for.
    data_dir
        Where PyTorch Geometric has its datasets. None: the folder ``GRAPE_DATA``, else the cache.
        A copy of the raw files in ``NAME/raw`` is not downloaded again.
    split
        ``"train"``, ``"val"`` or ``"test"`` of ZINC; None: all three, in this order.

    Returns
    -------
    GraphSet

    Examples
    --------
    >>> graphs = load_graphs("MUTAG")  # doctest: +SKIP
    >>> model = grape.GrapeGraphClassifier("molecule").fit(graphs)  # doctest: +SKIP
    """
    if not isinstance(name, str) or not name or name != Path(name).name:
        raise DatasetError(f"name={name!r} is no name of a set of graphs, such as 'MUTAG'")
    root = Path(data_dir or os.environ.get(DATA_FOLDER) or cache_folder())
    is_zinc = name.lower() in ("zinc", "zinc-full")
    if split is not None:
        one_of("split", split, _SPLITS, error=DatasetError)
        if not is_zinc:
            raise DatasetError(f"split={split!r}: {name} has no split of its own, leave it out")
    try:
        return _zinc(root, name.lower() == "zinc", split) if is_zinc else _tu(root, name)
    except (OSError, BadZipFile, RuntimeError) as error:
        folder = root / ("ZINC" if is_zinc else name) / "raw"
        raise DatasetUnavailableError(
            f"{name} could not be loaded by PyTorch Geometric ({error}): check the name and the "
            f"connection, or put its raw files into {folder}"
        ) from error


def _zinc(root: Path, subset: bool, split: str | None) -> GraphSet:
    with named_extra():
        from torch_geometric.datasets import ZINC
    wanted = _SPLITS if split is None else (split,)
    parts: list[Any] = [ZINC(str(root / "ZINC"), subset=subset, split=each) for each in wanted]
    return GraphSet.of([data for part in parts for data in part])


def _tu(root: Path, name: str) -> GraphSet:
    raw = root / name / "raw"
    if not is_tu_folder(raw):
        with named_extra():
            from torch_geometric.datasets import TUDataset
        TUDataset(str(root), name)
    return read_graphs(raw)  # where types are types; PyTorch Geometric makes features of them
