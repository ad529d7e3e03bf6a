"""How an edge list is laid out: its separator, a line of column names or none, the columns.

All is told from the first lines, or said by the user. What was taken for what is one line in
`EdgeColumns.note`.

Columns with names are never guessed: the ends are those that were said, those with typical names,
or the only two there are besides a weight; otherwise an error asks. Without names the first two are
the ends, which is a guess if other columns hold the same kind of values.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from grape_gnn.errors import GraphError
from grape_gnn.graph.columns import plain_number
from grape_gnn.graph.decimal_commas import with_points
from grape_gnn.warn import remark, warn

__all__ = ["EdgeColumns", "ends_among", "find_edge_columns", "layout_of_lines"]

LINES = 100  # that are looked at
_PAIRS = (
    ("source", "target"), ("src", "dst"), ("src", "dest"), ("source", "destination"),
    ("from", "to"), ("sender", "receiver"), ("sender", "recipient"), ("node1", "node2"),
    ("id1", "id2"), ("user1", "user2"), ("person1", "person2"), ("follower", "followee"),
    ("citing", "cited"), ("caller", "callee"), ("payer", "payee"), ("buyer", "seller"),
    ("start", "end"), ("tail", "head"), ("head", "tail"), ("ego", "alter"), ("u", "v"),
    ("origin", "destination"), ("orig", "dest"), ("origin", "dest"), ("parent", "child"),
    ("von", "nach"), ("quelle", "ziel"), ("origen", "destino"), ("origine", "destination"),
)  # fmt: skip
_ENDINGS = ("id", "node", "name", "key")  # from_node_id is from
_KINDS = ("type", "kind", "bond", "relation", "rel")  # and edge_type, bond_type, ...
_ROW_NUMBERS = ("", "id", "index", "idx", "edge", "unnamed0", "row", "no", "nr")
_DECIMAL = re.compile(r" *[+-]?[0-9]+,[0-9]+ *")  # a comma that separates nothing
_WORD = re.compile(r'"((?:[^"]|"")*)"|([^ \t]+)')


@dataclass(frozen=True)
class EdgeColumns:
    """Where the ends, the weight and the type of an edge are.

    Parameters
    ----------
    source, target, weight, kind
        Columns, counted from 0; -1 for no weight and for no type.
    header
        Whether the first line names the columns.
    separator
        Between columns; a blank means runs of blanks.
    certain
        Whether there is no doubt about the header.
    note
        What was taken for what, if that needs saying.
    guessed
        Whether the two ends might as well be other columns.
    """

    source: int = 0
    target: int = 1
    weight: int = -1
    kind: int = -1
    header: bool = False
    separator: str = ","
    certain: bool = True
    note: str = ""
    guessed: bool = False

    def say(self, where: str) -> None:
        """Say what was taken for what: a guess to everybody, the rest to who wants remarks."""
        if self.note:
            (warn if self.guessed else remark)(f"{where}{self.note}")


def layout_of_lines(
    text: str,
    *,
    header: bool | None = None,
    separator: str | None = None,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    edge_types: str | None = None,
) -> EdgeColumns:
    r"""Tell the layout of an edge list from its beginning.

    Parameters
    ----------
    text
        The first lines.
    header, separator, source, target, weight, edge_types
        What the user said, as for `grape_gnn.read_graph`.

    Examples
    --------
    >>> layout_of_lines("id,from,to\n0,ann,bob\n").note
    "took 'from' and 'to' for the ends of an edge, and ignored 'id'"
    >>> layout_of_lines("ann bob\nbob cat\n").header
    False
    """
    if separator is not None and (len(separator) != 1 or separator in '"\n#%'):
        raise GraphError(f"separator must be one character, got {separator!r}")
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    content = [s for s in lines if s.strip() and s.lstrip()[0] not in "#%"][:LINES]
    if content and "\r" in content[0]:
        raise GraphError("its lines end with a carriage return alone; save it with usual line ends")
    between = separator or (_guess_separator(content[0]) if content else ",")
    rows = [_split(line, between) for line in content]
    if between == ";" and len({len(row) for row in rows}) == 1:
        columns = [
            with_points([name], True) + with_points(cells, True)
            for name, *cells in zip(*rows, strict=True)
        ]
        rows = [list(row) for row in zip(*columns, strict=True)]
    said = (source, target, weight, edge_types)
    named = [name for name in said if name is not None]
    if not rows:
        return EdgeColumns(separator=between)
    certain, doubt = True, ""
    if header is None:
        header = any(name in rows[0] for name in named) or _is_header(rows)
        certain = header or bool(named)
        doubt = _NO_NAMES
    if header:
        return find_edge_columns(rows[0], between, *said, rows=rows[1:], doubt=doubt)
    if named:
        return _by_number(rows[0], between, *said)
    further = len(rows[0]) - 2
    ignored = "1 column" if further == 1 else f"{further} columns"
    note = f"ignored {ignored} after the two node names; {_UNWEIGHTED}" * (further > 0)
    guessed = further > 0 and not _first_two_differ(rows)
    note += f"; {_SAY_SO}" * guessed
    return EdgeColumns(separator=between, certain=certain, note=note, guessed=guessed)


_UNWEIGHTED = "matching counts edges and ignores weights"
_NO_NAMES = " (header=False if the first line is an edge)"
_SAY_SO = "if the ends are others, name them by source= and target="


def find_edge_columns(
    names: Sequence[str],
    separator: str = ",",
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    edge_types: str | None = None,
    *,
    rows: Sequence[Sequence[str]] = (),
    doubt: str = "",
) -> EdgeColumns:
    """Find the columns by their names: those that were said, typical ones, or the only two left.

    Parameters
    ----------
    names
        Of all columns.
    separator, source, target, weight, edge_types
        What was told or said.
    rows
        Some rows: a column among them may say that edges are directed.
    doubt
        What to add if the ends cannot be told.

    Raises
    ------
    GraphError
        A column that was said is not there, or nothing tells which columns are the ends.

    Examples
    --------
    >>> at = find_edge_columns(["who", "whom", "trust"], weight="trust")
    >>> at.source, at.target, at.weight
    (0, 1, 2)
    """
    if len(names) < 2:
        raise GraphError(
            f"a table of edges needs two columns for their ends; it has {_listed(names)}"
        )
    for name in (source, target, weight, edge_types):
        if name is not None and name not in names:
            raise GraphError(f"has no column {name!r}; it has {_listed(names)}")
    if (source is None) != (target is None):
        raise GraphError("give both source= and target=, or neither")
    notes = []
    if source is not None and target is not None:
        if source == target:
            raise GraphError(f"source= and target= are the same column, {source!r}")
        ends = (list(names).index(source), list(names).index(target))
    else:
        ends = ends_among(names) or _twins(names) or _only_two(names, (weight, edge_types), doubt)
    further = [list(names).index(name) if name else -1 for name in (weight, edge_types)]
    ignored = [name for k, name in enumerate(names) if k not in (*ends, *further)]
    if ignored and source is None:
        first, second = (repr(names[k]) for k in ends)
        shown = ", ".join(repr(n) if n else "one without a name" for n in ignored[:5])
        shown += ", ..." * (len(ignored) > 5)
        notes.append(f"took {first} and {second} for the ends of an edge, and ignored {shown}")
        if any("weight" in n.lower() for n in ignored):
            notes.append(_UNWEIGHTED)
    kinds = [name for name in ignored if _plain(name).removeprefix("edge") in _KINDS]
    kinds += [name for name in ignored if _plain(name) in ("bondtype", "relationtype")]
    directions = _directions(rows, [list(names).index(name) for name in kinds[:1]])
    if "directed" in directions:
        notes.append(f"{kinds[0]!r} says that edges are directed: directed=True (--directed)")
    if kinds and edge_types is None and not directions:
        notes += [f"ignored {kinds[0]!r}"] if source is not None else []
        option = f"--edge-types {shlex.quote(kinds[0])}"
        notes.append(f"edge_types={kinds[0]!r} makes it the types of the edges ({option})")
    for name, at, what in zip((weight, edge_types), further, ("weight", "type"), strict=True):
        if at in ends:
            raise GraphError(f"the column {name!r} cannot be both an end and the {what} of an edge")
    if weight is not None and weight == edge_types:
        raise GraphError(f"the column {weight!r} cannot be both the weight and the type of an edge")
    source_at, target_at, weight_at, kind_at = (*ends, *further)
    return EdgeColumns(
        source_at, target_at, weight_at, kind_at, True, separator, True, "; ".join(notes)
    )


def _twins(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the only two columns whose names differ by a last 1 and 2, or A and B.

    Not for telling whether a line has names: nodes may be called so.
    """
    words = [_base(name) for name in names]
    found = [
        (k, words.index(word[:-1] + other))
        for k, word in enumerate(words)
        for one, other in ("12", "ab")
        if len(word) > 1 and word.endswith(one) and word[:-1] + other in words
    ]
    return found[0] if len(found) == 1 else None


