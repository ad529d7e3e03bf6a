"""Saved models whose description was altered: refused before anything is built from it."""

from __future__ import annotations

import pytest
import torch

from file_formats import make_examples
from grape_gnn.errors import ModelFileError
from grape_gnn.estimator import GrapeClassifier
from grape_gnn.files.tensor_file import read_tensors, write_tensors


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Give the tensors and the header of a model with label inputs."""
    folder = tmp_path_factory.mktemp("model")
    make_examples(folder, ["model"])
    return read_tensors(folder / "model" / "model.safetensors")


@pytest.mark.parametrize(
    ("changes", "params", "reason"),
    [
        ({}, {"layers": 10**9}, "layers is 1000000000, there are weights for 2"),
        ({}, {"hidden": 10**9}, "no weights of the size hidden = 1000000000"),
        ({}, {"hidden": "wide"}, "no weights of the size hidden = 'wide'"),
        ({"in_features": 10**9}, {}, "no weights of the size in_features = 1000000000"),
        ({"in_features": True}, {}, "in_features is True"),
        ({"params": []}, {}, r"params is \[\]"),
        ({"label_names": [[1], 2]}, {}, "label_names are not distinct texts or integers"),
        ({"label_names": ["red", "red"]}, {}, "label_names are not distinct texts or integers"),
        ({"directed": "no"}, {}, "directed is 'no'"),
    ],
)
def test_altered_descriptions(saved, tmp_path, changes, params, reason):
    tensors, header = saved
    altered = {**header, "params": {**header["params"], **params}, **changes}
    file = tmp_path / "model.safetensors"
    write_tensors(file, tensors, altered)
    with pytest.raises(ModelFileError, match=rf"model\.safetensors: .*{reason}"):
        GrapeClassifier.load(file)


@pytest.mark.parametrize("codes", [torch.full((8,), 9), torch.zeros(8), torch.zeros(2, 4).long()])
def test_altered_known_labels(saved, tmp_path, codes):
    tensors, header = saved
    file = tmp_path / "model.safetensors"
    write_tensors(file, {**tensors, "label inputs": codes}, header)
    with pytest.raises(ModelFileError, match="known label"):
        GrapeClassifier.load(file)
