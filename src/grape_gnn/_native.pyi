"""Types of the compiled core."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

class Graph:
    def __init__(
        self,
        directed: bool,
        out_ptr: NDArray[np.int64],
        out_idx: NDArray[np.int32],
        in_ptr: NDArray[np.int64],
        in_idx: NDArray[np.int32],
        labels: NDArray[np.int32] | None = None,
    ) -> None: ...

def count_triangles(graph: Graph) -> int: ...

class Template:
    def __init__(
        self,
        size: int,
        directed: bool,
        edges: Sequence[tuple[int, int]],
        labels: Sequence[int] = ...,
    ) -> None: ...

def stabiliser(template: Template) -> list[list[int]]: ...
def canonical_order(template: Template) -> list[int]: ...

class EdgeListParser:
    def __init__(self, header: bool | None = None, separator: str | None = None) -> None: ...
    def feed(self, chunk: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def line(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def text_names(self) -> bool: ...
    @property
    def header_found(self) -> bool: ...
    def take_edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def names(self) -> list[str]: ...

def enumerate_roles(
    graph: Graph,
    template: Template,
    egos: NDArray[np.int32],
    membership: bool,
    induced: bool,
    pairs: bool,
    by_ego: bool,
    threads: int,
    limits: _Limits,
    progress: _Progress | None,
) -> tuple[list[_Arrays], NDArray[np.int64], NDArray[np.uint8], int, int]: ...

class FusedRoles32:
    def __init__(
        self,
        ptr: NDArray[np.int64],
        idx: NDArray[np.int32],
        values: NDArray[np.float32],
        group: NDArray[np.int32],
        num_groups: int,
    ) -> None: ...
    def forward(
        self,
        ego: NDArray[np.float32],
        scale: NDArray[np.float32],
        h: NDArray[np.float32],
        sums: NDArray[np.float32] | None,
        out: NDArray[np.float32],
        threads: int,
    ) -> None: ...
    def backward_features(
        self,
        ego: NDArray[np.float32],
        scale: NDArray[np.float32],
        grad: NDArray[np.float32],
        grad_h: NDArray[np.float32],
        threads: int,
    ) -> None: ...
    def backward_weights(
        self,
        h: NDArray[np.float32],
        sums: NDArray[np.float32],
        grad: NDArray[np.float32],
        grad_ego: NDArray[np.float32],
        grad_scale: NDArray[np.float32],
    ) -> None: ...

class FusedRoles64:
    def __init__(
        self,
        ptr: NDArray[np.int64],
        idx: NDArray[np.int32],
        values: NDArray[np.float64],
        group: NDArray[np.int32],
        num_groups: int,
    ) -> None: ...
    def forward(
        self,
        ego: NDArray[np.float64],
        scale: NDArray[np.float64],
        h: NDArray[np.float64],
        sums: NDArray[np.float64] | None,
        out: NDArray[np.float64],
        threads: int,
    ) -> None: ...
    def backward_features(
        self,
        ego: NDArray[np.float64],
        scale: NDArray[np.float64],
        grad: NDArray[np.float64],
        grad_h: NDArray[np.float64],
        threads: int,
    ) -> None: ...
    def backward_weights(
        self,
        h: NDArray[np.float64],
        sums: NDArray[np.float64],
        grad: NDArray[np.float64],
        grad_ego: NDArray[np.float64],
        grad_scale: NDArray[np.float64],
    ) -> None: ...
