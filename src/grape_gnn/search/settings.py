"""Everything that decides the course of a search, as one immutable record.

How many processes evaluate, and where, is not among it: the same settings give the same search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from grape_gnn.errors import SearchError
from grape_gnn.roles.engine import parse_bytes, parse_seconds
from grape_gnn.search.mutation import Rates
from grape_gnn.template.structure import MAX_NODES

__all__ = ["EARLY", "ENGINES", "METHODS", "SearchSettings"]

METHODS = ("genetic", "random", "bayesian")
ENGINES = ("auto", "incremental", "esu", "enumerate", "algebra")
EARLY = ("none", "median", "halving")


@dataclass(frozen=True)
class SearchSettings:
    """What to search, and how; see `grape_gnn.search` for what each setting means.

    Examples
    --------
    >>> SearchSettings(population=10).eliminate
    2
    >>> SearchSettings(population=1)
    Traceback (most recent call last):
        ...
    grape_gnn.errors.SearchError: population=1 must be at least 2
    """

    method: str = "genetic"
    templates_per_gene: int = 3
    population: int = 8
    eliminate: int = 2
    node_probability: float = 0.3
    edge_probability: float = 0.3
    crossover_probability: float = 0.3
    removal_probability: float = 0.0
    elites: int = 1
    max_nodes: int = 5
    engine: str = "auto"
    memory: int | str = "2GB"
    match_time: float | str | None = None
    early: str = "none"
    warm_start: bool = False
    penalty: float = 0.0
    seed: int = 0
    model: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for option, value, known in (
            ("method", self.method, METHODS),
            ("engine", self.engine, ENGINES),
            ("early", self.early, EARLY),
        ):
            if value not in known:
                raise SearchError(f"{option}={value!r} is unknown: use one of {', '.join(known)}")
        self._check_numbers()
        self._check_probabilities()
        if self.warm_start and self.method != "genetic":
            raise SearchError(
                f"warm_start needs parents, which method={self.method!r} has not: use "
                f"method='genetic', or leave warm_start out"
            )
        if parse_bytes(self.memory) <= 0:
            raise SearchError(f"memory={self.memory!r} leaves no room: give it some bytes")
        if self.match_time is not None:
            parse_seconds(self.match_time)

    def _check_numbers(self) -> None:
        for option, least in (("templates_per_gene", 1), ("population", 2), ("max_nodes", 2)):
            if getattr(self, option) < least:
                raise SearchError(f"{option}={getattr(self, option)} must be at least {least}")
        if self.max_nodes > MAX_NODES:
            raise SearchError(f"max_nodes={self.max_nodes}: templates have at most {MAX_NODES}")
        if not 0 <= self.eliminate <= self.population // 2:
            raise SearchError(
                f"eliminate={self.eliminate} must lie between 0 and half of "
                f"population={self.population}: as many of the best are reproduced"
            )
        if not 0 <= self.elites < self.population:
            raise SearchError(
                f"elites={self.elites} must lie between 0 and population={self.population}"
            )
        if self.penalty < 0:
            raise SearchError(f"penalty={self.penalty} must not be negative")

    def _check_probabilities(self) -> None:
        names = ("node", "edge", "crossover", "removal")
        for option in (f"{name}_probability" for name in names):
            if not 0 <= getattr(self, option) <= 1:
                raise SearchError(f"{option}={getattr(self, option)} must lie between 0 and 1")
        if self.node_probability + self.edge_probability + self.removal_probability > 1 + 1e-9:
            raise SearchError(
                "node_probability, edge_probability and removal_probability must not add up to "
                "more than 1: a template changes by one of them in a round"
            )

    @property
    def rates(self) -> Rates:
        """The probabilities of mutation."""
        return Rates(
            self.node_probability, self.edge_probability, self.removal_probability, self.max_nodes
        )

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SearchSettings:
        """Read what `to_json` wrote."""
        return cls(**data)
