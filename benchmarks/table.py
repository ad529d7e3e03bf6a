"""Turn the figures of `roles.py` into tables: markdown for the file, rich for the screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table


def seconds(value: float) -> str:
    """Three digits and a fitting unit."""
    if value < 1:
        return f"{1000 * value:.3g} ms"
    if value < 600:
        return f"{value:.3g} s"
    return f"{value / 60:.0f} min" if value < 7200 else f"{value / 3600:,.0f} h"


def headings(result: dict[str, Any]) -> list[str]:
    """Name the columns; peers that are not installed have none."""
    peers = _peers_present(result)
    return ["template", "instances", "CPU, 1 thread", "wall, 2 threads", "memory", "target"] + [
        f"{peer}: time (ratio)" for peer in peers
    ]


def cells(row: dict[str, Any], peers: list[str]) -> list[str]:
    ours = row["ours"]
    if "wall_2_threads" not in ours:
        figures = [ours.get("error", f"> {seconds(ours.get('seconds', 0.0))}"), "", "", "", ""]
    else:
        target = row["target"]
        figures = [
            f"{ours['instances']:,}",
            seconds(ours["seconds"]),
            seconds(ours["wall_2_threads"]),
            f"{ours['memory'] / 2**20:,.0f} MiB",
            f"{seconds(target)} ({ours['seconds'] / target:.2g}x)" if target else "",
        ]
    return [row["template"], *figures] + [_peer_cell(row, peer) for peer in peers]


def _peer_cell(row: dict[str, Any], peer: str) -> str:
    """E.g. ``32 s (610x)``; unfinished: ``> 30 s (> 570x; 2% done)``."""
    cell, ours = row["peers"][peer], row["ours"]
    if "error" in cell:
        return cell["error"]
    if "seconds" not in cell:
        return "absent"
    more = "> " if cell.get("unfinished") else ""
    notes = []
    if "wall_2_threads" in ours:
        notes.append(f"{more}{cell['seconds'] / ours['seconds']:,.3g}x")
    if more and cell.get("maps") and row["maps"]:
        notes.append(f"{100 * cell['maps'] / row['maps']:.2g}% done")
    return f"{more}{seconds(cell['seconds'])} ({'; '.join(notes)})"


def _peers_present(result: dict[str, Any]) -> list[str]:
    names = result["rows"][0]["peers"] if result["rows"] else []
    return [n for n in names if any("absent" not in row["peers"][n] for row in result["rows"])]


def _title(result: dict[str, Any]) -> str:
    return f"{result['graph']}: {result['num_nodes']:,} nodes, {result['num_edges']:,} edges"


def _notes(result: dict[str, Any]) -> list[str]:
    """Say what each peer computed in place of the role matrices."""
    return [
        f"{peer}, {row['template']}: {row['peers'][peer].get('what', 'nothing')}"
        for peer in _peers_present(result)
        for row in result["rows"]
    ]


def write_markdown(results: list[dict[str, Any]], processor: str, path: Path) -> None:
    lines = [
        "# All roles with counts",
        "",
        f"Processor: {processor}.",
        "",
        "Ours: every role matrix, materialised. Ratio: CPU time of the peer / ours, same run;",
        "`>` marks a peer that was cut off. Target: a tuned kernel, and our time over it.",
        "",
    ]
    for result in results:
        head, peers = headings(result), _peers_present(result)
        lines += [f"## {_title(result)}", "", f"| {' | '.join(head)} |"]
        lines += ["|---" * len(head) + "|"]
        lines += [f"| {' | '.join(cells(row, peers))} |" for row in result["rows"]]
        lines += ["", "What the peers computed:", ""]
        lines += [f"- {note}" for note in _notes(result)] + [""]
    path.write_text("\n".join(lines))


def closest_peer(row: dict[str, Any], peers: list[str]) -> str:
    """Name the peer that took least time, and how many times ours."""
    timed = [peer for peer in peers if "seconds" in row["peers"][peer]]
    if not timed:
        return ""
    # Of peers that were all cut off at the same time none is closer than another.
    best = min(timed, key=lambda peer: row["peers"][peer]["seconds"])
    if row["peers"][best].get("unfinished"):
        return f"none finished: {_peer_cell(row, best)}"
    return f"{best}: {_peer_cell(row, best)}"


def print_tables(results: list[dict[str, Any]]) -> None:
    """Print our figures and the closest peer's; the file has all peers."""
    console = Console()
    for result in results:
        peers = _peers_present(result)
        table = Table(title=_title(result))
        for heading in [*headings(result)[:6], "closest peer"]:
            table.add_column(heading, justify="left" if heading == "template" else "right")
        for row in result["rows"]:
            table.add_row(*cells(row, [])[:6], closest_peer(row, peers))
        console.print(table)
