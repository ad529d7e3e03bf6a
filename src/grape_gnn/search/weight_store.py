"""Trained weights of the genes that may become parents, in memory or in the search's folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from grape_gnn.errors import ModelFileError
from grape_gnn.files import make_folder
from grape_gnn.search.evaluate import Weights
from grape_gnn.search.gene import Gene
from grape_gnn.search.strategy import Candidate

__all__ = ["WeightStore"]


class WeightStore:
    """Weights by gene.

    Parameters
    ----------
    folder
        Where to keep them; None: in memory.

    Examples
    --------
    >>> import numpy as np
    >>> edge, path = Gene.from_texts(["0-1"]), Gene.from_texts(["0-1 1-2"])
    >>> store = WeightStore(None)
    >>> store.put(Weights(edge, {"w": np.ones(2)}))
    >>> store.of_parent(Candidate(path, "node", (edge,))).gene
    Gene('0-1')
    >>> store.keep_only([path])
    >>> store.of_parent(Candidate(path, "node", (edge,))) is None
    True
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._kept: dict[str, Weights] = {}

    def put(self, weights: Weights) -> None:
        """Keep weights."""
        if self._folder is None:
            self._kept[weights.gene.key] = weights
            return
        import torch

        from grape_gnn.training.tensor_file import write_tensors

        make_folder(self._folder, ModelFileError)
        tensors = {name: torch.from_numpy(array) for name, array in weights.arrays.items()}
        write_tensors(self._file(weights.gene), tensors, {"gene": weights.gene.texts})

    def of_parent(self, candidate: Candidate) -> Weights | None:
        """Return the weights of a candidate's first parent, if there are any."""
        return self._get(candidate.parents[0]) if candidate.parents else None

    def keep_only(self, genes: Iterable[Gene]) -> None:
        """Forget the weights of all other genes."""
        keys = {gene.key for gene in genes}
        if self._folder is None:
            self._kept = {key: weights for key, weights in self._kept.items() if key in keys}
        elif self._folder.is_dir():
            wanted = {self._name(key) for key in keys}
            for file in self._folder.glob("*.safetensors"):
                if file.name not in wanted:
                    file.unlink(missing_ok=True)

    def _get(self, gene: Gene) -> Weights | None:
        if self._folder is None:
            return self._kept.get(gene.key)
        file = self._file(gene)
        if not file.exists():
            return None
        from grape_gnn.training.tensor_file import read_tensors

        tensors, header = read_tensors(file)
        if header.get("gene") != gene.texts:
            raise ModelFileError(file, f"holds the weights of {header.get('gene')}; delete it")
        return Weights(gene, {name: tensor.numpy() for name, tensor in tensors.items()})

    def _file(self, gene: Gene) -> Path:
        if self._folder is None:
            raise ValueError("weights are kept in memory")
        return self._folder / self._name(gene.key)

    @staticmethod
    def _name(key: str) -> str:
        return f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.safetensors"
