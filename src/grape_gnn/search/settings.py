"""Everything that decides the course of a search, as one immutable record.

Each setting is written once, here: the function `grape_gnn.search`, the options of ``grape search``
and the table in ``docs/search.md`` are made from the fields or checked against them. How many
processes evaluate, and where, is not among them: the same settings give the same search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, asdict, dataclass, field, fields
from typing import Any

from grape_gnn.arguments import number, one_of, parse_bytes, whole_number
from grape_gnn.errors import SearchError
from grape_gnn.roles.engine import parse_seconds
from grape_gnn.search.mutation import Rates
from grape_gnn.template.structure import MAX_NODES

__all__ = ["ENGINES", "FITNESSES", "METHODS", "SearchSettings"]

METHODS = ("genetic", "random", "bayesian")
FITNESSES = ("ridge", "training")
ENGINES = ("auto", "incremental", "esu", "enumerate", "algebra")


_SEARCH, _GENES, _MATCHING = "The search", "The genes", "Matching"


def _setting(group: str, default: Any, meaning: str, **more: Any) -> Any:
    """Describe a setting: its group, its default, its meaning in words, its bounds.

    ``least`` and ``most`` bound a number, ``choices`` lists the words that are allowed, ``paper``
    is the paper's name for it, ``metavar`` how its text is written.
    """
    return field(default=default, metadata={"group": group, "meaning": meaning, **more})


@dataclass(frozen=True)
class SearchSettings:
    """What to search, and how.

    Examples
    --------
    >>> SearchSettings(method="random").population
    16
    >>> SearchSettings(population=1)
    Traceback (most recent call last):
        ...
    grape_gnn.errors.SearchError: population=1 must be at least 2
    """

    method: str = _setting(
        _SEARCH,
        "genetic",
        "genetic (Algorithm 1), or its baselines random and bayesian",
        choices=METHODS,
    )
    fitness: str = _setting(
        _SEARCH,
        "ridge",
        "what genes are judged by: ridge, a regression on their role products; or training",
        choices=FITNESSES,
    )
    finalists: int = _setting(
        _SEARCH, 3, "best genes by ridge, of which training then chooses one", least=1
    )
    seed: int = _setting(
        _SEARCH, 0, "decides the 60/20/20 split, all draws and the weights", least=0
    )
    templates_per_gene: int = _setting(
        _GENES, 3, "templates in a gene, at most", paper="L", least=1
    )
    population: int = _setting(_GENES, 16, "genes in a round", paper="B", least=2)
    eliminate: int = _setting(
        _GENES,
        2,
        "genes dropped in a round; as many of the best are reproduced",
        paper="Z",
        least=0,
    )
    node_probability: float = _setting(
        _GENES,
        0.1,
        "that a template gets a node, attached to a random one",
        paper="p_n",
        least=0,
        most=1,
    )
    edge_probability: float = _setting(
        _GENES,
        0.1,
        "that a template gets an edge between random nodes",
        paper="p_e",
        least=0,
        most=1,
    )
    recall_probability: float = _setting(
        _GENES,
        0.3,
        "that a template gives way to one met earlier; 0 in the paper",
        least=0,
        most=1,
    )
    crossover_probability: float = _setting(
        _GENES, 0.3, "that a pair of genes swaps some templates", paper="p_c", least=0, most=1
    )
    elites: int = _setting(
        _GENES, 1, "best genes that also go on unchanged; 0 in the paper", least=0
    )
    max_nodes: int = _setting(
        _GENES, 5, "size that templates do not grow beyond", least=2, most=MAX_NODES
    )
    engine: str = _setting(
        _MATCHING, "auto", f"how templates are matched: {', '.join(ENGINES)}", choices=ENGINES
    )
    memory: int | str = _setting(
        _MATCHING, "2GB", "for role operators, their products and stored instances", metavar="SIZE"
    )
    match_time: float | str | None = _setting(
        _MATCHING, None, "give up on templates that take longer to match", metavar="DURATION"
    )
    model: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"meaning": "parameters of `GrapeClassifier` for the trainings"},
    )

    def __post_init__(self) -> None:
        for each in fields(self):
            _check(each, getattr(self, each.name))
        if parse_bytes(self.memory) <= 0:
            raise SearchError(f"memory={self.memory!r} leaves no room: give it some bytes")
        if self.match_time is not None:
            parse_seconds(self.match_time, "match_time")
        if not isinstance(self.model, Mapping):
            raise SearchError(f"model={self.model!r} must be a dictionary of parameters")
        if self.eliminate > self.population // 2:
            raise SearchError(
                f"eliminate={self.eliminate} must be at most half of "
                f"population={self.population}: as many of the best are reproduced"
            )
        if self.elites >= self.population:
            raise SearchError(f"elites={self.elites} must be below population={self.population}")
        rates = self.rates
        if rates.node + rates.edge + rates.recall > 1 + 1e-9:
            raise SearchError(
                "node_probability, edge_probability and recall_probability must not add up to more "
                "than 1: a template changes by one of them in a round"
            )

    @property
    def rates(self) -> Rates:
        """The probabilities of mutation."""
        return Rates(
            self.node_probability, self.edge_probability, self.recall_probability, self.max_nodes
        )

    @property
    def product_memory(self) -> int:
        """Bytes of `memory` that hold the products of ridge regression."""
        return parse_bytes(self.memory) // 4 if self.fitness == "ridge" else 0

    def to_json(self) -> dict[str, Any]:
        """Return a dictionary for ``json.dump``."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SearchSettings:
        """Read what `to_json` wrote."""
        unknown = set(data) - {each.name for each in fields(cls)}
        if unknown:
            raise SearchError(f"there is no setting {sorted(unknown)[0]!r}")
        return cls(**data)


def _check(setting: Field[Any], value: Any) -> None:
    about = setting.metadata
    if "choices" in about:
        one_of(setting.name, value, about["choices"], error=SearchError)
    elif isinstance(setting.default, int):
        bounds = {name: about[name] for name in ("least", "most") if name in about}
        whole_number(setting.name, value, **bounds, error=SearchError)
    elif isinstance(setting.default, float):
        number(setting.name, value, least=about["least"], most=about["most"], error=SearchError)


SearchSettings.__doc__ = f"""{SearchSettings.__doc__}
    Parameters
    ----------
""" + "".join(
    f"    {each.name}\n        {each.metadata['meaning']}\n" for each in fields(SearchSettings)
)
