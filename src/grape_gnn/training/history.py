"""What happened in every epoch, and when training should end."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, field
from typing import Any

__all__ = ["Epoch", "History"]


@dataclass(frozen=True)
class Epoch:
    """One epoch: the training loss, and loss and accuracy on the validation nodes.

    `validation_score` is by the metric of the training, where that is not the accuracy; only
    classes have an accuracy.
    """

    loss: float
    validation_loss: float
    validation_accuracy: float | None
    validation_score: float | None = None

    @property
    def score(self) -> float:
        """What the epoch is chosen by."""
        chosen = self.validation_score
        chosen = self.validation_accuracy if chosen is None else chosen
        assert chosen is not None  # one of the two is there
        return chosen


@dataclass
class History:
    """The epochs so far.

    Examples
    --------
    >>> history = History()
    >>> for accuracy in (0.5, 0.7, 0.6):
    ...     _ = history.add(Epoch(1.0, 1.0, accuracy))
    >>> history.best, history.waited
    (1, 1)
    """

    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    """The epoch (from 0) with the best validation score, then the lowest loss."""
    metric: str = "accuracy"
    """What the validation score is."""

    def add(self, epoch: Epoch) -> bool:
        """Append an epoch; True if it is the best so far."""
        self.epochs.append(epoch)
        better = self.best < 0 or _rank(epoch) > _rank(self.epochs[self.best])
        if better:
            self.best = len(self.epochs) - 1
        return better

    @property
    def waited(self) -> int:
        """Number of epochs since the best one."""
        return len(self.epochs) - 1 - self.best

    def patience_spent(self, patience: int, min_epochs: int) -> bool:
        """Whether `min_epochs` are done and the last `patience` brought nothing better."""
        return len(self.epochs) >= min_epochs and self.waited >= patience

    def loss_above_window(self, window: int, min_epochs: int) -> bool:
        """Whether the last validation loss exceeds the mean of the `window` before it."""
        losses = [epoch.validation_loss for epoch in self.epochs]
        if len(losses) < max(min_epochs, window + 1):
            return False
        return losses[-1] > sum(losses[-window - 1 : -1]) / window

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        epochs = [asdict(epoch) for epoch in self.epochs]
        return {"best": self.best, "metric": self.metric, "epochs": epochs}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> History:
        """Read what `to_json` wrote.

        Raises
        ------
        KeyError, TypeError, ValueError
            It is something else.
        """
        epochs = [Epoch(**epoch) for epoch in data["epochs"]]
        history = cls(epochs, data["best"], str(data.get("metric", "accuracy")))
        for epoch in history.epochs:
            numbers = [value for value in astuple(epoch) if value is not None]
            if any(type(value) not in (int, float) for value in numbers):
                raise ValueError(f"an epoch is not a few numbers: {epoch}")
        if type(history.best) is not int or not -1 <= history.best < len(history.epochs):
            raise ValueError(f"the best epoch is {history.best!r} of {len(history.epochs)}")
        return history


def _rank(epoch: Epoch) -> tuple[float, float]:
    return epoch.score, -epoch.validation_loss
