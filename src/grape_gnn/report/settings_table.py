"""Everything that is needed to repeat a run, as tables of names and values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["SettingsGroup", "settings_groups"]

# Off if not given; all others are chosen then.
_NOTHING = ("class_weight",)
_ELSEWHERE = ("command", "templates", "kind", "format", "version")


@dataclass(frozen=True)
class SettingsGroup:
    """A titled table."""

    title: str
    rows: tuple[tuple[str, str], ...]


def settings_groups(config: Mapping[str, Any]) -> list[SettingsGroup]:
    """Return the parameters first, then the other parts of a configuration.

    Examples
    --------
    >>> given = {"metric": None, "class_weight": None}
    >>> settings_groups({"parameters": given, "versions": {"torch": "2.13"}, "threads": 1})
    [SettingsGroup(title='Parameters', rows=(('metric', 'automatic'), ('class weight', 'none'))),
     SettingsGroup(title='Versions', rows=(('torch', '2.13'),)),
     SettingsGroup(title='Other', rows=(('threads', '1'),))]
    """
    parts = {name: value for name, value in config.items() if name not in _ELSEWHERE}
    groups = {name: value for name, value in parts.items() if isinstance(value, Mapping)}
    other = {name: value for name, value in parts.items() if name not in groups}
    first = {"parameters": groups.pop("parameters", {})}
    return [
        SettingsGroup(
            title.capitalize().replace("_", " "),
            tuple((name.replace("_", " "), _words(value, name)) for name, value in rows.items()),
        )
        for title, rows in ({**first, **groups, "other": other}).items()
    ]


def _words(value: Any, name: str = "") -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_words(entry)}" for name, entry in value.items()) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "none"
    if value is None:
        return "none" if name in _NOTHING else "automatic"
    return str(value)
