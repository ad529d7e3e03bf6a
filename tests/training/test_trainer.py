"""The loop: protocol, early stopping, same seed same result, resuming to the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from grape_gnn.errors import GrapeError, ModelError, ModelFileError
from grape_gnn.files.tensor_file import read_tensors, write_tensors
from grape_gnn.training import Epoch, History, TrainSettings, seeded, train
from grape_gnn.training.checkpoint import save_checkpoint


class KilledError(Exception):
    """Stands for a kill in the middle of the training."""


def problem() -> tuple[torch.nn.Module, torch.Tensor, torch.Tensor, torch.Tensor]:
    with seeded(0):
        x = torch.randn(60, 5)
        y = (x[:, 0] + 0.5 * torch.randn(60) > 0).long()
        model = torch.nn.Sequential(
            torch.nn.Linear(5, 8),
            torch.nn.BatchNorm1d(8),
            torch.nn.ReLU(),
            torch.nn.Dropout(0.5),
            torch.nn.Linear(8, 2),
        )
    return model, x, y, torch.arange(60) < 40


def run(settings: TrainSettings, **options) -> tuple[History, dict[str, torch.Tensor]]:
    model, x, y, first = problem()
    history = train(model, [x], y, first, ~first, settings, **options)
    return history, model.state_dict()


def same(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(a[name], b[name]) for name in a)


def test_same_seed_same_result_other_seed_other_result() -> None:
    one, two = run(TrainSettings(epochs=20)), run(TrainSettings(epochs=20))
    assert one[0] == two[0]
    assert same(one[1], two[1])
    assert run(TrainSettings(epochs=20, seed=1))[0] != one[0]


def test_the_callers_random_numbers_are_left_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    run(TrainSettings(epochs=2))
    assert torch.equal(torch.rand(3), expected)


def test_the_best_epoch_is_kept_not_the_last() -> None:
    history, weights = run(TrainSettings(epochs=60, learning_rate=0.1))
    model, x, y, first = problem()
    model.load_state_dict(weights)
    model.eval()
    found = (model(x)[~first].argmax(1) == y[~first]).double().mean().item()
    accuracies = [epoch.validation_accuracy for epoch in history.epochs]
    assert found == max(accuracies) == accuracies[history.best]
    assert history.best < len(history.epochs) - 1


@pytest.mark.parametrize("kill_after", [26, 30, 70])
def test_a_killed_training_resumes_to_the_same_result(tmp_path: Path, kill_after: int) -> None:
    settings = TrainSettings(epochs=80, patience=80)
    whole = run(settings)
    file = tmp_path / "run.safetensors"

    def kill(total: int, history: History) -> None:
        if len(history.epochs) == kill_after:
            raise KilledError

    with pytest.raises(KilledError):
        run(settings, checkpoint=file, progress=kill)
    resumed = run(settings, checkpoint=file)
    assert resumed[0] == whole[0]
    assert same(resumed[1], whole[1])
    again = run(settings, checkpoint=file)
    assert same(again[1], whole[1])


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.safetensors"
    run(TrainSettings(epochs=2), checkpoint=file, identity={"data": "a"})
    with pytest.raises(ModelFileError, match="belongs to another run: data changed; delete it"):
        run(TrainSettings(epochs=2), checkpoint=file, identity={"data": "b"})
    with pytest.raises(ModelFileError, match="settings changed"):
        run(TrainSettings(epochs=3), checkpoint=file, identity={"data": "a"})


def test_damaged_checkpoints_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.safetensors"
    run(TrainSettings(epochs=2), checkpoint=file)
    whole = file.read_bytes()
    for broken in (whole[:100], b"", whole[: len(whole) - 50]):
        file.write_bytes(broken)
        with pytest.raises(ModelFileError, match="is damaged"):
            run(TrainSettings(epochs=2), checkpoint=file)


@pytest.mark.parametrize("moment", ["exp_avg", "exp_avg_sq", "step"])
@pytest.mark.parametrize("name", ["other", None])
def test_checkpoints_without_what_adam_needs_are_refused(tmp_path: Path, moment, name) -> None:
    file = tmp_path / "run.safetensors"
    run(TrainSettings(epochs=2), checkpoint=file)
    tensors, header = read_tensors(file)
    taken = tensors.pop(f"adam.0.{moment}")
    if name is not None:
        tensors[f"adam.0.{name}"] = taken
    header["finished"] = False
    write_tensors(file, tensors, header)
    with pytest.raises(ModelFileError, match="the moments of weight 0 do not fit it"):
        run(TrainSettings(epochs=2), checkpoint=file)


def test_a_full_disk_keeps_the_old_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.safetensors"
    run(TrainSettings(epochs=2), checkpoint=file)
    before = file.read_bytes()

    def full(path: Path, content: bytes) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    model = problem()[0]
    optimiser = torch.optim.Adam(model.parameters())
    with pytest.raises(GrapeError, match="No space left on device"):
        save_checkpoint(file, model, optimiser, model.state_dict(), History(), {}, False)
    assert file.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.safetensors"]


def epochs(*pairs: tuple[float, float]) -> History:
    history = History()
    for accuracy, loss in pairs:
        history.add(Epoch(1.0, loss, accuracy))
    return history


def test_patience_and_the_least_number_of_epochs() -> None:
    history = epochs((0.5, 1.0), (0.4, 1.0), (0.4, 1.0), (0.4, 1.0))
    assert history.waited == 3
    assert history.patience_spent(3, 0)
    assert not history.patience_spent(4, 0)
    assert not history.patience_spent(3, 5)
    assert epochs((0.5, 1.0), (0.5, 0.9)).best == 1
    assert epochs((0.5, 1.0), (0.5, 1.0)).best == 0


def test_window_stopping() -> None:
    rising = epochs((0.5, 1.0), (0.5, 1.0), (0.5, 1.2))
    assert rising.loss_above_window(2, 0)
    assert not rising.loss_above_window(2, 10)
    assert not epochs((0.5, 1.0), (0.5, 1.0), (0.5, 0.9)).loss_above_window(2, 0)
    history, _ = run(TrainSettings(epochs=300, patience=5, min_epochs=40, stopping="window"))
    assert 40 <= len(history.epochs) < 300


def test_rate_is_halved_and_a_loss_that_is_not_finite_is_refused() -> None:
    assert TrainSettings(learning_rate=0.01).rate_at(399) == 0.01 / 8
    model, x, y, first = problem()
    with pytest.raises(ModelError, match=r"training loss is nan in epoch 1: use a smaller"):
        train(model, [x * float("nan")], y, first, ~first, TrainSettings(epochs=2))


def test_settings_are_checked() -> None:
    with pytest.raises(ModelError, match="epochs=0 must be at least 1"):
        TrainSettings(epochs=0)
    with pytest.raises(ModelError, match=r"learning_rate=-1.*above 0"):
        TrainSettings(learning_rate=-1)
    with pytest.raises(ModelError, match="stopping='now' is unknown"):
        TrainSettings(stopping="now")
