"""Parameters of an estimator the way scikit-learn has them: the arguments of its constructor."""

from __future__ import annotations

import inspect
from typing import Any, TypeVar

from grape_gnn.errors import ModelError

__all__ = ["Parameters"]

E = TypeVar("E", bound="Parameters")


class Parameters:
    """Read and change an estimator's parameters by name.

    Examples
    --------
    >>> class Ridge(Parameters):
    ...     def __init__(self, penalty=1.0):
    ...         self._keep(locals())
    >>> Ridge().set_params(penalty=2.0)
    Ridge(penalty=2.0)
    """

    def _keep(self, given: dict[str, Any]) -> None:
        """Keep the arguments of the constructor, which are its ``locals()``."""
        for name in list(inspect.signature(type(self).__init__).parameters)[1:]:
            setattr(self, name, given[name])

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        names = list(inspect.signature(type(self).__init__).parameters)[1:]
        return {name: getattr(self, name) for name in names}

    def set_params(self: E, **params: Any) -> E:
        """Change parameters; takes effect at the next `fit`."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ModelError(
                    f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known)}"
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"
