"""Types of the compiled core."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

_Limits = tuple[float | None, int | None, int | None]  # seconds, bytes, instances
_Progress = Callable[[int, int], None]
_Arrays = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]  # values, columns, starts

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
