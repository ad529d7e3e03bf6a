"""Pages from templates: one file with its style, scripts and data inside, and nothing from afar.

The page's security policy forbids every connection, and every script but the ones written here,
named by their checksums. Whatever comes from a user's file is escaped on its way into the page.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from grape_gnn.extras import named_extra

with named_extra():
    import jinja2
    from markupsafe import Markup
from grape_gnn.version import __version__

__all__ = ["json_text", "render"]


def render(template: str, *, scripts: tuple[str, ...] = (), **context: Any) -> str:
    """Fill in a page.

    Parameters
    ----------
    template
        Name of a file in ``report/templates``.
    scripts
        Names of the scripts the page needs, in their order.
    **context
        What the page is about; ``title`` and ``sections`` (pairs of anchor and name) at least.

    Examples
    --------
    >>> page = render("base.html", title="<b>", sections=[])
    >>> "<title>&lt;b&gt;</title>" in page
    True
    """
    early, late = _asset("theme.js"), "\n".join(map(_asset, scripts))
    hashes = " ".join(f"'sha256-{_checksum(text)}'" for text in (early, late) if text)
    page = _environment().get_template(template)
    return page.render(
        version=__version__,
        style=Markup(_asset("style.css")),
        early_script=Markup(early),
        script=Markup(late),
        hashes=Markup(hashes),
        **context,
    )


def json_text(data: Any) -> Markup:
    r"""Return JSON that can stand inside a ``script`` element, whatever texts are in it.

    Examples
    --------
    >>> json_text({"name": "</script>"})
    Markup('{"name":"\\u003c/script\\u003e"}')
    """
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)  # all ASCII
    for letter in "<>&":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["command"] = _command
    environment.filters["json"] = json_text
    environment.filters["percent"] = lambda share, digits=1: f"{100 * share:.{digits}f}%"
    environment.filters["number"] = lambda value: f"{value:,}"
    return environment


def _command(words: Sequence[object]) -> Markup:
    """Return a command as it can be typed; its words are told apart for the style sheet."""
    return Markup(" ").join(
        Markup('<span class="word">{}</span>').format(shlex.quote(str(word))) for word in words
    )


@cache
def _asset(name: str) -> str:
    return (
        files("grape_gnn.report").joinpath("templates").joinpath(name).read_text(encoding="utf-8")
    )


def _checksum(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
