"""scikit-learn's base classes where it is installed, and stand-ins where it is not."""

from __future__ import annotations

from grape_gnn.errors import ModelError

__all__ = ["BaseEstimator", "ClassifierMixin", "NotFitted", "RegressorMixin", "TransformerMixin"]


class _Base:
    """Stands in for `BaseEstimator`."""


class _Classifier:
    """Stands in for `ClassifierMixin`."""


class _Regressor:
    """Stands in for `RegressorMixin`."""


class _Transformer:
    """Stands in for `TransformerMixin`."""


try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
    from sklearn.exceptions import NotFittedError

    class NotFitted(ModelError, NotFittedError):  # type: ignore[misc]  # noqa: N818
        """A model was asked before it was fitted."""

except ImportError:
    BaseEstimator, ClassifierMixin = _Base, _Classifier
    RegressorMixin, TransformerMixin = _Regressor, _Transformer
    NotFitted = ModelError  # type: ignore[misc, assignment]
