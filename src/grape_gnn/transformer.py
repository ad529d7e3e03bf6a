"""What the transformers of this package share: the output that scikit-learn's users choose."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from grape_gnn.arguments import one_of
from grape_gnn.errors import ModelError
from grape_gnn.extras import named_extra
from grape_gnn.parameters import Parameters

__all__ = ["Transformer"]

T = TypeVar("T", bound="Transformer")


class Transformer(Parameters):
    """A transformer whose columns have names.

    Examples
    --------
    >>> class Doubled(Transformer):
    ...     def get_feature_names_out(self, input_features=None):
    ...         return np.array(["twice"], dtype=object)
    >>> Doubled().output(np.array([[2.0]]), ["ann"]).tolist()
    [[2.0]]
    """

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the names of the columns."""
        raise NotImplementedError

    def set_output(self: T, *, transform: str | None = None) -> T:
        """Choose what `transform` returns: ``"default"`` (an array) or ``"pandas"``."""
        if transform is not None:
            one_of("transform", transform, ("default", "pandas"), error=ModelError)
            # Under this name, scikit-learn's clone() takes it along.
            self._sklearn_output_config = {"transform": transform}
        return self

    def output(self, values: NDArray[Any], rows: Any) -> Any:
        """Return values as they were asked for: the array, or a data frame with names."""
        if getattr(self, "_sklearn_output_config", {}).get("transform") != "pandas":
            return values
        with named_extra():
            import pandas as pd

        return pd.DataFrame(values, index=rows, columns=self.get_feature_names_out())

    def check_fitted(self, attribute: str) -> None:
        """Complain if `fit` was not called."""
        if not hasattr(self, attribute):
            raise ModelError(f"this {type(self).__name__} is not fitted yet: call fit(graph) first")
