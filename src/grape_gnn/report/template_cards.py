"""Templates for the page: drawing, words, and the roles with their colours."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from grape_gnn.template import Template
from grape_gnn.template.palette import role_colour
from grape_gnn.template.zoo import entry_of

__all__ = ["RoleEntry", "TemplateCard", "template_card"]


@dataclass(frozen=True)
class RoleEntry:
    """A role: its colour and its template nodes."""

    colour: str
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class TemplateCard:
    """What a page shows of a template."""

    name: str
    words: str
    svg: Markup
    roles: tuple[RoleEntry, ...]


def template_card(template: Template) -> TemplateCard:
    """Prepare a template for a page.

    Examples
    --------
    >>> card = template_card(Template("0-1 1-2"))
    >>> card.name, card.roles[2]
    ('0-1 1-2', RoleEntry(colour='#009E73', nodes=(2,)))
    """
    entry = entry_of(template)
    return TemplateCard(
        name=template.name or template.text,
        words=template.text if entry is None else entry.description,
        # The drawing escapes the labels and the name in it.
        svg=Markup(template.svg()),
        roles=tuple(
            RoleEntry(role_colour(role), nodes) for role, nodes in enumerate(template.roles)
        ),
    )
