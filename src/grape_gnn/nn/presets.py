"""Presets: complete choices of what the paper leaves open, by name.

``default``
    Every role has a linear map of its own; the equations are in `grape_gnn.nn.role_layer`. A linear
    map leads from the features to the first layer and another from the last layer to the classes.
    docs/decisions.md says how it was chosen, docs/model.md what each part is worth.
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
``decoupled``
    No layers: products of roles and features are computed once, and a network is trained on them in
    mini-batches, from disk if they are large; the equations are in `grape_gnn.nn.decoupled`. It is
    for `grape_gnn.GrapeClassifier`, `grape_gnn.GrapeRegressor` and ``grape train``.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from grape_gnn.errors import ModelError

__all__ = ["DECOUPLED", "PRESETS", "Preset", "find_preset"]


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
        What becomes of the matched matrices: ``"matched"`` or ``"half-sums"``; see
        `grape_gnn.nn.RoleValues`.
    maps
        Who has a linear map of its own: ``"role"`` (`grape_gnn.nn.RoleLayer`) or ``"template"``
        (`grape_gnn.nn.TemplateLayer`). What follows is for the latter.
    simplex
        Softmax over the betas of a template.
    layer_norm
        Layer normalisation behind the MLPs of the aggregator.
    excitation
        How ``alpha`` ends; see `grape_gnn.nn.fusion`.
    head
        Number of linear maps after the last layer, at most 2; 0: it gives the classes itself.
    stopping
        ``"patience"``: stop when validation accuracy has not improved for a while;
        ``"window"``: after epoch 200, when the validation loss exceeds its recent mean.
    """

    name: str = "default"
    weighting: str = "count"
    values: str = "matched"
    maps: str = "role"
    simplex: bool = False
    layer_norm: bool = False
    excitation: str = "relu"
    head: int = 1
    stopping: str = "patience"


_PAPER = Preset("paper", "set", "matched", "template", head=2)
_RELEASED = Preset(
    "released", "count", "half-sums", "template", True, True, "softmax", 0, "window"
)  # fmt: skip

DECOUPLED = "decoupled"
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
    if name == DECOUPLED:
        raise ModelError(
            "the preset 'decoupled' has no layers to build or to search with: it is for "
            "GrapeClassifier, GrapeRegressor and grape train; here use 'default'"
        )
    if not isinstance(name, str) or name not in PRESETS:
        known = (*PRESETS, DECOUPLED)
        close = difflib.get_close_matches(str(name), known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ModelError(f"unknown preset {name!r}: choose one of {', '.join(known)}{hint}")
    return PRESETS[name]
