"""Few nodes are trained and asked on one thread, so that a busy machine does not slow them down."""

import numpy as np
import torch
from torch import nn

import grape_gnn as grape
from grape_gnn.training import FullBatch, TrainSettings, scores_of, torch_threads, train
from grape_gnn.training.threads import FEW_ROWS


class Watched(nn.Linear):
    """Notes on how many threads it is asked."""

    def __init__(self):
        super().__init__(1, 2)
        self.seen = set()

    def forward(self, x):
        self.seen.add(torch.get_num_threads())
        return super().forward(x)


def threads_seen(nodes):
    labels = torch.arange(nodes) % 2
    part = torch.arange(nodes) < nodes // 2
    inputs = [labels[:, None].float()]
    trained, asked = Watched(), Watched()
    with torch_threads(2):
        train(trained, inputs, labels, part, ~part, TrainSettings(epochs=2))
        scores_of(asked, FullBatch(inputs), torch.arange(3))
        assert torch.get_num_threads() == 2
    return trained.seen, asked.seen


def test_few_nodes_have_one_thread():
    assert threads_seen(FEW_ROWS - 1) == ({1}, {1})
    assert threads_seen(FEW_ROWS) == ({2}, {2})


def test_small_graphs_have_the_same_result_with_any_number_of_threads():
    graph = grape.datasets.load("planted-roles", num_shapes=30)
    found = []
    for count in (1, 2):
        with torch_threads(count):
            model = grape.GrapeClassifier("social", epochs=5).fit(graph)
            found.append(model.predict_proba(graph))
    np.testing.assert_array_equal(*found)
