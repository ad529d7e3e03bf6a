"""``--config FILE``: the options of a command from a TOML or JSON file.

The keys are the long names of the options; what is typed on the command line wins.
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from grape_gnn.errors import GrapeError
from grape_gnn.files import parse_json, read_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["ConfigFile"]

DOTS = 1000


def _load(ctx: typer.Context, file: Path | None) -> Path | None:
    if file is not None:
        by_key = {_key(parameter): parameter for parameter in ctx.command.params}
        for unwanted in ("config", "resume", "help"):
            by_key.pop(unwanted, None)
        defaults = {}
        for name, value in _read(file).items():
            key = name.replace("_", "-")
            if key not in by_key:
                raise GrapeError(f"{file}: {_unknown(name, list(by_key))}")
            defaults[by_key[key].name] = _checked(ctx, by_key[key], file, name, value)
        ctx.default_map = {**(ctx.default_map or {}), **defaults}
    return file


ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Take options from a .toml or .json file, by their names; those given here win.",
        callback=_load,
        is_eager=True,
    ),
]


def _key(parameter: Any) -> str:
    """Return the name in a file: ``learning-rate`` for the option, ``graph`` for GRAPH."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name).strip("[].").lower()
    return str(max(parameter.opts, key=len)).lstrip("-")


def _read(file: Path) -> dict[str, Any]:
    if file.suffix not in (".toml", ".json"):
        raise GrapeError(f"{file}: the name of a config file must end in .toml or .json")
    try:
        text = read_text(file)
        data = _parse_toml(text) if file.suffix == ".toml" else parse_json(text)
    except OSError as error:
        raise GrapeError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:  # of both formats, and of text that is not UTF-8
        raise GrapeError(f"{file}: not valid {file.suffix[1:].upper()}: {error}") from error
    if not isinstance(data, dict):
        raise GrapeError(f"{file}: expected names and values, such as {{'hidden': 32}}")
    return data


def _parse_toml(text: str) -> dict[str, Any]:
    # The time that the parser takes grows with the square of the parts of a name.
    if any(line.count(".") > DOTS for line in text.split("\n")):
        raise ValueError(f"a line has more than {DOTS} dots")
    try:
        data: dict[str, Any] = tomllib.loads(text)
        return data
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except ValueError:  # Python does not convert thousands of digits
        raise ValueError("it holds a number of thousands of digits") from None


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_plain(item) and not isinstance(item, list) for item in value)
    return isinstance(value, (str, int, float))


def _unknown(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name.replace("_", "-"), known, n=3)
    if close:
        return f"unknown key {name!r}; did you mean {' or '.join(map(repr, close))}?"
    return f"unknown key {name!r}; known are {', '.join(sorted(known))}"


def _checked(ctx: typer.Context, parameter: Any, file: Path, name: str, value: Any) -> Any:
    """Convert a value as the command line would, so that a mistake is blamed on the file."""
    if not _is_plain(value):
        raise GrapeError(f"{file}: {name}: expected a number, a text or a list of them")
    if parameter.multiple and not isinstance(value, list):
        value = [value]
    # A list is the natural form of what the command line separates by commas.
    if isinstance(value, list) and not parameter.multiple:
        value = ",".join(map(str, value))
    if isinstance(value, bool) and not getattr(parameter, "is_bool_flag", False):
        raise GrapeError(f"{file}: {name} = {json.dumps(value)}: expected a number or a text")
    try:
        parameter.process_value(ctx, value)
    except Exception as error:
        # The class of this exception belongs to the command-line parser typer brings along.
        reason = getattr(error, "message", None)
        if reason is None:
            raise
        raise GrapeError(f"{file}: {name} = {value!r}: {reason}") from None
    return value
