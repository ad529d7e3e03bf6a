"""GeniePath, Meta-GNN, DE-GNN, LINKX and label propagation against loops over their equations."""

import networkx as nx
import numpy as np
import pytest
import torch

import grape_gnn as grape
from grape_gnn.baselines import method
from grape_gnn.baselines.attention import Neighbourhood
from grape_gnn.baselines.de_gnn import DEGNNNetwork, distance_counts
from grape_gnn.baselines.geniepath import GeniePathLayer
from grape_gnn.baselines.meta_gnn import MetaLayer, RoleMeans
from grape_gnn.errors import ModelError
from grape_gnn.training import Shape

SHAPE = Shape(5, 3, hidden=4, layers=2, dropout=0.0, input_dropout=0.0)


def test_geniepath_layer(small):
    layer = GeniePathLayer(5)
    h, memory = torch.randn(20, 5), torch.randn(20, 5)
    after, kept = layer(h, memory, Neighbourhood(small))
    for v in range(20):
        heard = [v, *small.neighbours(v).tolist()]
        scores = torch.stack(
            [layer.score(torch.tanh(layer.receiver(h[[v]]) + layer.sender(h[[u]]))) for u in heard]
        )
        weights = torch.softmax(scores.ravel(), dim=0)
        m = torch.tanh(layer.breadth((weights[:, None] * h[heard]).sum(dim=0)[None]))
        f, i, o, c = layer.gates(m).chunk(4, dim=1)
        expected = torch.sigmoid(f) * memory[v] + torch.sigmoid(i) * torch.tanh(c)
        assert torch.allclose(kept[v], expected[0], atol=1e-5)
        read = torch.sigmoid(o) * torch.tanh(expected)
        assert torch.allclose(after[v], read[0], atol=1e-5)


def test_meta_gnn_layer(small):
    names = ["edge", "3-path", "triangle"]
    means = RoleMeans(small, grape.templates(names))
    layer = MetaLayer(means, 5, 4)
    torch.nn.init.normal_(layer.bias)
    x = torch.from_numpy(small.x.copy())
    weight = layer.linear.weight
    per_template, term = [], len(names)
    for place, roles in enumerate(grape.match(small, names)):
        total = x @ weight[place] + layer.bias[place]
        for operator in roles[1:]:
            counts = torch.from_numpy(operator.to_scipy().toarray().astype(np.float32))
            mean = counts @ x / counts.sum(dim=1, keepdim=True).clamp(min=1)
            total = total + mean @ weight[term]
            term += 1
        per_template.append(torch.relu(total))
    stacked = torch.stack(per_template, dim=1)
    attention = torch.softmax((stacked * layer.attention).sum(dim=2), dim=1)
    expected = (attention[:, :, None] * stacked).sum(dim=1)
    assert torch.allclose(layer(x, means), expected, atol=1e-4)


def test_distance_counts_equal_shortest_paths(small):
    entries = Neighbourhood(small)
    counts = distance_counts(small, entries)
    length = dict(nx.all_pairs_shortest_path_length(small.to_networkx()))
    for (v, u), found in zip(
        torch.stack([entries.rows, entries.columns], dim=1).tolist(), counts.tolist(), strict=True
    ):
        distances = [length[v][int(w)] for w in small.neighbours(u)]
        assert found == [distances.count(d) for d in (0, 1, 2)]


def test_de_gnn_runs_on_each_neighbourhood(small):
    """One network per classified node, on all nodes with their one-hot distances to it."""
    method_ = method("de-gnn")
    x = torch.from_numpy(small.x.copy())
    prepared = method_.prepare(small, x)
    network = DEGNNNetwork(SHAPE).eval()
    torch.nn.init.constant_(network.epsilon, 0.25)
    matrix, entries, _, loops = prepared.structure
    raw = distance_counts(small, entries)
    ours = network(x, matrix, entries, raw, loops)

    plain = torch.from_numpy(small.to_scipy().toarray().astype(np.float32))
    length = dict(nx.all_pairs_shortest_path_length(small.to_networkx()))
    agree = 1 + network.epsilon[0]
    for v in range(20):
        onehot = torch.zeros(20, 3)
        for w, distance in length[v].items():
            if distance < 3:
                onehot[w, distance] = 1
        seen = network.first_norm(network.first(agree * x + plain @ x))
        h = torch.relu(seen + network.distances(plain @ onehot))
        total = (1 + network.epsilon[1]) * h[v] + (plain @ h)[v]
        expected = network.classify(network.second(total[None]))[0]
        assert torch.allclose(ours[v], expected, atol=1e-4)


def test_de_gnn_refuses_other_depths():
    with pytest.raises(ModelError, match="two layers only, got layers=3"):
        DEGNNNetwork(Shape(5, 3, 4, 3, 0.0, 0.0))


def test_linkx(small):
    chosen = method("linkx")
    x = torch.from_numpy(small.x.copy())
    network, inputs = chosen.build(chosen.prepare(small, x), 3, hidden=4, dropout=0.0)
    network.eval()
    plain = torch.from_numpy(small.to_scipy().toarray().astype(np.float32))
    a, f = plain @ network.rows + network.rows_bias, network.features(x)
    joined = network.both(torch.cat([a, f], dim=1)) + a + f
    assert torch.allclose(network(*inputs), network.final(torch.relu(joined)), atol=1e-5)


def test_label_propagation_spreads_along_a_path():
    path = grape.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], y=[0, 0, 0, 1, 1])
    chosen = method("label-propagation")
    masks = [torch.tensor([n in part for n in range(5)]) for part in ((0, 4), (1, 3))]
    settings = chosen.settings(
        True, {"alpha": 0.5, "normalisation": "rows"}, epochs=1, patience=1, seed=0
    )
    prepared = chosen.prepare(path, torch.ones(5, 1))
    labels = torch.tensor([0, 0, -1, 1, 1])
    fitted = chosen.fit(prepared, labels, *masks, 2, settings)
    assert fitted.validation_score == 1
    assert fitted.scores[2, 0] == fitted.scores[2, 1]  # the middle hears both ends alike
    exact = np.linalg.solve(
        np.eye(5) - 0.5 * path.to_scipy().toarray() / path.degrees[:, None],
        0.5 * np.eye(2)[[0, 0, 0, 1, 1]] * np.array([1, 0, 0, 0, 1])[:, None],
    )
    assert np.allclose(fitted.scores.numpy(), exact, atol=1e-5)


def test_label_propagation_has_no_network(small):
    chosen = method("label-propagation")
    prepared = chosen.prepare(small, torch.ones(20, 1))
    with pytest.raises(ModelError, match="no network"):
        chosen.build(prepared, 2)
