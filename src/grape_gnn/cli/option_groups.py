"""Options that are made from descriptions elsewhere, and reach a command as one dictionary."""

from __future__ import annotations

import copy
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field
from typing import Annotated, Any

import typer

__all__ = ["borrowed_options", "collects", "setting_options", "take_options"]

Options = Mapping[str, inspect.Parameter]


def collects(**groups: Options) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command groups of options, each as a dictionary in the parameter of its name."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command, eval_str=True).parameters
        every: dict[str, inspect.Parameter] = {}
        for name, parameter in own.items():
            every.update(groups.get(name, {name: parameter}))

        def run(*args: Any, **given: Any) -> None:
            collected = {
                name: {option: given.pop(option) for option in group}
                for name, group in groups.items()
            }
            command(*args, **given, **collected)

        take_options(run, command, every)
        return run

    return decorate


def take_options(run: Callable[..., None], command: Callable[..., None], options: Options) -> None:
    """Make a function look like a command with the given options: Typer reads the signature."""
    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {name: option.annotation for name, option in options.items()}
    # mypy does not know that functions may have a signature of their own.
    run.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in options.values()]
    )


def setting_options(settings: Iterable[Field[Any]]) -> dict[str, inspect.Parameter]:
    """Make an option of every field of a dataclass whose metadata has a ``group``."""
    made = {}
    for each in settings:
        about = each.metadata
        if "group" not in about:
            continue
        words = about["meaning"] + (f" ({about['paper']})" if "paper" in about else "")
        names = [f"--{each.name}", about["short"]] if "short" in about else []
        option = typer.Option(
            *names,
            help=f"{words[0].upper()}{words[1:]}.",
            metavar=about.get("metavar"),
            rich_help_panel=about["group"],
        )
        kind: Any = str if "metavar" in about else type(each.default)
        made[each.name] = _parameter(each.name, kind, option, each.default)
    return made


def borrowed_options(
    command: Callable[..., None], names: Iterable[str], group: str
) -> dict[str, inspect.Parameter]:
    """Take options of another command; here they have no default."""
    offered = inspect.signature(command, eval_str=True).parameters
    made = {}
    for name in names:
        kind, option = typing.get_args(offered[name].annotation)[:2]
        option = copy.copy(option)
        option.rich_help_panel = group
        made[name] = _parameter(name, kind, option, None)
    return made


def _parameter(name: str, kind: Any, option: Any, default: Any) -> inspect.Parameter:
    wanted: Any = kind if default is not None else kind | None
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[wanted, option],
    )
