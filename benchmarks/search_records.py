"""What the benchmarks of the search keep: figures as JSON, tables for a page of the docs."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

__all__ = ["keep", "kept", "publish"]

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "benchmarks" / "out"


def kept(name: str) -> dict[str, Any]:
    """Return the figures of earlier runs."""
    file = OUT / f"{name}.json"
    return dict(json.loads(file.read_text())) if file.exists() else {}


def keep(name: str, figures: dict[str, Any]) -> None:
    """Write figures, whole or not at all, so that a run that is ended goes on."""
    OUT.mkdir(exist_ok=True)
    draft = OUT / f"{name}.json.part"
    draft.write_text(json.dumps(figures, indent=1))
    draft.replace(OUT / f"{name}.json")


def publish(name: str, tables: dict[str, str], into_docs: bool) -> None:
    """Print tables and write them to a file, and between their marks into ``docs/search.md``."""
    text = "\n\n".join(tables.values()) + "\n"
    (OUT / f"{name}.md").write_text(text)
    print(text)
    if not into_docs:
        return
    page = ROOT / "docs" / "search.md"
    text = page.read_text()
    for part, table in tables.items():
        marks = f"<!-- {part} -->", f"<!-- end of {part} -->"
        pattern = re.compile(f"{marks[0]}.*?{marks[1]}", re.DOTALL)
        text = pattern.sub(lambda _, m=marks, t=table: f"{m[0]}\n\n{t}\n\n{m[1]}", text)
    page.write_text(text)
