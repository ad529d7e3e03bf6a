"""The ``grape`` command: one file a sub-command, the words those of the library."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from grape_gnn.cli.cluster import cluster
from grape_gnn.cli.colours import colours
from grape_gnn.cli.compare import compare
from grape_gnn.cli.convert import convert
from grape_gnn.cli.demo import demo
from grape_gnn.cli.differ import differ
from grape_gnn.cli.evaluate import evaluate
from grape_gnn.cli.explain import explain
from grape_gnn.cli.group import GrapeGroup
from grape_gnn.cli.info import info
from grape_gnn.cli.links import links
from grape_gnn.cli.match import match
from grape_gnn.cli.orbits import orbits
from grape_gnn.cli.plan import plan
from grape_gnn.cli.precompute import precompute
from grape_gnn.cli.predict import predict
from grape_gnn.cli.profile import profile
from grape_gnn.cli.report import report
from grape_gnn.cli.roles import roles
from grape_gnn.cli.search import search
from grape_gnn.cli.separate import separate
from grape_gnn.cli.significance import significance
from grape_gnn.cli.templates import templates
from grape_gnn.cli.train import train
from grape_gnn.warn import remarks

__all__ = ["app", "main"]

# They say how they understood a file: one looks at it, the others keep what they make of it. By
# every further command on the file the same remark would be noise.
_EXPLAINING = ("info", "convert", "precompute", "train", "compare", "search")

app = typer.Typer(
    cls=GrapeGroup,
    name="grape",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    info,
    convert,
    templates,
    match,
    roles,
    plan,
    orbits,
    profile,
    cluster,
    links,
    significance,
    differ,
    separate,
    colours,
    precompute,
    train,
    predict,
    evaluate,
    compare,
    search,
    explain,
    report,
    demo,
):
    app.command()(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        from grape_gnn import __version__

        typer.echo(f"grape-gnn {__version__}")
        raise typer.Exit


@app.callback()
def _grape(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Structural roles in graphs: who plays which part around whom, and networks that see it.

    Start with [bold]grape demo[/bold], or with your own edge list:

    \b
      grape info friends.csv
      grape roles friends.csv --template triangle --node alice
      grape match friends.csv --templates social --out roles.npz
      grape train friends.csv --nodes people.csv --label team
      grape compare cora
      grape search friends.csv --nodes people.csv --label team --budget 10m
    """
    ctx.with_resource(remarks(ctx.invoked_subcommand in _EXPLAINING))


def main() -> None:
    """Run the command line; errors of the user end in one line and exit code 2."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us: nobody wants to read it
            # Open until the process ends.
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115  see above
    app(prog_name="grape")
