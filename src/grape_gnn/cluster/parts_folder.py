"""The folder of roles in parts: one file for every block of egos, each whole or not there.

=========================  =================================================================
config.json                of which graph, templates and options; the blocks of egos
parts/roles-0-500.parquet  a row for every ego, template, role and member, with its count
parts/totals-0-500.npy     or instead: the totals of the egos 0 to 499, int64, one column
                           for every template (its instances) and each of its roles
seals/                     size and checksum of every part, by which a damaged one is noticed
manifest.json              the parts with their egos, sizes and checksums, when all are there
=========================  =================================================================

``pandas.read_parquet("roles/parts")``, Dask and Spark read the tables as one.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from grape_gnn.cluster.blocks_folder import BlocksFolder
from grape_gnn.errors import FileError, RolesFileError, TemplateError
from grape_gnn.files import Count
from grape_gnn.files.npy import read_array
from grape_gnn.template import Template

__all__ = ["PartsFolder"]


class Config(TypedDict):
    """What the parts are of."""

    graph: str
    what: str
    format: str
    templates: list[dict[str, Any]]
    weighting: str
    induced: bool
    borders: list[Count]


class PartsFolder(BlocksFolder):
    """The folder of one matching in parts; see the top of the module for its files.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from grape_gnn.cluster import match_parts
    >>> from grape_gnn.graph import Graph
    >>> here = Path(tempfile.mkdtemp())
    >>> Graph.from_edges([0, 1, 2], [1, 2, 0]).save(here / "g.grape")
    >>> found = match_parts(here / "g.grape", "triangle", here / "t", what="totals")
    >>> found.columns, found.totals().tolist()
    (['triangle', 'triangle, role 1'], [[1, 2], [1, 2], [1, 2]])
    """

    kind: ClassVar[str] = "role parts"
    thing: ClassVar[str] = "matching in parts"
    command: ClassVar[str] = "grape match --parts"
    error: ClassVar[type[FileError]] = RolesFileError
    config_shape: ClassVar[Any] = Config
    changes: ClassVar[dict[str, str]] = {
        "graph": "the graph is another one, or has changed",
        "what": "roles and totals are not the same",
        "format": "the format is another one",
        "templates": "the templates are others",
        "weighting": "the weighting is another one",
        "induced": "induced and non-induced are not the same",
        "borders": "the blocks of egos are others",
    }

    @property
    def templates(self) -> list[Template]:
        """The templates whose roles these are."""
        try:
            return [Template.from_json(entry) for entry in self.config["templates"]]
        except TemplateError as error:
            raise RolesFileError(self.path / "config.json", f"is damaged: {error}") from error

    @property
    def stem(self) -> str:
        """How the files of parts are called: by what they hold."""
        found: str = self.config["what"]
        return found

    @property
    def columns(self) -> list[str]:
        """What the columns of totals are: the instances of a template, then its roles."""
        found = []
        for template in self.templates:
            name = template.name or template.text
            found.append(name)
            found += [f"{name}, role {role}" for role in range(1, len(template.roles))]
        return found

    def totals(self) -> NDArray[np.int64]:
        """Return the totals of all egos, one row each; all parts must be there and whole."""
        if self.config["what"] != "totals":
            raise RolesFileError(self.path, "holds roles, not totals: read its parts as a table")
        self.check()
        width, parts = len(self.columns), []
        for block in self.blocks:
            file = self.part_path(block)
            try:
                part = read_array(file, mmap=False)
                if part.shape != (block[1] - block[0], width) or part.dtype != np.int64:
                    raise ValueError(f"has shape {part.shape} and type {part.dtype}")
            except (OSError, ValueError) as error:
                raise RolesFileError(
                    file, f"is damaged ({error}); remove it and run the same again"
                ) from error
            parts.append(part)
        return np.concatenate(parts) if parts else np.zeros((0, width), np.int64)
