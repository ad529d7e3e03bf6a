"""Everything that is needed to repeat a run, as rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["settings_rows"]


def settings_rows(config: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """Flatten a configuration to pairs of name and value.

    Examples
    --------
    >>> settings_rows({"seed": 0, "versions": {"torch": "2.13"}, "command": ["grape"]})
    [('seed', '0'), ('versions: torch', '2.13')]
    """
    rows = []
    for name, value in config.items():
        if name in ("command", "templates") and not prefix:
            continue  # shown as they are elsewhere
        title = f"{prefix}: {name}" if prefix else name
        if isinstance(value, Mapping):
            rows += settings_rows(value, title)
        else:
            rows.append((title, "" if value is None else str(value)))
    return rows
