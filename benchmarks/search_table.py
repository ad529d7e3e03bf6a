"""Turn the figures of `search.py` into markdown tables."""

from __future__ import annotations

from typing import Any

import grape_gnn as grape
from grape_gnn.template.zoo import ZOO
from table import seconds


def matching_table(graph: str, found: dict[str, Any]) -> str:
    """One row per template: the time of each engine, and ESU's over that of INC."""
    names = {entry.template.canonical: entry.name for entry in ZOO}
    lines = [
        f"{grape.datasets.info(graph).name.title()}, processor time with one thread; ESU was cut "
        f"off after {found['esu_seconds']:g} s per template:",
        "",
        "| template | instances | INC | ESU | ESU / INC | auto |",
        "|---|---|---|---|---|---|",
    ]
    ours = theirs = auto = 0.0
    cut = False
    rows = zip(found["incremental"], found["esu"], found["auto"], strict=True)
    for inc, esu, operator in rows:
        if {"checksum"} <= inc.keys() & esu.keys() and inc["checksum"] != esu["checksum"]:
            raise SystemExit(f"{inc['template']}: incremental and ESU differ")
        known = next((e["instances"] for e in (inc, operator) if "instances" in e), None)
        comparable = not inc.get("unfinished")
        if comparable:
            ours, theirs = ours + inc["seconds"], theirs + esu["seconds"]
            auto += operator["seconds"]
            cut = cut or bool(esu.get("unfinished"))
        ratio = f"{_more(esu)}{esu['seconds'] / inc['seconds']:,.3g}x" if comparable else ""
        lines.append(
            f"| {names.get(inc['template'], inc['template'])} | "
            f"{'' if known is None else f'{known:,}'} | {_more(inc)}{seconds(inc['seconds'])} | "
            f"{_more(esu)}{seconds(esu['seconds'])} | {ratio} | "
            f"{_more(operator)}{seconds(operator['seconds'])} |"
        )
    more = "> " if cut else ""
    lines.append(
        f"| all that INC finished | | {seconds(ours)} | {more}{seconds(theirs)} | "
        f"{more}{theirs / ours:,.3g}x | {seconds(auto)} |"
    )
    peaks = {engine: max(line["memory"] for line in found[engine]) for engine in
             ("incremental", "esu", "auto")}  # fmt: skip
    lines += [
        "",
        "Peak memory over the loaded graph: "
        + ", ".join(f"{engine} {peak / 2**20:,.0f} MiB" for engine, peak in peaks.items())
        + ".",
    ]
    return "\n".join(lines)


def _more(line: dict[str, Any]) -> str:
    return "> " if line.get("unfinished") else ""
