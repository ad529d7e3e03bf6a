"""Role matches as a file: match once, train or explain many times.

A file of plain arrays (see `grape_gnn.array_file`), which ``numpy.load(path)`` reads too:

===========================  ======================================================
``format``, ``version``      ``"grape-roles"`` and 1
``settings``                 JSON: weighting, induced, the release that wrote it, and for every
                             template its JSON form, whether it was sampled or truncated
``indptr``, ``names`` ...    the graph without its features, as in the file of a graph
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

from grape_gnn.array_file import read_arrays, write_arrays
from grape_gnn.errors import GrapeError, MatchError, RolesFileError
from grape_gnn.graph import Graph
from grape_gnn.graph.npz import assemble_graph, graph_members
from grape_gnn.graph.rows import check_rows
from grape_gnn.roles.operator import IdentityRole, MatrixRole
from grape_gnn.roles.result import RoleMatches, TemplateRoles
from grape_gnn.template import Template

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
    from grape_gnn import __version__

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
        place meanwhile (`RoleMatches.save` does not).

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
    settings = json.loads(members["settings"].tobytes())
    graph = assemble_graph(members)
    found = []
    for t, entry in enumerate(settings["templates"]):
        template = Template.from_json(entry["template"])
        totals, complete = members[f"t{t}_totals"], members.get(f"t{t}_complete")
        if totals.shape != (graph.num_nodes,) or (
            complete is not None and (complete.dtype != bool or complete.shape != totals.shape)
        ):
            raise MatchError(f"template {t} does not fit {graph.num_nodes} nodes")
        matrices = [_matrix(members, f"t{t}_r{j}", graph) for j in range(1, template.num_roles)]
        operators = [
            IdentityRole(graph, template, 0),
            *(MatrixRole(graph, template, j, m) for j, m in enumerate(matrices, start=1)),
        ]
        sampled = bool(entry["sampled"])
        found.append(TemplateRoles(template, operators, totals, complete, sampled))
    return RoleMatches(graph, str(settings["weighting"]), bool(settings["induced"]), found)


def _matrix(
    members: Mapping[str, NDArray[Any]], key: str, graph: Graph
) -> sparse.csr_array[Any, Any]:
    data, indices, indptr = (members[f"{key}_{part}"] for part in ("data", "indices", "indptr"))
    check_rows(indptr, indices)
    if data.shape != indices.shape or data.dtype not in (np.int64, np.float64):
        raise MatchError(f"{key} has values of dtype {data.dtype} and shape {data.shape}")
    if indptr.size != graph.num_nodes + 1:
        raise MatchError(f"{key} does not fit {graph.num_nodes} nodes")
    return sparse.csr_array((data, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
