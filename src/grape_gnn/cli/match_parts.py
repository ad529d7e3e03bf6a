"""``grape match --parts``: roles in parts, by processes of this machine or by a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grape_gnn.cli.output import console, print_json, working
from grape_gnn.errors import MatchError

if TYPE_CHECKING:
    from grape_gnn.template import Template

__all__ = ["match_in_parts"]


def match_in_parts(
    file: str,
    templates: Sequence[Template],
    out: Path | None,
    totals: bool,
    scheduler: str | None,
    options: dict[str, Any],
    as_json: bool,
) -> None:
    """Match in parts and say where they are."""
    from grape_gnn.cluster import match_parts

    if out is None:
        raise MatchError("--parts needs a folder for the parts: add --out FOLDER")
    what = "totals" if totals else "roles"
    if scheduler is not None:
        options = {**options, "backend": "dask", "scheduler": scheduler}
    try:
        with working("matching"):
            found = match_parts(file, templates, out, what=what, **options)
    except KeyboardInterrupt:
        raise KeyboardInterrupt("; the same command goes on where it stopped") from None
    if as_json:
        print_json({"out": str(out), "parts": len(found.blocks), "columns": found.columns})
        return
    console().print(f"written: {len(found.blocks):,} parts in {out}", soft_wrap=True)
