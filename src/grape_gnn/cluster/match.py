"""Matching by blocks of egos: every block is counted by itself and written by who counted it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from grape_gnn.arguments import one_of, whole_number
from grape_gnn.cluster.blocks_folder import Block, block_borders
from grape_gnn.cluster.parts_folder import PartsFolder
from grape_gnn.cluster.run import run_jobs
from grape_gnn.cluster.shared_graph import SharedGraph, refused
from grape_gnn.errors import GrapeError
from grape_gnn.files import atomic_write
from grape_gnn.files.npy import write_array
from grape_gnn.graph import read_graph
from grape_gnn.roles.ego_blocks import EgoBlocks
from grape_gnn.roles.engine import MatchSettings, make_settings
from grape_gnn.roles.result import RoleMatches
from grape_gnn.roles.table import write_table
from grape_gnn.template import Template
from grape_gnn.template.zoo import templates as find_templates
from grape_gnn.workers import WorkerSettings

__all__ = ["match_parts"]


@dataclass(frozen=True)
class Task:
    """What is counted around every block of egos, and where it is written."""

    graph: SharedGraph
    folder: str
    settings: MatchSettings
    engine: str

    @cached_property
    def counts(self) -> EgoBlocks:
        """Counts around blocks; what the algebra needs for all of them each process keeps."""
        return EgoBlocks(self.graph.graph, self.settings, self.engine)


def match_parts(
    graph: str | os.PathLike[str],
    templates: str | Template | Iterable[str | Template],
    out: str | os.PathLike[str],
    *,
    what: str = "roles",
    format: str = "parquet",
    parts: int = 64,
    weighting: str = "count",
    induced: bool = False,
    engine: str = "auto",
    memory: int | str = "1GB",
    jobs: int = 1,
    backend: str = "loky",
    scheduler: str | None = None,
) -> PartsFolder:
    """Find the Ego-AE sets of templates in blocks of egos, here or on a cluster.

    The counts are those of `grape_gnn.match`, to the last one, whoever works. If the call is cut
    off, or a worker's disk is full, the same call goes on with the blocks that are missing, and
    makes those again that were damaged since.

    Parameters
    ----------
    graph
        A graph on disk (``.grape``), under a name that all workers know it by.
    templates
        As for `grape_gnn.match`; likewise `weighting` and `induced`.
    out
        Folder for the parts, under a name that all workers know it by.
    what
        ``"roles"``: a table of ego, template, role, member and count; ``"totals"``: per ego the
        number of instances of each template and the sum of each role.
    format
        Of the tables: ``"parquet"`` (extra ``arrow``), ``"csv"`` or ``"csv.gz"``.
    parts
        Number of blocks, of about as many edges each.
    engine
        ``"algebra"``, ``"enumerate"``, or ``"auto"``: for each template the one that is expected to
        cost less. The counts are the same.
    memory
        Bytes of each job for what the algebra keeps from block to block. With ``"auto"``, a
        template that needs more is enumerated, which keeps nothing.
    jobs, backend, scheduler
        Who works, as for `grape_gnn.search`: ``jobs=2`` processes of this machine; or
        ``backend="dask"`` and the address of a scheduler (extra ``dask``).

    Returns
    -------
    PartsFolder
        Where the parts are.

    Examples
    --------
    >>> import tempfile
    >>> from grape_gnn.graph import Graph
    >>> here = Path(tempfile.mkdtemp())
    >>> Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]).save(here / "g.grape")
    >>> found = match_parts(here / "g.grape", "triangle", here / "roles", format="csv", parts=2)
    >>> [found.part_path(block).name for block in found.blocks]
    ['roles-0-2.csv', 'roles-2-4.csv']
    """
    one_of("what", what, ("roles", "totals"))
    one_of("format", format, ("parquet", "csv", "csv.gz"))
    one_of("engine", engine, ("auto", "algebra", "enumerate"))
    whole_number("parts", parts, 1)
    # Every job has one thread: a cluster says how many jobs a machine takes.
    settings = make_settings(weighting=weighting, induced=induced, threads=1, memory=memory)
    wanted = find_templates(templates)
    shared = SharedGraph.of(graph)
    config = {
        "graph": shared.identity,
        "what": what,
        "format": "npy" if what == "totals" else format,
        "templates": [template.to_json() for template in wanted],
        "weighting": weighting,
        "induced": induced,
        "borders": block_borders(read_graph(graph), parts),
    }
    with PartsFolder.prepared(Path(out).absolute(), config) as folder:
        run_jobs(
            match_block,
            Task(shared, str(folder.path), settings, engine),
            folder.still_to_do(),
            WorkerSettings(jobs, backend, scheduler),
            fingerprint=f"{shared.identity} {folder.path}",
            step="matching",
        )
        folder.write_manifest()
        return folder


def match_block(task: Task, block: Block) -> str | None:
    """Count around the egos of a block and write its part; return what went wrong."""
    try:
        counts, folder, egos = task.counts, PartsFolder.open(task.folder), range(*block)
        path = folder.part_path(block)
        if folder.config["what"] == "totals":
            columns = [counts.totals(template, egos) for template in folder.templates]
            with atomic_write(path) as temporary:
                write_array(temporary, np.concatenate(columns, axis=1))
        else:
            found = [counts.roles(template, egos) for template in folder.templates]
            how = task.settings
            write_table(RoleMatches(counts.graph, how.weighting, how.induced, found), path)
        folder.seal(path)
    except (GrapeError, OSError) as error:
        return refused(error)
    return None
