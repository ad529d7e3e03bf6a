"""A split of the nodes: which are trained on, which choose the model, which are scored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Split"]


@dataclass(frozen=True, eq=False)
class Split:
    """Three disjoint masks over the nodes."""

    train: NDArray[np.bool_]
    validation: NDArray[np.bool_]
    test: NDArray[np.bool_]

    def __repr__(self) -> str:
        return (
            f"Split(train={int(self.train.sum())}, validation={int(self.validation.sum())}, "
            f"test={int(self.test.sum())})"
        )
