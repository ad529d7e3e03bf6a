"""What a template is called when it was given without a name."""

from __future__ import annotations

from grape_gnn.template.template import Template
from grape_gnn.template.zoo import ZOO

__all__ = ["known_name", "title_of"]

_NAMES = {entry.template.canonical: entry.name for entry in ZOO if not entry.template.has_labels}


def known_name(template: Template) -> str | None:
    """Return the name of the named template that is the same but for the numbers of its nodes.

    Examples
    --------
    >>> known_name(Template("0-2 0-1 2-1"))
    'triangle'
    """
    return _NAMES.get(template.canonical)


def title_of(template: Template) -> str:
    """Return a template's own name, or else its known one, or else its text.

    Examples
    --------
    >>> title_of(Template("0-1 1-2")), title_of(Template("0-1", name="friends"))
    ('3-path', 'friends')
    """
    return template.name or known_name(template) or template.text