def _only_two(names: Sequence[str], others: Sequence[str | None], doubt: str) -> tuple[int, int]:
    """Return the two columns that are left besides weights, and what was said to be another."""
    left = [k for k, name in enumerate(names) if name not in others and _plain(name) != "weight"]
    if len(left) != 2:
        raise GraphError(
            f"cannot tell which columns are the two ends of an edge: say so by source= and "
            f"target=; the columns are {_listed(names)}{doubt}"
        )
    return left[0], left[1]


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - 20:,} more" if len(names) > 20 else ""
    return f"{list(names[:20])}{more}"


def _directions(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> set[str]:
    """Return whether edges are directed, as Gephi writes it into a column; empty: not said."""
    found = {row[k].strip().lower() for row in rows for k in columns if k < len(row)}
    return found if found <= {"directed", "undirected"} else set()


def ends_among(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the two columns whose names are typical of the ends of an edge.

    Examples
    --------
    >>> ends_among(["id", "From_Node_ID", "To_Node_ID", "weight"])
    (1, 2)
    """
    plain = [_plain(name) for name in names]
    bare = [_base(name) for name in names]
    for words in (plain, bare):
        for first, second in _PAIRS:
            if first in words and second in words:
                return words.index(first), words.index(second)
    return None


def _by_number(
    first: Sequence[str],
    separator: str,
    source: str | None,
    target: str | None,
    weight: str | None,
    edge_types: str | None,
) -> EdgeColumns:
    """Take columns of a file without names by their numbers, from 1 on."""
    numbers = [str(k + 1) for k in range(len(first))]
    for name in (source, target, weight, edge_types):
        if name is not None and name not in numbers:
            raise GraphError(
                f"has no column {name!r}: its first line is {list(first)}; without a line of names "
                f"columns are 1 to {len(first)}"
            )
    ends = (source or numbers[0], target or numbers[1])
    at = find_edge_columns(numbers, separator, *ends, weight, edge_types)
    return replace(at, header=False)


def _is_header(rows: Sequence[Sequence[str]]) -> bool:
    first, second = rows[0], rows[1] if len(rows) > 1 else ()
    if ends_among(first) is not None:
        return True
    if len(first) != len(second) or len(first) < 2:
        return False
    if not any(map(_is_integer, first)) and all(map(_is_integer, second[:2])):
        return True
    if _base(first[0]) in _ROW_NUMBERS and all(_is_integer(row[0]) for row in rows[1:]):
        return True
    # A name above a column of numbers, such as a weight.
    return any(
        plain_number(first[k]) != plain_number(first[k])
        and first[k] != ""
        and all(len(row) > k and plain_number(row[k]) == plain_number(row[k]) for row in rows[1:])
        for k in range(2, len(first))
    )


def _first_two_differ(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first two columns hold the same kind of values, and no other column does."""
    kinds = [
        "text" if any(number != number for number in map(plain_number, cells))
        else "integer" if all(map(_is_integer, cells))
        else "number"
        for cells in zip(*rows, strict=False)
    ]  # fmt: skip
    return len(kinds) > 2 and kinds[0] == kinds[1] and kinds[0] not in kinds[2:]


def _is_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isdecimal() and (digits == "0" or digits[0] != "0")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())


def _base(name: str) -> str:
    word = _plain(name)
    while True:
        ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) > len(e)), None)
        if ending is None:
            return word
        word = word.removesuffix(ending)


def _guess_separator(line: str) -> str:
    bare = re.sub(r'"[^"]*"?', "", line.strip())
    if ";" in bare and "\t" not in bare:
        cells = [cell for cell in bare.split(";") if "," in cell]
        if all(map(_DECIMAL.fullmatch, cells)):
            return ";"
    return next((c for c in "\t,;" if c in bare), " ")


def _split(line: str, separator: str) -> list[str]:
    if separator == " ":
        return [quoted.replace('""', '"') or word for quoted, word in _WORD.findall(line)]
    cells, inside, cell = [], False, ""
    for letter in line if separator == "\t" else line.strip():
        if letter == '"':
            inside = not inside
            cell += letter
        elif letter == separator and not inside:
            cells.append(cell)
            cell = ""
        else:
            cell += letter
    return [_unquoted(c.strip(" \t")) for c in (*cells, cell)]


def _unquoted(cell: str) -> str:
    if len(cell) > 1 and cell[0] == cell[-1] == '"':
        return cell[1:-1].replace('""', '"')
    return cell
