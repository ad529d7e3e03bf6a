"""Templates as JSON: a versioned dictionary for one, a file for several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from grape_gnn.errors import GrapeError, TemplateError
from grape_gnn.files import parse_json, read_text, write_json
from grape_gnn.template.template import Template

__all__ = ["from_json", "load_templates", "save_templates", "to_json"]

_ONE = "grape-template"
_MANY = "grape-templates"
_VERSION = 1
_WITH_EDGE_TYPES = 2  # which a release that knows version 1 only would leave out


def to_json(template: Template) -> dict[str, Any]:
    """Return a dictionary that `json.dump` can write; see `Template.to_json`."""
    version = _WITH_EDGE_TYPES if template.has_edge_types else _VERSION
    data: dict[str, Any] = {"format": _ONE, "version": version}
    if template.name is not None:
        data["name"] = template.name
    data["directed"] = template.directed
    data["edges"] = [list(edge) for edge in template.edges]
    if template.has_labels:
        data["labels"] = list(template.labels)
    if template.has_edge_types:
        data["edge_types"] = list(template.edge_types)
    return data


def from_json(data: str | Mapping[str, Any]) -> Template:
    """Build a template from `to_json`'s dictionary or its JSON text.

    Examples
    --------
    >>> from_json('{"format": "grape-template", "version": 1, "edges": [[0, 1], [1, 2]]}')
    Template('0-1 1-2')
    """
    if isinstance(data, str):
        data = _decode(data, "the JSON text")
    return _build(data, "the JSON template")


def save_templates(templates: Iterable[Template], path: str | Path) -> None:
    """Write templates to a JSON file, all or nothing: a crash leaves the old file untouched.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> save_templates([Template("0-1", name="edge")], folder / "mine.json")
    >>> load_templates(folder / "mine.json")
    [Template('0-1', name='edge')]
    """
    written = [to_json(template) for template in templates]
    version = max((template["version"] for template in written), default=_VERSION)
    data = {"format": _MANY, "version": version, "templates": written}
    try:
        write_json(path, data)
    except GrapeError as error:
        raise TemplateError(f"{error}; choose a writable place") from error


def load_templates(path: str | Path) -> list[Template]:
    """Read the templates of a JSON file written by `save_templates` (or a single template)."""
    path = Path(path)
    try:
        text = read_text(path)
    except OSError as error:
        raise TemplateError(
            f"cannot read templates from {path}: {error.strerror}; check the path"
        ) from error
    except UnicodeDecodeError:
        raise TemplateError(f"{path} is not a UTF-8 text file, so not a template file") from None
    data = _decode(text, str(path))
    if isinstance(data, Mapping) and data.get("format") == _MANY:
        _check_version(data, str(path))
        items = data.get("templates")
        if not isinstance(items, list):
            raise TemplateError(f"{path} has no list 'templates': save it with save_templates()")
        return [_build(item, f"template {k} of {path}") for k, item in enumerate(items)]
    return [_build(data, str(path))]


def _build(data: Any, where: str) -> Template:
    if not isinstance(data, Mapping) or data.get("format") != _ONE:
        raise TemplateError(
            f'{where} is not a template: expected an object with "format": "{_ONE}", as '
            f"Template.to_json() writes it"
        )
    _check_version(data, where)
    edges, directed, name = data.get("edges"), data.get("directed", False), data.get("name")
    if not isinstance(edges, list):
        raise TemplateError(f"{where} has no list 'edges': expected pairs such as [[0, 1], [1, 2]]")
    if not isinstance(directed, bool):
        raise TemplateError(f"{where} has 'directed': {directed!r}: expected true or false")
    if name is not None and not isinstance(name, str):
        raise TemplateError(f"{where} has 'name': {name!r}: expected text")
    labels = data.get("labels")
    if labels is not None and not isinstance(labels, list):
        raise TemplateError(
            f"{where} has 'labels': {labels!r}: expected one label or null per node"
        )
    types = data.get("edge_types")
    if types is not None and (not isinstance(types, list) or len(types) != len(edges)):
        raise TemplateError(
            f"{where} has 'edge_types': {types!r}: expected one type or null per edge"
        )
    try:
        pairs = [tuple(edge) for edge in edges] if types else []
        asked = dict(zip(pairs, types or [], strict=True))
        return Template(edges, directed, labels, name, edge_types=asked)
    except TypeError as error:
        raise TemplateError(f"{where}: {edges!r} are no pairs of nodes") from error
    except TemplateError as error:
        raise TemplateError(f"{where}: {error}") from error


def _check_version(data: Mapping[str, Any], where: str) -> None:
    version = data.get("version")
    if version not in (_VERSION, _WITH_EDGE_TYPES):
        raise TemplateError(
            f"{where} has version {version!r}, this release reads up to version "
            f"{_WITH_EDGE_TYPES}: update grape-gnn or save the file again"
        )


def _decode(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise TemplateError(
            f"{where} is not valid JSON: {error}; save it again with save_templates()"
        ) from error
