"""Role matches as a table: ego, template, role, member and count, by the nodes' own names.

A row says how often a member plays a role of a template around an ego. Role 0, the ego itself, is
left out. Tables are written piece by piece, and of the roles that are not stored one at a time, so
a file may be much larger than the memory.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grape_gnn.errors import MatchError
from grape_gnn.extras import named_extra
from grape_gnn.files import atomic_write
from grape_gnn.progress import report
from grape_gnn.template import Template

if TYPE_CHECKING:
    from grape_gnn.graph import Graph
    from grape_gnn.roles.result import RoleMatches

__all__ = ["COLUMNS", "TABLE_SUFFIXES", "roles_frame", "totals_frame", "write_table"]

COLUMNS = ("ego", "template", "role", "member", "count")
TABLE_SUFFIXES = (".csv", ".csv.gz", ".parquet")
_ROWS = 1 << 17  # of a piece: some megabytes


@dataclass(frozen=True)
class _Piece:
    """Some rows of one role; nodes by number."""

    template: int
    role: int
    egos: NDArray[np.int64]
    members: NDArray[np.int64]
    counts: NDArray[Any]


def write_table(matches: RoleMatches, path: str | os.PathLike[str]) -> list[list[int]]:
    """Write role matches as ``.csv``, ``.csv.gz`` or ``.parquet`` (extra ``arrow``).

    Parameters
    ----------
    matches
        What `match` returned.
    path
        The file. A crash leaves an old one untouched.

    Returns
    -------
    list of list of int
        For every template the number of rows of each role, the ego's left out.
    """
    target = Path(path)
    kind = next((s for s in TABLE_SUFFIXES if target.name.endswith(s)), None)
    if kind is None:
        raise MatchError(
            f"cannot write a table to {target}: the name must end in {' or '.join(TABLE_SUFFIXES)}"
        )
    rows = [[0] * (len(roles) - 1) for roles in matches]

    def counted() -> Iterator[_Piece]:
        for piece in _pieces(matches):
            rows[piece.template][piece.role - 1] += piece.egos.size
            yield piece

    if kind == ".parquet":
        with named_extra():  # before the work, not after it
            import pyarrow.parquet
        with atomic_write(target) as temporary:
            _write_parquet(pyarrow, matches, counted(), temporary)
    else:
        opened: Callable[..., Any] = gzip.open if kind.endswith(".gz") else open
        with (
            atomic_write(target) as temporary,
            opened(temporary, "wt", encoding="utf-8", newline="") as file,
        ):
            _write_csv(matches, counted(), file)
    return rows


def roles_frame(matches: RoleMatches) -> Any:
    """Return role matches as a pandas data frame; see `RoleMatches.to_pandas`."""
    with named_extra():
        import pandas as pd

    names, pieces = _names(matches.graph), list(_pieces(matches))

    def column(of: str, kind: Any) -> NDArray[Any]:
        return np.concatenate([getattr(p, of) for p in pieces]) if pieces else np.array([], kind)

    sizes = [piece.egos.size for piece in pieces]
    codes = np.repeat(np.array([piece.template for piece in pieces], np.int64), sizes)
    titles = _titles([roles.template for roles in matches])
    return pd.DataFrame(
        {
            "ego": names[column("egos", np.int64)],
            "template": pd.Categorical(np.array(titles, object)[codes], dict.fromkeys(titles)),
            "role": np.repeat(np.array([piece.role for piece in pieces], np.int64), sizes),
            "member": names[column("members", np.int64)],
            "count": column("counts", _count_type(matches)).astype(_count_type(matches)),
        }
    )


def totals_frame(graph: Graph, templates: list[Template], totals: NDArray[Any]) -> Any:
    """Return instances per ego as a pandas data frame; see `count_instances`."""
    with named_extra():
        import pandas as pd

    index = pd.Index(_names(graph), name="ego")
    return pd.DataFrame(totals, index=index, columns=pd.Index(_titles(templates), name="template"))


def _pieces(matches: RoleMatches) -> Iterator[_Piece]:
    for number, roles in enumerate(matches):
        for role in roles[1:]:
            report(f"writing role {role.role} of {_titles([roles.template])[0]}")
            matrix = role.to_scipy()
            for start in range(0, matrix.nnz, _ROWS):
                part = slice(start, start + _ROWS)
                members = matrix.indices[part].astype(np.int64)
                places = np.arange(start, start + members.size)
                egos = np.searchsorted(matrix.indptr, places, side="right") - 1
                yield _Piece(number, role.role, egos, members, matrix.data[part])


def _names(graph: Graph) -> NDArray[Any]:
    if graph.names is None:
        return np.arange(graph.num_nodes)
    # An array of texts would cut off what ends in a NUL.
    return np.array(graph.names, dtype=object if isinstance(graph.names[0], str) else np.int64)


def _titles(templates: list[Template]) -> list[str]:
    return [template.name or template.text for template in templates]


def _count_type(matches: RoleMatches) -> type[np.generic]:
    return np.float64 if any(roles.sampled for roles in matches) else np.int64


def _write_csv(matches: RoleMatches, pieces: Iterator[_Piece], file: Any) -> None:
    names = [_quoted(str(name)) for name in _names(matches.graph).tolist()]
    titles = [_quoted(title) for title in _titles([roles.template for roles in matches])]
    file.write(",".join(COLUMNS) + "\n")
    for p in pieces:
        middle = f",{titles[p.template]},{p.role},"
        rows = zip(p.egos.tolist(), p.members.tolist(), p.counts.tolist(), strict=True)
        file.writelines(f"{names[ego]}{middle}{names[who]},{count}\n" for ego, who, count in rows)


def _quoted(word: str) -> str:
    """Write a word as CSV (RFC 4180) wants it.

    Examples
    --------
    >>> print(_quoted("ann"), _quoted('Dumas "père", A.'))
    ann "Dumas ""père"", A."
    """
    plain = word and word == word.strip() and not any(letter in word for letter in ',"\r\n')
    return word if plain else '"' + word.replace('"', '""') + '"'


def _write_parquet(
    arrow: Any, matches: RoleMatches, pieces: Iterator[_Piece], target: Path
) -> None:
    names = arrow.array(_names(matches.graph))
    titles = _titles([roles.template for roles in matches])
    counts = _count_type(matches)
    words = arrow.dictionary(arrow.int32(), arrow.string())
    kinds = (names.type, words, arrow.int16(), names.type, arrow.from_numpy_dtype(counts))
    schema = arrow.schema(list(zip(COLUMNS, kinds, strict=True)))
    with arrow.parquet.ParquetWriter(target, schema) as writer:
        for p in pieces:
            which = arrow.array(np.full(p.egos.size, p.template, np.int32))
            columns = [
                names.take(arrow.array(p.egos)),
                arrow.DictionaryArray.from_arrays(which, titles),
                arrow.array(np.full(p.egos.size, p.role, np.int16)),
                names.take(arrow.array(p.members)),
                arrow.array(p.counts.astype(counts)),
            ]
            writer.write_batch(arrow.record_batch(columns, schema=schema))
