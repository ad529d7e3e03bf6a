"""A console on which names from files cannot move the cursor, change colours or retitle windows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from grape_gnn.cli.output import visible

__all__ = ["SafeConsole"]


class SafeConsole(Console):
    """A console that writes control characters out, and takes nothing for markup.

    Examples
    --------
    >>> SafeConsole(width=40).print("ann\\x1b[2Jbob")
    ann\\x1b[2Jbob
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(highlight=False, markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Make text of a string: here, so that columns are as wide as what is written out."""
        return super().render_str(visible(text), **options)

    def render(self, renderable: Any, options: Any = None) -> Iterable[Segment]:
        """Render anything; what was a `Text` from the start is written out here."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
