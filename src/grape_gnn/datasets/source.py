"""Where a graph comes from, written down so that it can be loaded again: a dataset or a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grape_gnn.datasets.features import with_features
from grape_gnn.datasets.registry import info, load, splits
from grape_gnn.errors import UnknownDatasetError
from grape_gnn.graph import Graph, read_graph
from grape_gnn.graph.split import Split
from grape_gnn.template.sets import default_set

__all__ = ["GraphSource", "find_source"]

_SWITCHES = {"directed": ("--directed", "--undirected"), "header": ("--header", "--no-header")}


@dataclass(frozen=True)
class GraphSource:
    """A graph by name.

    Parameters
    ----------
    name
        Name of a dataset, or path of a file.
    is_dataset
        Which of the two.
    options
        Options of `grape_gnn.datasets.load`, or of `grape_gnn.read_graph`.
    features
        ``"original"``, ``"constant"`` or ``"random"``, see `grape_gnn.datasets.with_features`;
        None: as the graph comes.

    Examples
    --------
    >>> source = GraphSource("planted-roles", True, {"num_shapes": 9})
    >>> source.load()
    Graph(nodes=72, edges=132, undirected, features=1, classes=15)
    >>> GraphSource.from_json(source.to_json()) == source
    True
    """

    name: str
    is_dataset: bool
    options: dict[str, Any] = field(default_factory=dict)
    features: str | None = None

    @property
    def title(self) -> str:
        """A short name, fit for a folder: the dataset's, or the file's without suffixes."""
        return self.name if self.is_dataset else Path(self.name).name.split(".")[0] or "graph"

    @property
    def arguments(self) -> list[str]:
        """What names the graph on the command line: the argument and the options of reading it.

        Examples
        --------
        >>> GraphSource("arcs.csv", False, {"directed": True, "ignore": ["id", "name"]}).arguments
        ['arcs.csv', '--directed', '--ignore', 'id,name']
        """
        words = [self.name]
        for name, value in self.options.items():
            if self.is_dataset:
                words += ["--option", f"{name}={value}"]
            elif isinstance(value, bool):
                words.append(_SWITCHES[name][not value])
            else:
                text = ",".join(value) if isinstance(value, list) else str(value)
                words += [f"--{name.replace('_', '-')}", text]
        return words if self.features is None else [*words, "--features", self.features]

    @property
    def code(self) -> str:
        """What loads the graph in Python, where the package is called ``grape``.

        Examples
        --------
        >>> GraphSource("arcs.csv", False, {"directed": True}).code
        "grape.read_graph('arcs.csv', directed=True)"
        """
        call = "grape.datasets.load" if self.is_dataset else "grape.read_graph"
        given = "".join(f", {name}={value!r}" for name, value in self.options.items())
        loaded = f"{call}({self.name!r}{given})"
        if self.features is None:
            return loaded
        return f"grape.datasets.with_features({loaded}, {self.features!r})"

    def load(self) -> Graph:
        """Load or read the graph."""
        if self.is_dataset:
            graph = load(self.name, **self.options)
        else:
            graph = read_graph(self.name, **self.options)
        if self.features is None:
            return graph
        return with_features(graph, self.features)

    def default_templates(self, graph: Graph) -> str:
        """Return the set of templates that suits this kind of graph."""
        if self.is_dataset:
            return info(self.name).templates
        return default_set(graph.directed)

    @property
    def metric(self) -> str | None:
        """What to score by: what the dataset's authors do; None for files, whose labels decide."""
        return info(self.name).metric if self.is_dataset else None

    def splits(self) -> list[Split]:
        """Return the splits that are published with the dataset; empty for files and most."""
        return splits(self.name) if self.is_dataset else []

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``; paths are absolute."""
        where: dict[str, Any]
        if self.is_dataset:
            where = {"dataset": self.name, "options": self.options}
        else:
            where = {"file": _absolute(self.name), "reading": dict(self.options)}
            if "nodes" in self.options:
                where["reading"]["nodes"] = _absolute(self.options["nodes"])
        return {**where, "features": self.features}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GraphSource:
        """Read what `to_json` wrote."""
        if "dataset" in data:
            place = str(data["dataset"]), True, dict(data.get("options", {}))
        else:
            place = str(data["file"]), False, dict(data.get("reading", {}))
        return cls(*place, data.get("features"))


def find_source(
    name: str | os.PathLike[str], options: Mapping[str, Any], features: str | None = None
) -> GraphSource:
    """Tell whether a name means a dataset or a file.

    Parameters
    ----------
    name
        Name of a dataset or path of a file. A dataset wins: ``./cora`` is a file.
    options
        As for `GraphSource`.
    features
        As for `GraphSource`.

    Examples
    --------
    >>> find_source("Cora", {}).is_dataset
    True
    >>> find_source("amhrest", {})
    Traceback (most recent call last):
        ...
    grape_gnn.errors.UnknownDatasetError: there is no file amhrest, and no dataset is called
    'amhrest'; did you mean amherst, amherst41?
    """
    text = str(name)
    try:
        return GraphSource(info(text).name, True, dict(options), features)
    except UnknownDatasetError as error:
        file = Path(text)
        # What looks like a path is not a misspelt dataset: the reader of files complains better.
        if not file.exists() and file.name == text and not file.suffix:
            raise UnknownDatasetError(f"there is no file {text}, and {error}") from None
    return GraphSource(text, False, dict(options), features)


def _absolute(path: str | os.PathLike[str]) -> str:
    return str(Path(path).absolute())
