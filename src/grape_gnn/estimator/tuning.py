"""Settings chosen by the validation score: depth, width, dropout, label inputs, and so on.

A climb from the settings given: one of them at a time goes a step up or down, and whatever is
better is where the climb goes on. It ends where no step helps, or when the time is up. What comes
next depends on the trials so far and on nothing else, so a climb that was interrupted goes on as
if it had not been. Test labels are never read.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from grape_gnn.arguments import one_of
from grape_gnn.errors import GrapeWarning, ModelError
from grape_gnn.estimator.method import Grape
from grape_gnn.roles.engine import parse_seconds
from grape_gnn.training import History

if TYPE_CHECKING:
    from grape_gnn.estimator.base import GrapeEstimator

__all__ = ["AXES", "Trial", "best_trial", "climb", "next_settings", "trial_of", "try_settings"]

AXES: Mapping[str, Sequence[Any]] = {
    "label_inputs": (False, True),
    "edge_only": (False, True),
    "layers": (1, 2, 3, 5, 8),
    "dropout": (0.1, 0.3, 0.5, 0.7),
    "learning_rate": (0.003, 0.01, 0.03),
    "hidden": (16, 32, 64, 128),
}
"""What can be tuned, in the order in which it is tried, and the values to choose from."""


@dataclass(frozen=True)
class Trial:
    """One training of a climb.

    Parameters
    ----------
    settings
        The settings that are tuned.
    score, loss
        On the validation nodes, at the best epoch.
    epochs
        Number of epochs.
    seconds
        Time it took.
    """

    settings: dict[str, Any]
    score: float
    loss: float
    epochs: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return asdict(self)


def trial_of(settings: dict[str, Any], history: History, seconds: float) -> Trial:
    """Return a training as a trial."""
    best = history.epochs[history.best]
    return Trial(settings, best.score, best.validation_loss, len(history.epochs), seconds)


def best_trial(trials: Sequence[Trial]) -> Trial:
    """Return the trial with the highest score; of equal ones that with the lowest loss."""
    return max(trials, key=lambda trial: (trial.score, -trial.loss))


def next_settings(
    start: Mapping[str, Any], axes: Sequence[str], trials: Sequence[Trial]
) -> dict[str, Any] | None:
    """Return what to try next; None: no step from the best settings is left to try.

    Parameters
    ----------
    start
        Where the climb begins.
    axes
        Names of `AXES` that may be changed.
    trials
        What was tried.

    Examples
    --------
    >>> tried = [Trial({"layers": 2}, score=0.8, loss=0.5, epochs=10, seconds=1.0)]
    >>> next_settings({"layers": 2}, ["layers"], tried)
    {'layers': 1}
    """
    if not trials:
        return {name: start[name] for name in axes}
    best, known = best_trial(trials).settings, [trial.settings for trial in trials]
    for name in axes:
        for value in _steps(name, best[name]):
            candidate = {**best, name: value}
            if candidate not in known:
                return candidate
    return None


def _steps(name: str, value: Any) -> list[Any]:
    """Return the next smaller and the next larger value, those that there are."""
    below = [other for other in AXES[name] if other < value]
    above = [other for other in AXES[name] if other > value]
    return below[-1:] + above[:1]


class _TimeIsUpError(Exception):
    """Ends a training whose result would come too late."""


def climb(
    start: Mapping[str, Any],
    axes: Sequence[str],
    train: Callable[[dict[str, Any], Callable[[int, History], None]], History],
    *,
    seconds: float | None,
    trials: Sequence[Trial] = (),
    progress: Callable[[int, History], None] | None = None,
) -> Iterator[Trial]:
    """Yield trials until no step helps or the time is up.

    Parameters
    ----------
    start, axes
        As for `next_settings`.
    train
        Trains with given settings and a progress function, and returns the history.
    seconds
        Time in all, earlier trials included; None: no limit. The first trial is always finished.
    trials
        Trials of a climb that goes on.
    progress
        Called after every epoch.
    """
    done = list(trials)
    used = sum(trial.seconds for trial in done)
    while True:
        settings = next_settings(start, axes, done)
        if settings is None or (done and seconds is not None and used >= seconds):
            return
        began = monotonic()
        last = None if seconds is None or not done else began + seconds - used

        def watched(total: int, history: History, last: float | None = last) -> None:
            if progress is not None:
                progress(total, history)
            if last is not None and monotonic() > last:
                raise _TimeIsUpError

        try:
            history = train(settings, watched)
        except _TimeIsUpError:
            return
        trial = trial_of(settings, history, monotonic() - began)
        used += trial.seconds
        done.append(trial)
        yield trial


def try_settings(
    classifier: GrapeEstimator,
    graph: Any,
    time: str | float | None = "10m",
    *,
    settings: Sequence[str] = tuple(AXES),
    train_mask: Any = None,
    val_mask: Any = None,
    trials: Sequence[Trial] = (),
    progress: Callable[[int, History], None] | None = None,
    tried: Callable[[Trial], None] | None = None,
) -> tuple[Trial, ...]:
    """Choose settings of a classifier by the validation score, without training with them.

    Parameters
    ----------
    classifier
        Its parameters are where the climb starts; it takes over the best settings.
    graph, train_mask, val_mask
        As for `GrapeClassifier.fit`; all trials have the same split.
    time
        Time for the trials; None: until no step helps.
    settings
        What may be changed, of `AXES`; the others stay, and `edge_only` where it changes nothing.
    trials
        Trials of an earlier call to go on from.
    progress
        Called after every epoch with the number of epochs and the history.
    tried
        Called after every trial.

    Returns
    -------
    tuple of Trial
        All trials.
    """
    for name in settings:
        one_of("settings", name, tuple(AXES), error=ModelError)
    seconds = None if time is None else parse_seconds(time)
    data, split = classifier.split_for(graph, train_mask, val_mask)
    start = classifier.get_params()
    if "edge_only" in settings:
        start["edge_only"] = start["edge_only"] is True
    given = start["templates"]
    alike = given is not None and "edge_only" not in Grape(given).choices
    axes = [name for name in settings if name != "edge_only" or not alike]

    def train(point: dict[str, Any], watched: Callable[[int, History], None]) -> History:
        candidate = type(classifier)(**{**start, **point})
        candidate._cache = classifier.role_cache
        with warnings.catch_warnings():  # what remains to be said, the final training says
            warnings.simplefilter("ignore", GrapeWarning)
            candidate.fit(data, train_mask=split.train, val_mask=split.validation, progress=watched)
        return candidate.history_

    found = list(trials)
    for trial in climb(start, axes, train, seconds=seconds, trials=trials, progress=progress):
        found.append(trial)
        if tried is not None:
            tried(trial)
    classifier.set_params(**best_trial(found).settings)
    return tuple(found)
