"""Role matches as a file: match once, train or explain many times.

A file of plain arrays (see `grape_gnn.files.array_file`), which ``numpy.load(path)`` reads too:

===========================  ======================================================
``format``, ``version``      ``"grape-roles"`` and 1
``settings``                 JSON: weighting, induced, the release that wrote it, and for every
                             template its JSON form, whether it was sampled or truncated
``indptr``, ``names`` ...    the graph without its features, as in the file of a graph; of a set
                             of graphs the union, and ``ptr`` ... as in the file of a set
``t0_totals``                instances per ego of template 0
``t0_complete``              egos that were done; only if a budget ended the counting
``t0_r1_data``, ``_indices`` role 1 of template 0 as a CSR matrix; role 0, the identity, is
``_indptr``                  not stored
===========================  ======================================================
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grape_gnn.errors import GrapeError, MatchError, RolesFileError
from grape_gnn.files import parse_json
from grape_gnn.files.array_file import page_dropper, read_arrays, write_arrays
from grape_gnn.graph import Graph
from grape_gnn.graph.check_rows import arc_pieces, check_rows
from grape_gnn.graph.npz import assemble_graph, graph_members
from grape_gnn.graphs.npz import assemble_set, set_members
from grape_gnn.roles.operator import IdentityRole, MatrixRole
from grape_gnn.roles.result import RoleMatches, TemplateRoles
from grape_gnn.roles.set_result import SetMatches
from grape_gnn.template import Template
from grape_gnn.version import __version__

__all__ = ["load_roles", "save_roles"]

VERSION = 1


def save_roles(matches: RoleMatches, path: str | os.PathLike[str]) -> None:
    """Write role matches and their graph; a reader sees the old file or the complete new one.

    Parameters
    ----------
    matches
        What `match` returned. Every role is materialised as a sparse matrix.
    path
        The file; its name must end in ``.npz``.
    """
    if Path(path).suffix != ".npz":
        raise MatchError(f"cannot save to {path}: the file name must end in .npz")
    settings = {
        "release": __version__,
        "weighting": matches.weighting,
        "induced": matches.induced,
        "templates": [
            {
                "template": roles.template.to_json(),
                "sampled": roles.sampled,
                "truncated": roles.truncated,
            }
            for roles in matches
        ],
    }
    members: dict[str, Any] = {"settings": np.frombuffer(json.dumps(settings).encode(), np.uint8)}
    members |= {k: array for k, array in graph_members(matches.graph).items() if k != "x"}
    if isinstance(matches, SetMatches):
        members |= set_members(matches.graphs)
    for t, roles in enumerate(matches):
        members[f"t{t}_totals"] = roles.totals
        if roles.complete is not None:
            members[f"t{t}_complete"] = roles.complete
        for role in roles[1:]:
            matrix = role.to_scipy()
            members[f"t{t}_r{role.role}_data"] = matrix.data
            members[f"t{t}_r{role.role}_indices"] = matrix.indices.astype(np.int32, copy=False)
            members[f"t{t}_r{role.role}_indptr"] = matrix.indptr.astype(np.int64, copy=False)
    write_arrays(path, "roles", VERSION, members)


def load_roles(path: str | os.PathLike[str], *, mmap: bool = False) -> RoleMatches:
    """Read role matches written by `RoleMatches.save` or ``grape match --out``.

    Parameters
    ----------
    path
        The file.
    mmap
        Leave the matrices in the file and page them in when used; do not overwrite the file in
        place meanwhile (`RoleMatches.save` does not). Opening reads them once, to check them,
        and gives the memory back; their checksums are not verified.

    Returns
    -------
    RoleMatches
        With the graph they were found on, node names and labels included, features not.

    Examples
    --------
    >>> import tempfile
    >>> from grape_gnn.roles import match
    >>> roles = match(Graph.from_edges([0, 0, 1], [1, 2, 2]), "triangle")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     roles.save(f"{folder}/roles.npz")
    ...     load_roles(f"{folder}/roles.npz")
    RoleMatches(weighting='count', [
      TemplateRoles('triangle', 2 roles, 3 instances),
    ])
    """
    file = Path(path)
    try:
        members = read_arrays(file, "roles", VERSION, mmap=mmap)
    except ValueError as error:
        raise RolesFileError(file, str(error)) from error
    try:
        return _assemble(members)
    except (KeyError, TypeError, ValueError, GrapeError) as error:
        raise RolesFileError(file, f"has damaged contents: {error}") from error


def _assemble(members: Mapping[str, NDArray[Any]]) -> RoleMatches:
    settings = parse_json(members["settings"].tobytes())
    weighting, induced = settings["weighting"], settings["induced"]
    if weighting not in ("count", "set") or not isinstance(induced, bool):
        raise MatchError(f"weighting is {weighting!r} and induced {induced!r}")
    graphs = assemble_set(members) if "ptr" in members else None
    graph = assemble_graph(members) if graphs is None else graphs.union
    found = []
    for t, entry in enumerate(settings["templates"]):
        template, sampled = Template.from_json(entry["template"]), entry["sampled"]
        if not isinstance(sampled, bool):
            raise MatchError(f"template {t} has 'sampled': {sampled!r}")
        totals, complete = members[f"t{t}_totals"], members.get(f"t{t}_complete")
        if totals.shape != (graph.num_nodes,) or (
            complete is not None and (complete.dtype != bool or complete.shape != totals.shape)
        ):
            raise MatchError(f"template {t} does not fit {graph.num_nodes} nodes")
        _check_values(f"t{t}_totals", totals, smallest=0)
        matrices = [_matrix(members, f"t{t}_r{j}", graph) for j in range(1, template.num_roles)]
        for j, matrix in enumerate(matrices, start=1):
            share = len(template.roles[j]) if weighting == "count" else None
            _check_totals(f"t{t}_r{j}", matrix, totals, share)
        operators = [
            IdentityRole(graph, template, 0),
            *(MatrixRole(graph, template, j, m) for j, m in enumerate(matrices, start=1)),
        ]
        found.append(TemplateRoles(template, operators, totals, complete, sampled))
    if graphs is not None:
        return SetMatches(graphs, weighting, induced, found)
    return RoleMatches(graph, weighting, induced, found)


def _matrix(
    members: Mapping[str, NDArray[Any]], key: str, graph: Graph
) -> sparse.csr_array[Any, Any]:
    data, indices, indptr = (members[f"{key}_{part}"] for part in ("data", "indices", "indptr"))
    check_rows(indptr, indices, page_dropper(indices))
    if indptr.size != graph.num_nodes + 1 or data.shape != indices.shape:
        raise MatchError(f"{key} does not fit {graph.num_nodes} nodes")
    _check_values(f"{key}_data", data[:0], smallest=1)  # of the right type, before SciPy has it
    return sparse.csr_array((data, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))


def _check_values(key: str, values: NDArray[Any], smallest: int) -> None:
    """Refuse what is not a number of instances; estimates from samples are floats."""
    if values.dtype not in (np.int64, np.float64):
        raise MatchError(f"{key} has values of dtype {values.dtype}")
    if values.size and not (smallest <= values.min() and values.max() < np.inf):
        raise MatchError(f"{key} has values that are no numbers of instances")


def _check_totals(
    key: str, matrix: sparse.csr_array[Any, Any], totals: NDArray[Any], share: int | None
) -> None:
    """Check that every instance has `share` members in the role; None: members count once."""
    sums = np.zeros_like(totals, dtype=matrix.dtype)
    drop, done = page_dropper(matrix.data), 0
    for rows, _ in arc_pieces(matrix.indptr, matrix.indices):
        values = matrix.data[done : done + rows.size]
        _check_values(f"{key}_data", values, smallest=1)
        if share is None and (values != 1).any():
            raise MatchError(f"{key} has counts, but the weighting is 'set'")
        starts = np.flatnonzero(np.diff(rows, prepend=-1))
        sums[rows[starts]] += np.add.reduceat(values, starts)
        done += rows.size
        drop()
    if share is None:
        fits = np.array_equal(sums > 0, totals > 0)
    elif matrix.dtype == totals.dtype == np.int64:
        fits = np.array_equal(sums, totals * share)  # where sums overflow, both do alike
    else:
        fits = np.allclose(sums, totals * float(share), rtol=1e-6)
    if not fits:
        raise MatchError(f"{key} does not agree with the number of instances per ego")
