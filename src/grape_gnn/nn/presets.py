"""Presets: complete choices of what the paper leaves open, by name.

``paper``
    The equations as printed. Role matrices are sets (``weighting="set"``), the aggregate is
    ``sum_j beta_lj C_lj h`` with free betas, ``MLP_l`` is Linear-ReLU-Linear-ReLU (eq. 2),
    ``alpha = ReLU(W2 ReLU(W1 gamma))`` (eq. 3-4), and a two-layer MLP ends it (Alg. A1).
``released``
    What the authors' public code does, which is not the paper: counts instead of sets, each
    matrix replaced by the half sum ``(D_row^-1 C + C D_col^-1) / 2``, softmax over the betas of
    a template and over alpha, layer normalisation with bias after the MLP, ReLU before the
    fusion, dropout before each layer, no final MLP (the last layer gives the classes), and early
    stopping only after epoch 200, on the mean of the last 50 validation losses.
``default``
    The best by validation accuracy (see docs/decisions.md): roles joined to the ego are sets,
    those further away counts, and every role comes twice,
    ``beta_lj k_lj C_lj g + beta'_lj k'_lj D_lj^-1 C_lj g``, where ``g(u) = degree(u)^-p h(u)``
    damps hubs by a learned power ``p`` per layer and the constants ``k`` make all terms spread
    alike over the nodes in the first training pass. ``MLP_l`` is Linear-BatchNorm-ReLU, ``alpha``
    a softmax times the number of templates, a skip connection
    ``h(v) = sum_l alpha_l h_l(v) + W h(v) + b`` leads past each layer, dropout comes before each,
    and one linear map ends it. With the edge template alone and ``p = 0``, a layer is GIN's with
    one map; two of them, the second taken by its skip connection, make GIN's with two.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any

from grape_gnn.errors import ModelError

__all__ = ["PRESETS", "Preset", "find_preset"]


@dataclass(frozen=True)
class Preset:
    """What a preset fixes, ``default`` by default; the module's docstring has the equations.

    Parameters
    ----------
    name
        Its name.
    weighting
        ``"set"`` or ``"count"``, as for `grape_gnn.match`.
    values
        What becomes of the matched matrices: ``"matched"``, ``"half-sums"`` or ``"near-sets"``;
        see `grape_gnn.nn.RoleValues`.
    forms
        Forms of the role matrices; see `grape_gnn.nn.aggregator`.
    simplex
        Softmax over the betas of a template.
    calibrated
        Equalise the roles' spreads by constants; see `grape_gnn.nn.aggregator`.
    norm
        ``"batch"``, ``"layer"`` or ``"none"``, in the MLPs of the aggregator.
    excitation
        How ``alpha`` ends; see `grape_gnn.nn.fusion`.
    skip
        Add a linear map of a layer's input to its output.
    damped
        Weigh members by a learned power of their degrees.
    maps
        Number of linear maps of each ``MLP_l``, 1 or 2.
    head
        Number of linear maps after the last layer, at most 2; 0: it gives the classes itself.
    stopping
        ``"patience"``: stop when validation accuracy has not improved for a while;
        ``"window"``: after epoch 200, when the validation loss exceeds its recent mean.
    """

    name: str = "default"
    weighting: str = "count"
    values: str = "near-sets"
    forms: tuple[str, ...] = ("sum", "mean")
    simplex: bool = False
    calibrated: bool = True
    norm: str = "batch"
    excitation: str = "scaled-softmax"
    skip: bool = True
    damped: bool = True
    maps: int = 1
    head: int = 1
    stopping: str = "patience"


_PLAIN: dict[str, Any] = {
    "forms": ("sum",), "calibrated": False, "skip": False, "damped": False, "maps": 2,
}  # fmt: skip
_PAPER = Preset("paper", "set", "matched", norm="none", excitation="relu", head=2, **_PLAIN)
_RELEASED = Preset(
    "released",
    values="half-sums",
    simplex=True,
    norm="layer",
    excitation="softmax",
    head=0,
    stopping="window",
    **_PLAIN,
)

PRESETS = {preset.name: preset for preset in (Preset(), _PAPER, _RELEASED)}


def find_preset(name: str | Preset) -> Preset:
    """Return the preset of a name.

    Examples
    --------
    >>> find_preset("paper").weighting
    'set'
    """
    if isinstance(name, Preset):
        return name
    if not isinstance(name, str) or name not in PRESETS:
        close = difflib.get_close_matches(str(name), PRESETS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ModelError(f"unknown preset {name!r}: choose one of {', '.join(PRESETS)}{hint}")
    return PRESETS[name]
