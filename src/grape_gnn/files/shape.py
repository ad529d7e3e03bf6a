"""Checks that what was read from JSON has the types its reader counts on.

The types are ordinary annotations, of a `TypedDict` or a dataclass, so that what a file must hold
is written down once. Limits are part of the annotation: `Count` and `Share`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

__all__ = ["Amount", "Count", "Finite", "Share", "WrongShapeError", "check_shape"]


class WrongShapeError(ValueError):
    """A value has not the type it should have; the message says which one."""


@dataclass(frozen=True)
class Limits:
    """A range of numbers; NaN is in none."""

    low: float
    high: float
    words: str


Count = Annotated[int, Limits(0, 2**63 - 1, "a count")]
Share = Annotated[float, Limits(0.0, 1.0, "a number from 0 to 1")]
Finite = Annotated[float, Limits(-1e300, 1e300, "a finite number")]
Amount = Annotated[float, Limits(0.0, 1e300, "a number from 0 up")]

_WORDS = {
    float: "a number", int: "a whole number", str: "a text", bool: "true or false",
    dict: "an object", list: "a list", tuple: "a list", NoneType: "null",
}  # fmt: skip


def check_shape(value: Any, kind: Any, where: str = "") -> None:
    """Raise `WrongShapeError` unless a value is of a kind.

    Parameters
    ----------
    value
        Numbers, texts, lists and objects, as ``json.loads`` returns them.
    kind
        An annotation: a plain type, ``list[...]``, ``dict[str, ...]``, a union, `Literal`, a
        `TypedDict` (further keys are allowed) or a dataclass (they are not).
    where
        Path to the value, for the message.

    Examples
    --------
    >>> check_shape({"nodes": [3, 4]}, dict[str, list[Count]])
    >>> check_shape({"nodes": [3, -4]}, dict[str, list[Count]])
    Traceback (most recent call last):
        ...
    grape_gnn.files.shape.WrongShapeError: 'nodes.1' is -4, expected a count
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return
    if origin is Annotated:
        limits = inner[1]
        _require(_is(value, inner[0]), value, where, limits.words)
        _require(limits.low <= value <= limits.high, value, where, limits.words)
    elif origin in (Union, UnionType):
        _check_union(value, inner, where)
    elif origin is Literal:
        _require(value in inner, value, where, " or ".join(map(repr, inner)))
    elif origin in (list, tuple, Sequence):
        _require(isinstance(value, list | tuple), value, where, "a list")
        for number, each in enumerate(value):
            check_shape(each, inner[0], f"{where}.{number}")
    elif origin in (dict, Mapping):
        _require(isinstance(value, dict), value, where, "an object")
        for name, each in value.items():
            check_shape(each, inner[1], f"{where}.{name}")
    elif is_typeddict(kind) or is_dataclass(kind):
        _check_fields(value, kind, where)
    else:
        _require(_is(value, kind), value, where, _WORDS.get(kind, kind.__name__))


def _check_union(value: Any, kinds: Sequence[Any], where: str) -> None:
    """Check alternatives; of their complaints, the first one counts."""
    complaints = []
    for kind in sorted(kinds, key=lambda kind: kind is NoneType):
        try:
            check_shape(value, kind, where)
        except WrongShapeError as error:  # noqa: PERF203  each alternative has its own
            complaints.append(error)
        else:
            return
    raise complaints[0]


def _check_fields(value: Any, kind: Any, where: str) -> None:
    _require(isinstance(value, dict), value, where, "an object")
    kinds = get_type_hints(kind, include_extras=True)
    needed, allowed = set(kinds), set(value)
    if is_dataclass(kind):
        allowed = set(kinds)
        needed = {
            each.name
            for each in fields(kind)
            if each.default is MISSING and each.default_factory is MISSING
        }
    for name in [name for name in kinds if name in needed and name not in value]:
        raise WrongShapeError(f"{_path(where, name)} is missing")
    for name in [name for name in value if name not in allowed]:
        raise WrongShapeError(f"{_path(where, name)} is unknown")
    for name in [name for name in kinds if name in value]:
        check_shape(value[name], kinds[name], f"{where}.{name}")


def _is(value: Any, kind: Any) -> bool:
    if isinstance(value, bool):  # which Python counts among the whole numbers
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)


def _require(holds: bool, value: Any, where: str, expected: str) -> None:
    if not holds:
        found = repr(value)
        shown = found if len(found) <= 40 else f"{found[:37]}..."
        raise WrongShapeError(f"{_path(where)} is {shown}, expected {expected}")


def _path(where: str, name: str = "") -> str:
    path = f"{where}.{name}".strip(".")
    return repr(path) if path else "it"
