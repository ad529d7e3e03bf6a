"""Types of the compiled core."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Limits = tuple[float | None, int | None, int | None]  # seconds, bytes, instances
_Progress = Callable[[int, int], None]
_Watch = tuple[_Limits, _Progress | None]
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
        typed_rows: Sequence[NDArray[np.int32]] = ...,
    ) -> None: ...

def count_triangles(graph: Graph) -> int: ...
def graph_profile(
    graph: Graph, limits: _Limits
) -> tuple[float, float, float, float, float, int]: ...

class Template:
    def __init__(
        self,
        size: int,
        directed: bool,
        edges: Sequence[tuple[int, int]],
        labels: Sequence[int] = ...,
        edge_types: Sequence[int] = ...,
    ) -> None: ...

def stabiliser(template: Template) -> list[list[int]]: ...
def canonical_order(template: Template) -> list[int]: ...

class EdgeListParser:
    def __init__(
        self,
        header: bool = False,
        separator: str | None = ",",
        source: int = 0,
        target: int = 1,
        weight: int = -1,
        kind: int = -1,
        texts: bool = False,
    ) -> None: ...
    def feed(self, chunk: bytes) -> None: ...
    def finish(self) -> None: ...
    @property
    def line(self) -> int: ...
    @property
    def columns(self) -> int: ...
    @property
    def text_names(self) -> bool: ...
    @property
    def zero_weights(self) -> int: ...
    def take_edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
    def take_names(self) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
    def names(self) -> list[str]: ...
    def take_kinds(self) -> NDArray[np.int64]: ...
    def kind_names(self) -> list[str]: ...

def enumerate_roles(
    graph: Graph,
    template: Template,
    egos: NDArray[np.int32],
    membership: bool,
    induced: bool,
    pairs: bool,
    partial: bool,
    threads: int,
    limits: _Limits,
    progress: _Progress | None,
) -> tuple[list[_Arrays], NDArray[np.int64], NDArray[np.uint8], int, int]: ...

class InstanceCursor:
    def __init__(
        self, graph: Graph, template: Template, induced: bool, first: int, last: int
    ) -> None: ...
    def next_batch(self, max_rows: int, max_steps: int) -> tuple[NDArray[np.int32], bool]: ...

class InstanceTable:
    @property
    def num_instances(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def totals(self) -> NDArray[np.int64]: ...
    @property
    def complete(self) -> NDArray[np.uint8]: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    def rows(self, ego: int) -> NDArray[np.int32]: ...

def build_table(
    graph: Graph,
    template: Template,
    threads: int,
    limits: _Limits,
    sample: int | None,
    seed: int,
    progress: _Progress | None,
) -> tuple[InstanceTable, int, int]: ...
def derive_table(
    graph: Graph,
    parent: InstanceTable,
    parent_template: Template,
    child: Template,
    image: Sequence[int],
    threads: int,
    limits: _Limits,
    sample: int | None,
    seed: int,
    progress: _Progress | None,
) -> tuple[InstanceTable, int, int]: ...
def estimate_instances(graph: Graph, template: Template, probes: int, seed: int) -> float: ...
def table_roles(
    table: InstanceTable,
    role_of: Sequence[int],
    threads: int,
    limits: _Limits,
    progress: _Progress | None,
) -> tuple[list[_Arrays], int, int]: ...
def esu_roles(
    graph: Graph,
    template: Template,
    induced: bool,
    threads: int,
    limits: _Limits,
    progress: _Progress | None,
) -> tuple[list[_Arrays], NDArray[np.int64], int, int]: ...

class FloatRows:
    def __init__(
        self, ptr: NDArray[np.int64], idx: NDArray[np.int32], val: NDArray[np.float64] | None
    ) -> None: ...

class CountRows:
    def __init__(
        self, ptr: NDArray[np.int64], idx: NDArray[np.int32], val: NDArray[np.int64] | None
    ) -> None: ...

# The kernels of the role algebra take either kind of rows, with arrays of the same kind.
_Rows = FloatRows | CountRows
_Weight = NDArray[Any] | None
_Term = tuple[int, Sequence[Any], Sequence[_Weight]]
_Links = Sequence[Sequence[tuple[int, Any]]]
_Found = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[Any], int]

def dense_product(
    rows: _Rows,
    left: _Weight,
    right: _Weight,
    dense: NDArray[Any],
    own: _Weight,
    base: NDArray[Any],
    out: NDArray[Any],
    accumulate: bool,
    threads: int,
) -> None: ...
def single_product(
    rows: FloatRows,
    left: NDArray[np.float64] | None,
    right: NDArray[np.float64] | None,
    dense: NDArray[np.float32],
    minus: NDArray[np.float32] | None,
    divisor: float,
    out: NDArray[np.float32],
    plain: NDArray[np.float32] | None,
    threads: int,
) -> None: ...
def stream_product(
    ones: _Rows,
    chains: Sequence[tuple[int, _Term]],
    patterns: Sequence[tuple[int, _Links, Sequence[_Weight], int]],
    left: _Weight,
    right: _Weight,
    dense: NDArray[Any],
    out: NDArray[Any],
    threads: int,
    watch: _Watch,
) -> int: ...
def masked_product(
    mask: _Rows,
    mask_columns: _Rows,
    origin: NDArray[np.int64],
    x: _Rows,
    y_columns: _Rows,
    w: _Weight,
    symmetric: bool,
    threads: int,
    watch: _Watch,
) -> tuple[NDArray[Any], int]: ...
def masked_chain(
    mask: _Rows, term: _Term, front: int, threads: int, watch: _Watch
) -> tuple[NDArray[Any], int]: ...
def combine_rows(
    ones: _Rows, terms: Sequence[_Term], divisor: int, threads: int, watch: _Watch
) -> _Found: ...
def weighted_sum(
    pattern: _Rows,
    pieces: Sequence[tuple[int, _Weight, _Weight, _Weight]],
    threads: int,
    watch: _Watch,
) -> tuple[NDArray[Any], int]: ...
def pattern_rows(
    ones: _Rows,
    links: _Links,
    weights: Sequence[_Weight],
    target: int,
    threads: int,
    watch: _Watch,
) -> _Found: ...
def masked_pattern(
    mask: _Rows, links: _Links, weights: Sequence[_Weight], threads: int, watch: _Watch
) -> tuple[NDArray[Any], int]: ...
def clique_support(
    graph: FloatRows, reverse: NDArray[np.int64], size: int, threads: int, watch: _Watch
) -> tuple[NDArray[np.int64], int]: ...
def transpose_pattern(
    pattern: FloatRows, watch: _Watch
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], int]: ...
def ego_network_counts(
    graph: Graph, rim: bool, threads: int, limits: _Limits, progress: _Progress | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]: ...
def enumeration_plan(graph: Graph, template: Template, induced: bool) -> tuple[str, float]: ...
def enumeration_work(
    graph: Graph, template: Template, induced: bool, allowance: float, limits: _Limits
) -> tuple[list[float], list[float], int]: ...

# One class for each precision; their arrays are of the same.
class _FusedRoles:
    def __init__(
        self,
        ptr: NDArray[np.int64],
        idx: NDArray[np.int32],
        values: Sequence[NDArray[Any]],
        role: NDArray[np.int32],
        group: NDArray[np.int32],
        num_groups: int,
        num_columns: int,
    ) -> None: ...
    def forward(
        self,
        ego: NDArray[Any] | None,
        scale: NDArray[Any],
        h: NDArray[Any],
        sums: NDArray[Any] | None,
        out: NDArray[Any],
        threads: int,
        unit: int = -1,
        neighbours: NDArray[Any] | None = None,
    ) -> None: ...
    def step_onward(
        self,
        source: NDArray[Any],
        less: NDArray[Any] | None,
        scale: NDArray[Any] | None,
        out: NDArray[Any],
        group: int,
        threads: int,
    ) -> None: ...
    def backward_features(
        self,
        ego: NDArray[Any] | None,
        scale: NDArray[Any],
        grad: NDArray[Any],
        grad_h: NDArray[Any],
        threads: int,
        unit: int = -1,
        neighbours: NDArray[Any] | None = None,
        back: NDArray[Any] | None = None,
    ) -> None: ...
    def backward_weights(
        self,
        h: NDArray[Any],
        sums: NDArray[Any],
        grad: NDArray[Any],
        grad_ego: NDArray[Any] | None,
        grad_scale: NDArray[Any],
    ) -> None: ...

class FusedRoles32(_FusedRoles): ...
class FusedRoles64(_FusedRoles): ...

# --- vectors of the kernels, in bytes; for tests and benchmarks, results differ in rounding only

def widest_lanes() -> int: ...
def lanes_in_use() -> int: ...
def use_lanes(bytes: int) -> None: ...

# --- layers of the model: all arrays of one precision, single or double

def message_statistics(
    means: NDArray[Any],
    logs: NDArray[Any],
    mean: NDArray[Any],
    variance: NDArray[Any],
    threads: int,
) -> None: ...
def map_messages(
    means: NDArray[Any],
    logs: NDArray[Any],
    mean: NDArray[Any],
    transposed_maps: NDArray[Any],
    out: NDArray[Any],
    threads: int,
) -> None: ...
def maps_backward(
    means: NDArray[Any],
    logs: NDArray[Any],
    mean: NDArray[Any],
    by_out: NDArray[Any],
    by_maps: NDArray[Any],
    threads: int,
) -> None: ...
def messages_backward(
    means: NDArray[Any],
    logs: NDArray[Any],
    mean: NDArray[Any],
    shift: NDArray[Any],
    turn: NDArray[Any],
    by_out: NDArray[Any],
    maps: NDArray[Any],
    by_means: NDArray[Any],
    threads: int,
) -> None: ...
def feature_product(
    ptr: NDArray[np.int64],
    idx: NDArray[np.int32],
    val: NDArray[Any],
    dense: NDArray[Any],
    out: NDArray[Any],
    transposed: bool,
    threads: int,
) -> None: ...

# --- random graphs with given degrees: ends of the edges, accepted steps, edges kept

def rewire(
    graph: Graph, seed: int, steps: int, keep_labels: bool
) -> tuple[NDArray[np.int32], NDArray[np.int32], int, int, int]: ...
