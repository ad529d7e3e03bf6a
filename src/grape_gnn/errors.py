"""Every error and warning of the library, under one root.

Catch `GrapeError` to catch them all. Each message names the offending input and the
remedy, so that no user ever has to read a traceback from the depths.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = [
    "BudgetExceededError",
    "CountOverflowError",
    "DatasetError",
    "DatasetUnavailableError",
    "DirectionMismatchError",
    "FileError",
    "GrapeError",
    "GrapeWarning",
    "GraphError",
    "GraphFileError",
    "MatchError",
    "MissingExtraError",
    "ModelError",
    "ModelFileError",
    "ProductsFileError",
    "RolesFileError",
    "SearchError",
    "SearchFolderError",
    "TemplateError",
    "UnknownDatasetError",
    "UnknownNodeError",
    "UnknownTemplateError",
    "UnsafePickleError",
    "WorkersError",
]


def _one_line(message: str) -> str:
    # The reason is often what another library says of a damaged file, at any length.
    text = " ".join(line.strip() for line in message.splitlines())
    return text if len(text) <= 1000 else f"{text[:1000]} ..."


class GrapeError(Exception):
    """Root of all errors raised on purpose by grape-gnn."""


class GrapeWarning(UserWarning):
    """Something was repaired or truncated; the message says what and how much."""


class FileError(GrapeError):
    """A file or folder cannot be used.

    Parameters
    ----------
    path
        The file or folder.
    reason
        What is wrong and what to do about it.
    line
        Line number, counted from 1, where the file is line oriented.
    """

    def __init__(self, path: str | os.PathLike[str], reason: str, line: int | None = None) -> None:
        self.path = Path(path)
        self.line = line
        where = f"{self.path}" if line is None else f"{self.path}, line {line}"
        super().__init__(_one_line(f"{where}: {reason}"))


class GraphError(GrapeError, ValueError):
    """The graph given by the user cannot be used as it is."""


class UnknownNodeError(GraphError, KeyError):
    """No node of the graph has the given name."""

    __str__ = Exception.__str__  # KeyError would print the repr of the message


class GraphFileError(FileError, GraphError):
    """A file cannot be read as a graph."""


class UnsafePickleError(GraphFileError):
    """A pickle asks for something that plain arrays do not need; nothing of it was run."""


class DatasetError(GrapeError, ValueError):
    """A named dataset cannot be loaded as asked."""


class UnknownDatasetError(DatasetError, KeyError):
    """No dataset has the given name."""

    __str__ = Exception.__str__


class DatasetUnavailableError(DatasetError, OSError):
    """A file of a dataset is neither on this machine nor could it be downloaded."""

    __str__ = Exception.__str__


class TemplateError(GrapeError, ValueError):
    """A subgraph template is malformed, disconnected or too large."""


class UnknownTemplateError(TemplateError, KeyError):
    """No template or template set has the given name."""

    __str__ = Exception.__str__


class MatchError(GrapeError):
    """Matching could not be carried out."""


class DirectionMismatchError(MatchError, ValueError):
    """A directed template met an undirected graph, or the reverse."""


class CountOverflowError(MatchError, OverflowError):
    """A role count does not fit into 64 bits."""


class BudgetExceededError(MatchError):
    """A time, memory or instance budget ran out before the work was done.

    Parameters
    ----------
    kind
        ``"time"``, ``"memory"`` or ``"instances"``.
    message
        What ran out, how far the work got, and the remedy.
    """

    def __init__(self, kind: str, message: str) -> None:
        self.kind = kind
        super().__init__(message)


class RolesFileError(FileError, MatchError, ValueError):
    """A file cannot be read as role matches."""


class ProductsFileError(FileError, MatchError, ValueError):
    """The folder of role products cannot be used."""


class ModelError(GrapeError, ValueError):
    """The model, its settings or the data given to it do not fit together."""


class ModelFileError(FileError):
    """A saved model, checkpoint or run folder cannot be used."""


class SearchError(GrapeError, ValueError):
    """A search for templates cannot be carried out as asked."""


class SearchFolderError(FileError, SearchError):
    """The folder of a search cannot be used."""


class WorkersError(GrapeError, ValueError):
    """The workers asked for cannot be had, or do nothing but die."""


class MissingExtraError(GrapeError, ImportError):
    """An optional dependency is not installed; the message names the extra."""

    def __init__(self, package: str, extra: str) -> None:
        self.extra = extra
        super().__init__(
            f"this feature needs the package '{package}': "
            f"install it with  pip install 'grape-gnn[{extra}]'"
        )
