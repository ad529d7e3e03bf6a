"""How every command ends: errors in one line, Ctrl-C, warnings, output that cannot be written."""

from __future__ import annotations

import difflib
import os
import re
import sys
import warnings
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

import typer
from typer.core import TyperGroup

from grape_command import started
from grape_gnn.cli.interrupts import interrupts_kept
from grape_gnn.cli.output import say
from grape_gnn.errors import GrapeError, GrapeWarning
from grape_gnn.extras import named_extra

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["GrapeGroup"]

# Whatever is wrong with the words of a command line; Typer names only this kind of it.
_Misuse = cast("type[Exception]", typer.BadParameter.__base__)
_NO_OUTPUT, _BAD_INPUT, _INTERRUPTED, _BROKEN_PIPE = 1, 2, 130, 141
# Arguments of the library that are options here, by the same name.
_OPTIONS = (
    "categorical|class_weight|engine|features|format|header|id|ignore|instances|label|memory|"
    "metric|nodes|null|sample|scaling|source|swaps|target|threads|time|weight|weighting"
)


class GrapeGroup(TyperGroup):
    """The group of all commands, which turns exceptions into messages and exit codes."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Read the command line and run what it asks for."""
        try:
            return super().main(*args, **options)
        except OSError as error:  # of help texts, which are printed while options are read
            sys.exit(_refused(error))

    def make_context(self, info_name: str | None, args: list[str], *more: Any, **named: Any) -> Any:
        """Read the options before the command."""
        if not args:  # whoever says nothing gets the help
            return super().make_context(info_name, args, *more, **named)
        try:
            return super().make_context(info_name, args, *more, **named)
        except _Misuse as error:
            raise typer.Exit(_misused(error, info_name or "grape")) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            started()
            with interrupts_kept(), _warnings_as_lines(), named_extra():
                result = super().invoke(ctx)
                sys.stdout.flush()
                return result
        except _Misuse as error:
            raise typer.Exit(_misused(error, f"grape {ctx.invoked_subcommand or ''}")) from None
        except GrapeError as error:
            say(f"error: {_as_options(str(error))}", "red")
            raise typer.Exit(_BAD_INPUT) from None
        except KeyboardInterrupt as stopped:
            # A command may add how to go on.
            say(f"interrupted{stopped}", "yellow")
            raise typer.Exit(_INTERRUPTED) from None
        except OSError as error:
            raise typer.Exit(_refused(error)) from None


def _misused(error: Any, command: str) -> int:
    """Say in one line what is wrong with the words, and what was probably meant."""
    command = command.strip()
    message = error.format_message().strip().rstrip(".")
    if hasattr(error, "possibilities") and error.ctx is not None:  # an option that is not there
        own = [
            word for each in error.ctx.command.params for word in (*each.opts, *each.secondary_opts)
        ]
        close = difflib.get_close_matches(error.option_name, own, 1)
        message = f"{command} has no option {error.option_name}"
        message += f": did you mean {close[0]}?" if close else ""
    message = message[:1].lower() + message[1:]
    say(f"error: {message} (see {command} --help)", "red")
    return _BAD_INPUT


def _refused(error: OSError) -> int:
    """Say what the system refused; return the exit code."""
    if isinstance(error, BrokenPipeError):
        # Whoever reads our output has had enough (`grape templates | head`).
        _give_up_output()
        return _BROKEN_PIPE
    reason = error.strerror or str(error)
    if error.filename is not None:
        say(f"error: {error.filename}: {reason}", "red")
        return _BAD_INPUT
    _give_up_output()
    say(f"error: cannot write the output: {reason}", "red")
    return _NO_OUTPUT


def _give_up_output() -> None:
    # Python would complain when it flushes the rest at exit: send that nowhere.
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _as_options(message: str) -> str:
    """Put the remedies of the library into the words of the command line."""
    message = message.replace("on_budget='partial'", "--partial")
    # A graph that is described has numbers there: Graph(nodes=300, ...).
    return re.sub(rf"\b({_OPTIONS})=(?!\d)(\.\.\.|True|(False)|'([^']*)')?", _as_option, message)


def _as_option(found: re.Match[str]) -> str:
    name, _, negative, value = found.groups()
    name = name.replace("_", "-")
    return f"--no-{name}" if negative else f"--{name} {value}" if value else f"--{name}"


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("always", GrapeWarning)
        usual = warnings.showwarning
        told: set[str] = set()  # a graph that is read twice is not complained of twice

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if issubclass(category, GrapeWarning):
                if str(message) not in told:
                    say(f"warning: {_as_options(str(message))}", "yellow")
                told.add(str(message))
            else:
                usual(message, category, filename, lineno, file, line)

        warnings.showwarning = show
        yield
