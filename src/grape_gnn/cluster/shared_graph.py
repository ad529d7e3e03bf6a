"""What all jobs of a cluster share: where the graph is, and that it is the right one."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from grape_gnn.errors import GrapeError, GraphFileError, WorkersError
from grape_gnn.graph import Graph, read_graph
from grape_gnn.graph.graph_folder import GRAPH_SUFFIX, graph_identity
from grape_gnn.version import __version__

__all__ = ["SharedGraph", "refused"]


@dataclass(frozen=True)
class SharedGraph:
    """A graph on disk that every worker maps into memory.

    Parameters
    ----------
    path
        The folder, by the name that it has on every machine.
    identity
        Which graph is meant; see `graph_identity`.
    version
        Of the package that asks; a worker with another one may count otherwise.
    """

    path: str
    identity: str
    version: str = __version__

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> SharedGraph:
        """Take a graph on disk, whose arrays are not read."""
        if Path(path).suffix != GRAPH_SUFFIX:
            raise GraphFileError(
                path, "workers map a graph on disk: make one with `grape convert`, or graph.save"
            )
        return cls(str(Path(path).absolute()), graph_identity(path))

    @cached_property
    def graph(self) -> Graph:
        """The graph, mapped; each process does so once."""
        if self.version != __version__:
            raise WorkersError(
                f"this worker has grape-gnn {__version__}, and {self.version} is asked for: "
                f"install the same version everywhere"
            )
        if graph_identity(self.path) != self.identity:
            raise GraphFileError(
                self.path, "is another graph than where the work began: copy it there again"
            )
        return read_graph(self.path)


def refused(error: GrapeError | OSError) -> str:
    """Return what went wrong on a worker, and on which."""
    reason = str(error) if isinstance(error, GrapeError) else f"{error.filename}: {error.strerror}"
    return f"worker {os.getpid()} on {socket.gethostname()}: {reason}"
