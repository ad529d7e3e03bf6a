"""A small graph to search on, and settings that make searches short."""

from __future__ import annotations

import pytest

from grape_gnn import datasets
from grape_gnn.search import api
from grape_gnn.search.evaluate import train_gene

QUICK = {"population": 4, "eliminate": 1, "max_nodes": 4, "model": {"epochs": 4}}


@pytest.fixture(scope="session")
def planted():
    """Give 72 nodes whose labels are their roles in small shapes."""
    return datasets.load("planted-roles", num_shapes=9)


@pytest.fixture
def quick():
    """Give options of a short search."""
    return dict(QUICK)


@pytest.fixture
def trained(monkeypatch):
    """List the genes that are trained in this process, in order."""
    genes = []

    def counted(problem, job):
        genes.append(job.gene.key)
        return train_gene(problem, job)

    monkeypatch.setattr(api, "train_gene", counted)
    return genes


@pytest.fixture
def course():
    """Give a function that returns everything about a search but the times."""

    def without_times(result):
        timed = ("seconds", "matching_seconds", "evaluation_seconds")
        lines = [evaluation.to_json() for evaluation in result.history]
        return [{key: line[key] for key in line if key not in timed} for line in lines]

    return without_times
