"""Checkpoints: everything a killed training needs to go on to the same final result.

One safetensors file with the weights, Adam's moments, the best weights so far and the state of
the random generator; its header holds the history and what the run is about, so that a checkpoint
is never continued with other data or settings.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelFileError
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.training.history import History

__all__ = ["checkpoint_identity", "load_checkpoint", "save_checkpoint"]

State = dict[str, torch.Tensor]


def save_checkpoint(
    path: str | os.PathLike[str],
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    best: State,
    history: History,
    identity: dict[str, Any],
    finished: bool,
) -> None:
    """Write a checkpoint atomically; after an error the previous one is still there."""
    tensors = {f"model.{name}": tensor for name, tensor in model.state_dict().items()}
    tensors |= {f"best.{name}": tensor for name, tensor in best.items()}
    for index, moments in optimiser.state_dict()["state"].items():
        tensors |= {f"adam.{index}.{name}": tensor for name, tensor in moments.items()}
    tensors["random"] = torch.get_rng_state()
    header = {"identity": identity, "history": history.to_json(), "finished": finished}
    # A tensor may appear under two names, which safetensors refuses to write.
    write_tensors(path, {name: tensor.clone() for name, tensor in tensors.items()}, header)


def load_checkpoint(
    path: str | os.PathLike[str],
    model: nn.Module,
    optimiser: torch.optim.Optimizer,
    identity: dict[str, Any],
) -> tuple[State, History, bool]:
    """Put a checkpoint back into the model, the optimiser and the random generator.

    Returns
    -------
    tuple
        The best weights so far, the history, and whether training had ended.
    """
    tensors, header = read_tensors(path)
    found = header.get("identity")
    found = found if isinstance(found, dict) else {}
    if found != identity:
        changed = sorted(key for key in {*identity, *found} if found.get(key) != identity.get(key))
        raise ModelFileError(
            path,
            f"belongs to another run: {', '.join(changed)} changed; delete it to start again, or "
            f"choose another folder",
        )
    try:
        model.load_state_dict(_part(tensors, "model."))
        slots: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in _part(tensors, "adam.").items():
            index, moment = name.split(".", 1)
            slots.setdefault(int(index), {})[moment] = tensor
        _check_moments(slots, optimiser)
        groups = optimiser.state_dict()["param_groups"]
        optimiser.load_state_dict({"state": slots, "param_groups": groups})
        torch.set_rng_state(tensors["random"])
        history = History.from_json(header["history"])
        best = _part(tensors, "best.")
        _check_same_shapes(best, model.state_dict())
    except (KeyError, IndexError, ValueError, TypeError, RuntimeError) as error:
        raise ModelFileError(
            path, f"is damaged ({error}); delete it to start the training again"
        ) from error
    return best, history, bool(header.get("finished"))


def checkpoint_identity(path: str | os.PathLike[str] | None) -> dict[str, Any] | None:
    """Return what the run of a checkpoint is about; None: there is no such file."""
    if path is None or not Path(path).exists():
        return None
    _, header = read_tensors(path)
    identity = header.get("identity")
    return identity if isinstance(identity, dict) else {}


def _check_same_shapes(best: State, model: State) -> None:
    if {name: (t.shape, t.dtype) for name, t in best.items()} != {
        name: (t.shape, t.dtype) for name, t in model.items()
    }:
        raise ValueError("the best weights do not fit the model")


def _check_moments(
    slots: dict[int, dict[str, torch.Tensor]], optimiser: torch.optim.Optimizer
) -> None:
    """Refuse moments that Adam would miss at its next step, and those of other weights."""
    weights = [weight for group in optimiser.param_groups for weight in group["params"]]
    for index, found in slots.items():
        shape = weights[index].shape
        expected = {"step": torch.Size(), "exp_avg": shape, "exp_avg_sq": shape}
        if {name: moment.shape for name, moment in found.items()} != expected:
            raise ValueError(f"the moments of weight {index} do not fit it")


def _part(tensors: State, prefix: str) -> State:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
