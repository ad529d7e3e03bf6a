"""``grape demo``: GRAPE learns roles that message passing cannot see, and roles in a novel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grape_gnn.cli.output import console, load_torch, plain_table, say, shell_words, working
from grape_gnn.cli.training_progress import TrainingProgress
from grape_gnn.errors import GrapeError, MissingExtraError
from grape_gnn.extras import named_extra

if TYPE_CHECKING:
    from grape_gnn.runs import RunFolder

__all__ = ["demo"]

SHAPES = 120
# The same for both networks; nothing is tuned.
SETTING = {"hidden": 32, "dropout": 0.0, "weight_decay": 5e-5, "learning_rate": 0.01}
EPOCHS = 200
_EGO = "Fantine"


def demo(
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write the run and the page.")
    ] = Path("demo-report"),
) -> None:
    """Train GRAPE and GIN on planted roles, draw the roles in a novel, and write a report.

    The first graph is generated: shapes on a ring, whose nodes have to
    tell their place in their shape, without any features. The second one,
    the characters of Les Misérables, comes with networkx. Nothing is
    downloaded.

    \b
    Example:
      grape demo --out demo-report
    """
    load_torch()
    with named_extra():
        from networkx import les_miserables_graph

        from grape_gnn.report import write_report

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GrapeError(f"cannot make the folder {out}: {error.strerror}") from error
    screen = console()
    run = _train_grape(out)
    graph = run.graph()
    screen.print("Planted roles", style="bold cyan")
    screen.print(
        f"{graph.num_nodes} nodes in {SHAPES} shapes on a ring. Each node has to tell its place in "
        f"its shape ({len(graph.label_names or ())} classes), and no feature tells anything.\n"
    )
    table = plain_table("network", "test accuracy", right=("test accuracy",))
    table.add_row("GRAPE", f"{100 * run.metrics['test_accuracy']:.1f}%", style="bold")
    table.add_row("GIN", _gin_accuracy(run))
    table.add_row("always the largest class", f"{100 * run.metrics['majority_share']:.1f}%")
    screen.print(table)
    screen.print(
        "\nMany shapes come in families that message passing cannot tell apart, at any depth: "
        "at best it gets about 60% right. GRAPE sees triangles and 4-cliques.\n"
    )
    _show_novel(les_miserables_graph(), out / "roles.html")
    with working("writing the report"):
        written = write_report(run.path, out / "report.html")
    screen.print(f"\nthe report:    {written}  (open it in a browser)", soft_wrap=True)
    screen.print(f"\nrun folder: {run.path}", soft_wrap=True)
    screen.print(f"            {shell_words('grape', 'evaluate', run.path)}", soft_wrap=True)
    screen.print("your graph: grape train edges.csv --nodes table.csv --label COLUMN")


def _train_grape(out: Path) -> RunFolder:
    from grape_gnn.datasets.source import find_source
    from grape_gnn.runs.training import next_folder, train_run

    source = find_source("planted-roles", {"num_shapes": SHAPES})
    with TrainingProgress("GRAPE") as progress:
        return train_run(
            next_folder(out, "planted-roles"),
            source,
            {**SETTING, "epochs": EPOCHS, "edge_only": False},  # the point is what they add
            command=["grape", "demo"],
            progress=progress,
        )


def _gin_accuracy(run: RunFolder) -> str:
    """Train GIN on the same split with the same setting; its test accuracy in words."""
    from grape_gnn.comparison import Profile, compare

    once = Profile("demo", {name: (value,) for name, value in SETTING.items()}, epochs=EPOCHS)
    seed = run.config["parameters"]["seed"]
    try:
        results = compare(run.graph(), ["gin"], dataset="demo", seeds=[seed], profile=once)
    except MissingExtraError as error:
        say(f"GIN is left out: {error}", "yellow")
        return "not installed"
    return f"{100 * (results[0].test_score or 0.0):.1f}%"


def _show_novel(novel: Any, page: Path) -> None:
    """Print who plays which role around one character, and write a page about it."""
    import grape_gnn as grape
    from grape_gnn.files import atomic_write
    from grape_gnn.report.roles_page import roles_page

    graph = grape.Graph.from_networkx(novel)
    matches = grape.match(graph, "social").materialised()
    screen = console()
    screen.print("Les Misérables", style="bold cyan")
    screen.print(f"{graph.num_nodes} characters, {graph.num_edges} pairs who meet.\n")
    table = plain_table("template", "instances", f"around {_EGO}", right=("instances",))
    for roles in matches:
        lines = []
        for role in roles[1:]:
            strongest = sorted(role.members(_EGO).items(), key=lambda item: -item[1])[:3]
            members = ", ".join(f"{name} {count}" for name, count in strongest)
            lines.append(f"role {role.role}: {members}")
        table.add_row(roles.template.name, f"{int(roles.totals.sum()):,}", "; ".join(lines))
    screen.print(table)
    with atomic_write(page) as temporary, working("drawing"):
        text = roles_page("Les Misérables", graph, grape.templates("social"), _EGO)
        temporary.write_text(text, encoding="utf-8")
    screen.print(f"\nwith drawings: {page}", soft_wrap=True)
