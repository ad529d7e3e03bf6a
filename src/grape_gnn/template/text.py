"""The text form of a template: ``"0-1 1-2 0-2"``, ``"0>1 0<2"``, ``"0-1=double 1:N"``.

Every token is an edge, which may ask for a type, or what a node asks for; spaces and commas
separate tokens. This file only turns characters into edges, types and labels and back; whether they
make a template is checked in `structure`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grape_gnn.errors import TemplateError

__all__ = ["Edge", "Label", "Parsed", "format_text", "looks_like_text", "parse_text"]

Edge = tuple[int, int]
Label = str | int

_VALUE = r"""(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s,"'\\]+))"""
_END = r"(?=[\s,]|$)"
_EDGE = re.compile(rf"([0-9]+)(<>|-|>|<)([0-9]+)(=)?(?(4){_VALUE}){_END}", re.DOTALL)
_LABEL = re.compile(rf"([0-9]+):{_VALUE}{_END}", re.DOTALL)
_SEPARATORS = re.compile(r"[\s,]*")
_TOKEN = re.compile(r"[^\s,]+")
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]*")
_PLAIN_LABEL = re.compile(r"[^\s,\"'\\]+")


class Parsed(NamedTuple):
    """What a text says, before any check of the structure."""

    edges: list[Edge]
    directed: bool
    labels: dict[int, Label]
    edge_types: dict[Edge, Label]


def looks_like_text(text: str) -> bool:
    """Whether the text starts with an edge or a label, as opposed to a template's name."""
    start = text.lstrip(" \t\r\n,")
    return bool(_EDGE.match(start) or _LABEL.match(start))


def parse_text(text: str) -> Parsed:
    """Read the text form.

    Examples
    --------
    >>> parse_text("0-1 1-2 2:physics")
    Parsed(edges=[(0, 1), (1, 2)], directed=False, labels={2: 'physics'}, edge_types={})
    >>> parse_text("0<>1, 2>0=cites")
    Parsed(edges=[(0, 1), (1, 0), (2, 0)], directed=True, labels={}, edge_types={(2, 0): 'cites'})
    """
    edges: list[Edge] = []
    labels: dict[int, Label] = {}
    edge_types: dict[Edge, Label] = {}
    plain, arrow = "", ""
    at = _skip_separators(text, 0)
    while at < len(text):
        if edge := _EDGE.match(text, at):
            a, sign, b = int(edge[1]), edge[2], int(edge[3])
            if sign == "-":
                plain = plain or edge[0]
            else:
                arrow = arrow or edge[0]
            arcs = {"<": [(b, a)], "<>": [(a, b), (b, a)]}.get(sign, [(a, b)])
            edges += arcs
            if edge[4]:
                edge_types |= dict.fromkeys(arcs, _value(edge[5], edge[6], edge[7]))
            end = edge.end()
        elif label := _LABEL.match(text, at):
            _add_label(text, labels, label)
            end = label.end()
        else:
            raise _garbage(text, at)
        at = _skip_separators(text, end)
    if plain and arrow:
        raise TemplateError(
            f"template {text!r} mixes the undirected edge '{plain}' with the directed '{arrow}': "
            f"in a directed template write an edge that goes both ways as "
            f"'{plain.replace('-', '<>', 1)}'"
        )
    return Parsed(edges, bool(arrow), labels, edge_types)


def format_text(
    edges: Sequence[Edge],
    directed: bool,
    labels: Sequence[Label | None],
    edge_types: Mapping[Edge, Label] | None = None,
) -> str:
    """Write the text form: edges by their smaller, then larger node, followed by the labels.

    Examples
    --------
    >>> format_text([(0, 2), (1, 0), (2, 0)], True, [None, None, "data mining"])
    '0<1 0<>2 2:"data mining"'
    >>> format_text([(0, 1), (1, 0)], True, [None, None], {(0, 1): "likes"})
    '0<1 0>1=likes'
    """
    types = edge_types or {}
    arcs = set(edges)
    tokens = []
    for a, b in sorted({(min(e), max(e)) for e in edges}):
        signs = ["-"]
        if directed:
            signs = ["<"] * ((b, a) in arcs) + [">"] * ((a, b) in arcs)
            if types.get((a, b)) == types.get((b, a)):
                signs = ["".join(signs)]
        for sign in signs:
            asked = types.get((b, a) if sign == "<" else (a, b))
            tokens.append(f"{a}{sign}{b}" + ("" if asked is None else f"={_quote(asked)}"))
    tokens += [f"{node}:{_quote(x)}" for node, x in enumerate(labels) if x is not None]
    return " ".join(tokens)


def _skip_separators(text: str, at: int) -> int:
    found = _SEPARATORS.match(text, at)
    return found.end() if found else at


def _add_label(text: str, labels: dict[int, Label], token: re.Match[str]) -> None:
    node = int(token[1])
    if node in labels:
        raise TemplateError(
            f"template {text!r} gives node {node} two labels: a node can ask for one label only"
        )
    labels[node] = _value(token[2], token[3], token[4])


def _value(double: str | None, single: str | None, plain: str | None) -> Label:
    if plain is not None:
        return int(plain) if _WHOLE_NUMBER.fullmatch(plain) else plain
    quoted = double if double is not None else single or ""
    return re.sub(r"\\(.)", r"\1", quoted, flags=re.DOTALL)


def _quote(label: Label) -> str:
    if isinstance(label, int):
        return str(label)
    if _PLAIN_LABEL.fullmatch(label) and not _WHOLE_NUMBER.fullmatch(label):
        return label
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _garbage(text: str, at: int) -> TemplateError:
    from grape_gnn.template import zoo  # late: the zoo is built from templates

    token = _TOKEN.match(text, at)
    bad = token[0] if token else text[at:]
    if zoo.is_name(text):
        name = text.strip()
        return TemplateError(
            f"{name!r} is the name of a template, not its text: use grape.template({name!r})"
        )
    return TemplateError(
        f"cannot read {bad!r} at character {at + 1} of template {text!r}: write edges such as "
        f"'0-1' (undirected) or '0>1', '0<1', '0<>1' (directed), edges of a type as "
        f"'0-1=double', and labels such as '1:physics' or '1:\"data mining\"', separated by spaces "
        f"or commas"
    )
