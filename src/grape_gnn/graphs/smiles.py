"""Molecules written as SMILES, through RDKit: atoms are nodes, bonds are edges.

The type of a node is its element, that of an edge the kind of its bond (``single``, ``double``,
``triple``, ``aromatic``). Hydrogens stay implicit.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from grape_gnn.errors import GraphError, GraphFileError
from grape_gnn.extras import named_extra
from grape_gnn.files import read_text
from grape_gnn.graph.node_table import read_cells
from grape_gnn.graph.targets import parse_cells
from grape_gnn.graphs.pieces import Piece
from grape_gnn.warn import warn

__all__ = ["molecule", "read_smiles"]


def molecule(text: str) -> Piece:
    """Return the graph of one molecule.

    Examples
    --------
    >>> molecule("CC=O").types  # doctest: +SKIP
    ['C', 'C', 'O']
    """
    with named_extra():
        from rdkit import Chem, rdBase
    with rdBase.BlockLogs():
        found = Chem.MolFromSmiles(text)
    if found is None:
        raise GraphError(f"{text!r} is not a molecule in SMILES")
    bonds = list(found.GetBonds())
    return Piece(
        np.array([bond.GetBeginAtomIdx() for bond in bonds], np.int64),
        np.array([bond.GetEndAtomIdx() for bond in bonds], np.int64),
        found.GetNumAtoms(),
        [atom.GetSymbol() for atom in found.GetAtoms()],
        edge_types=[str(bond.GetBondType()).lower() for bond in bonds],
    )


def read_smiles(
    path: Path, label: str | None = None
) -> tuple[list[Piece], list[str] | None, list[Any] | None]:
    """Read a file of SMILES: one a line, or a table with a column ``smiles``.

    Parameters
    ----------
    path
        ``.smi``: a molecule a line, then maybe a blank and its name. ``.csv``: a table with the
        names of the columns in its first line.
    label
        The column of targets of a table.

    Returns
    -------
    tuple
        The molecules, their names if all lines of a ``.smi`` have one, and the targets of a table.
    """
    if path.suffix.lower() in (".smi", ".smiles"):
        if label is not None:
            raise GraphFileError(
                path, f"has no column {label!r}: targets of .smi files are in a table of their own"
            )
        texts, names = _lines(path)
        distinct = len(set(names)) == len(texts)
        if len(set(names)) < len(names):
            warn(
                f"{path}: what stands behind the molecules is no name of its own for each, and is "
                f"left out; if these are targets, give a table with a column 'smiles'"
            )
        return _molecules(path, texts), names if distinct else None, None
    cells, lines = read_cells(path)
    column = next((name for name in cells if name.lower() == "smiles"), None)
    if column is None:
        raise GraphFileError(path, "has no column 'smiles'")
    if label is not None and label not in cells:
        raise GraphFileError(path, f"has no column {label!r}: the columns are {', '.join(cells)}")
    targets = None if label is None else parse_cells(cells[label])
    return _molecules(path, dict(zip(lines, cells[column], strict=True))), None, targets


def _lines(path: Path) -> tuple[dict[int, str], list[str]]:
    """Return the molecules by their lines, and what stands behind them."""
    try:
        content = read_text(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise GraphFileError(path, f"cannot be read: {reason}") from error
    words = {k: line.split(None, 1) for k, line in enumerate(content.splitlines(), 1)}
    texts = {k: each[0] for k, each in words.items() if each}
    return texts, [each[1].strip() for each in words.values() if len(each) > 1]


def _molecules(path: Path, texts: Mapping[int, str]) -> list[Piece]:
    """Return the molecules of lines by their numbers."""
    pieces: list[Piece] = []
    try:
        for text in texts.values():
            pieces.append(molecule(text))  # noqa: PERF401  how many there are tells the line
    except GraphError as error:
        raise GraphFileError(path, str(error), list(texts)[len(pieces)]) from error
    return pieces
