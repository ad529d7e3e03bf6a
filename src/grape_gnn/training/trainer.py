"""The training loop of Alg. A1, for GRAPE and its baselines: full batches, Adam, early stopping.

The model is any module that turns its inputs into one score per node and class, or for numbers into
one per node; `grape_gnn.training.objective` has the loss. Training labels drive the weights,
validation labels only the choice of the epoch, by the metric of the settings; test labels never
come here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import nn

from grape_gnn.errors import ModelError
from grape_gnn.nn.role_maps import RoleMaps
from grape_gnn.training.checkpoint import load_checkpoint, save_checkpoint
from grape_gnn.training.history import Epoch, History
from grape_gnn.training.label_inputs import LabelInputs, with_all_labels
from grape_gnn.training.metrics import accuracy, score
from grape_gnn.training.objective import Objective
from grape_gnn.training.settings import TrainSettings

__all__ = ["seeded", "train"]

CHECKPOINT_EVERY = 25


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Run a block with torch's generator at `seed`; the caller's generator is put back.

    Examples
    --------
    >>> with seeded(3):
    ...     first = torch.rand(2)
    >>> with seeded(3):
    ...     again = torch.rand(2)
    >>> bool((first == again).all())
    True
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


def train(
    model: nn.Module,
    inputs: Sequence[Any],
    labels: torch.Tensor,
    train_mask: torch.Tensor,
    validation_mask: torch.Tensor,
    settings: TrainSettings,
    *,
    checkpoint: str | os.PathLike[str] | None = None,
    identity: dict[str, Any] | None = None,
    progress: Callable[[int, History], None] | None = None,
) -> History:
    """Train a model and leave it with the weights of its best validation epoch.

    Parameters
    ----------
    model
        ``model(*inputs)`` gives scores of shape (nodes, classes), (nodes, labels) or (nodes,).
    inputs
        Arguments of the model; the features may be `LabelInputs`.
    labels
        Label of every node, in the form of its task; only those of the two masks are read.
    train_mask, validation_mask
        Boolean masks over the nodes.
    settings
        The protocol.
    checkpoint
        File to write every 25 epochs and at the end. If it is there already, training goes on
        from it, to the same final result.
    identity
        What the run is about (data, model); a checkpoint of another run is refused.
    progress
        Called after every epoch with the settings' number of epochs and the history.

    Returns
    -------
    History
        All epochs.

    Examples
    --------
    >>> x = torch.tensor([[0.0], [1.0], [0.0], [1.0]])
    >>> y = torch.tensor([0, 1, 0, 1])
    >>> first = torch.tensor([True, True, False, False])
    >>> model = nn.Linear(1, 2)
    >>> history = train(model, [x], y, first, ~first, TrainSettings(learning_rate=0.1))
    >>> accuracy(model(x), y)
    1.0
    """
    optimiser = torch.optim.Adam(
        model.parameters(),
        lr=settings.learning_rate,
        weight_decay=settings.weight_decay,
        fused=True,
    )
    known = {"settings": settings.to_json(), **(identity or {})}
    objective = Objective(labels, train_mask, settings.class_weight)
    history, best, finished = History(metric=settings.metric), _copy(model), False
    with seeded(settings.seed):
        if checkpoint is not None and Path(checkpoint).exists():
            best, history, finished = load_checkpoint(checkpoint, model, optimiser, known)
        while not finished:
            epoch = _run_epoch(
                model, inputs, labels, train_mask, validation_mask, objective, optimiser,
                settings.rate_at(len(history.epochs)), len(history.epochs), settings.metric,
            )  # fmt: skip
            if history.add(epoch):
                best = _copy(model)
            finished = _is_over(history, settings)
            due = finished or len(history.epochs) % CHECKPOINT_EVERY == 0
            if checkpoint is not None and due:
                save_checkpoint(checkpoint, model, optimiser, best, history, known, finished)
            if progress is not None:
                progress(settings.epochs, history)
    model.load_state_dict(best)
    model.eval()
    return history


def _run_epoch(
    model: nn.Module,
    inputs: Sequence[Any],
    labels: torch.Tensor,
    train_mask: torch.Tensor,
    validation_mask: torch.Tensor,
    objective: Objective,
    optimiser: torch.optim.Optimizer,
    rate: float,
    number: int,
    metric: str,
) -> Epoch:
    for group in optimiser.param_groups:
        group["lr"] = rate
    model.train()
    optimiser.zero_grad()
    drawn, targets = _drawn(inputs, train_mask)
    loss = objective(model(*drawn)[targets], labels[targets], weighted=True)
    if not torch.isfinite(loss):
        raise ModelError(
            f"the training loss is {loss.item()} in epoch {number + 1}: use a smaller learning "
            f"rate, features of ordinary size, or the preset 'default', which scales counts"
        )
    loss.backward()
    optimiser.step()
    with torch.no_grad(), _statistics_without_dropout(model):
        scores = model(*with_all_labels(inputs))[validation_mask]
        wanted = labels[validation_mask]
        validation_loss = objective(scores, wanted).item()
    right = accuracy(scores, wanted) if objective.classes else None
    scored = None if metric == "accuracy" else score(metric, scores, wanted)
    return Epoch(loss.item(), validation_loss, right, scored)


def _drawn(inputs: Sequence[Any], train_mask: torch.Tensor) -> tuple[list[Any], torch.Tensor]:
    """Return the model's arguments of an epoch, and the nodes whose labels it is to learn."""
    features, *rest = inputs
    if not isinstance(features, LabelInputs):
        return list(inputs), train_mask
    drawn, hidden = features.draw()
    return [drawn, *rest], hidden


@contextmanager
def _statistics_without_dropout(model: nn.Module) -> Iterator[None]:
    """Evaluate, and let batch normalisation keep the statistics of this very pass.

    Dropout widens what batch normalisation sees in training, so averages over training passes
    would not fit the values seen without dropout. With full batches the exact ones are at hand.
    They are kept before they are used, so that predicting later repeats this pass to the last bit.
    """
    model.eval()
    with ExitStack() as renewed:
        for part in model.modules():
            if isinstance(part, nn.modules.batchnorm._BatchNorm):
                renewed.callback(part.register_forward_pre_hook(_keep_statistics).remove)
            elif isinstance(part, RoleMaps):
                renewed.enter_context(part.renewed())
        yield


def _keep_statistics(norm: nn.Module, inputs: tuple[torch.Tensor]) -> None:
    """Set mean and plain variance (over n, as torch normalises by in training) of every feature."""
    values = inputs[0].movedim(1, -1).flatten(0, -2)
    mean = values.mean(dim=0)
    norm.get_buffer("running_mean").copy_(mean)
    norm.get_buffer("running_var").copy_((values - mean).square().mean(dim=0))


def _is_over(history: History, settings: TrainSettings) -> bool:
    if len(history.epochs) >= settings.epochs:
        return True
    if settings.stopping == "window":
        return history.loss_above_window(settings.patience, settings.min_epochs)
    return history.patience_spent(settings.patience, settings.min_epochs)


def _copy(model: nn.Module) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
