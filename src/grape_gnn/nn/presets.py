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
    The best by validation accuracy (see docs/model-choices.md): counts, every role twice,
    ``beta_lj k_lj C_lj h + beta'_lj k'_lj D_lj^-1 C_lj h``, where the constants ``k`` make all
    terms spread alike over the nodes in the first training pass, batch normalisation after both
    maps of the MLP, ``alpha`` as a softmax times the number of templates, a skip connection
    ``h(v) = sum_l alpha_l h_l(v) + W h(v) + b`` past each layer, and dropout before each layer.
    With the edge template alone this contains GIN.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from grape_gnn.errors import ModelError

__all__ = ["PRESETS", "Preset", "find_preset"]


@dataclass(frozen=True)
class Preset:
    """What a preset fixes; the module's docstring has the equations.

    Parameters
    ----------
    name
        Its name.
    weighting
        ``"set"`` or ``"count"``, as for `grape_gnn.match`.
    halves
        Replace each role matrix by the half sum of its row- and column-normalised forms.
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
    head
        Whether a two-layer MLP follows the last layer.
    stopping
        ``"patience"``: stop when validation accuracy has not improved for a while;
        ``"window"``: after epoch 200, when the validation loss exceeds its recent mean.
    """

    name: str
    weighting: str
    halves: bool
    forms: tuple[str, ...]
    simplex: bool
    calibrated: bool
    norm: str
    excitation: str
    skip: bool
    head: bool
    stopping: str


_PAPER = Preset(
    name="paper",
    weighting="set",
    halves=False,
    forms=("sum",),
    simplex=False,
    calibrated=False,
    norm="none",
    excitation="relu",
    skip=False,
    head=True,
    stopping="patience",
)
_RELEASED = Preset(
    name="released",
    weighting="count",
    halves=True,
    forms=("sum",),
    simplex=True,
    calibrated=False,
    norm="layer",
    excitation="softmax",
    skip=False,
    head=False,
    stopping="window",
)
_DEFAULT = Preset(
    name="default",
    weighting="count",
    halves=False,
    forms=("sum", "mean"),
    simplex=False,
    calibrated=True,
    norm="batch",
    excitation="scaled-softmax",
    skip=True,
    head=True,
    stopping="patience",
)

PRESETS = {preset.name: preset for preset in (_DEFAULT, _PAPER, _RELEASED)}


def find_preset(name: str | Preset) -> Preset:
    """Return the preset of a name.

    Examples
    --------
    >>> find_preset("paper").weighting
    'set'
    """
    if isinstance(name, Preset):
        return name
    if name not in PRESETS:
        close = difflib.get_close_matches(str(name), PRESETS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ModelError(f"unknown preset {name!r}: choose one of {', '.join(PRESETS)}{hint}")
    return PRESETS[name]
