"""What a notebook shows of a model: its templates, its settings that were changed, its training."""

from __future__ import annotations

import inspect
from typing import Any

from grape_gnn.notebook import html_table
from grape_gnn.training.metrics import METRICS, score_text

__all__ = ["NotebookModel"]


class NotebookModel:
    """Gives a model a face in notebooks, before scikit-learn's, which knows nothing of graphs."""

    def _repr_html_(self) -> str:
        rows: list[tuple[str, object]] = []
        fitted = vars(self)  # attributes of a fitted model complain if they are asked for too early
        templates = fitted.get("templates_")
        if templates is not None:
            rows.append(("templates", ", ".join(t.name or t.text for t in templates)))
        classes = fitted.get("labels_")
        if classes:
            few = ", ".join(map(str, classes[:8])) + (", ..." if len(classes) > 8 else "")
            rows.append(("classes", f"{len(classes):,}: {few}"))
        split = fitted.get("split_")
        if split is not None:
            parts = (split.train, split.validation, split.test)
            sizes = ", ".join(f"{int(part.sum()):,}" for part in parts)
            rows.append(("training, validation and test nodes", sizes))
        history = fitted.get("history_")
        if history is not None and history.epochs:
            best = history.epochs[history.best]
            rows.append(("epochs", f"{len(history.epochs):,}, number {history.best + 1:,} kept"))
            words = METRICS[history.metric].words
            rows.append((f"validation {words}", score_text(history.metric, best.score)))
        given = _changed(self)
        if templates is not None:
            given.pop("templates", None)  # they stand above
        changed = ", ".join(f"{name}={value!r}" for name, value in given.items())
        rows.append(("settings", changed or "the usual ones"))
        state = "" if templates is not None else ", not fitted yet"
        return html_table(f"{type(self).__name__}{state}", (), rows)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _changed(model: object) -> dict[str, Any]:
    """Return the settings that are not the defaults."""
    usual = inspect.signature(type(model)).parameters
    return {
        name: getattr(model, name)
        for name, parameter in usual.items()
        if hasattr(model, name) and getattr(model, name) != parameter.default
    }
