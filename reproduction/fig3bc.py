"""Fig. 3b and 3c of the paper: the weights learned on templates and on Ego-AE sets, on Lehigh."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, stdev
from typing import Any

from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import method_fingerprint
from reproduction.paper import paper_facts
from reproduction.plots import bar_chart
from reproduction.profiles import PROFILES, Profile
from reproduction.record import Record, Records

__all__ = ["FIG_3BC"]

DATASET = "lehigh"
TEMPLATES = "social"


def _cells(profile: Profile) -> list[Entry]:
    return [{"dataset": DATASET, "seed": str(seed)} for seed in profile.seeds]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    from grape_gnn import GrapeClassifier, datasets
    from grape_gnn.explain import layer_weights

    graph = datasets.load(cell["dataset"])
    model = GrapeClassifier(TEMPLATES, seed=int(cell["seed"]))
    model.fit(graph, checkpoint=folder / "checkpoint.safetensors")
    layers = layer_weights(model.layered, *model.inputs(graph))
    return {
        "test_accuracy": round(model.score(graph), 6),
        "templates": [template.name for template in model.templates_],
        "layers": [
            {
                "share": [round(value, 4) for value in layer.share],
                "own": round(layer.own, 4),
                "roles": [
                    [
                        weight.template,
                        weight.role,
                        weight.form,
                        weight.weight,
                        round(weight.share, 4),
                    ]
                    for weight in layer.roles
                ],
            }
            for layer in layers
        ],
    }


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    from reproduction.variants import table_method

    return {"methods": method_fingerprint(table_method("grape", TEMPLATES))}


def _section(records: Records) -> Section:
    found = _of_largest_profile(records)
    said = (
        f"The paper, of templates (3b): *{paper_facts('fig3b')['says']}.* Of Ego-AE sets (3c): "
        f"*{paper_facts('fig3c')['says']}.*\n\nA weight alone says little, since it multiplies "
        "embeddings and counts of very different sizes. Shown is the *share* of a term: how much "
        "of what differs between the nodes it brings to the sum it is part of."
    )
    if not found:
        return Section(f"{said}\n\nNot run.\n")
    names = found[0].result["templates"]
    depth = range(len(found[0].result["layers"]))
    pictures, parts = {}, [said, ""]
    accuracies = [100 * record.result["test_accuracy"] for record in found]
    parts.append(
        f"Mean over {len(found)} trainings of the preset `default` (test accuracy "
        f"{mean(accuracies):.1f}%); whiskers are standard deviations."
    )
    heads = [*names, "the node itself"]
    parts += ["", "| layer | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for layer in depth:
        cells = [f"{_mean(found, layer, 'share', t):.0%}" for t in range(len(names))]
        kept = mean(record.result["layers"][layer]["own"] for record in found)
        cells.append(f"{kept:.0%}")
        parts.append(f"| {layer + 1} | " + " | ".join(cells) + " |")
    pictures["fig3b.svg"] = bar_chart(
        "Lehigh: share of each template in the fused embedding",
        "share",
        {
            name: {f"layer {k + 1}": _mean(found, k, "share", t) for k in depth}
            for t, name in enumerate(names)
        },
        errors={
            name: {f"layer {k + 1}": _spread(found, k, "share", t) for k in depth}
            for t, name in enumerate(names)
        },
    )
    pictures["fig3c.svg"] = bar_chart(
        "Lehigh: share of each role in its template's sum", "share", _role_groups(found, names)
    )
    parts += ["", "![Shares of templates](images/results/fig3b.svg)"]
    parts += ["", "![Shares of Ego-AE sets](images/results/fig3c.svg)", ""]
    return Section("\n".join(parts), pictures)


def _of_largest_profile(records: Records) -> list[Record]:
    """Return the records of the largest profile that has any."""
    for profile in reversed(PROFILES):
        found = [record for record in records if record.profile == profile]
        if found:
            return found
    return []


def _values(records: list[Record], layer: int, what: str, number: int) -> list[float]:
    return [float(record.result["layers"][layer][what][number]) for record in records]


def _mean(records: list[Record], layer: int, what: str, number: int) -> float:
    return mean(_values(records, layer, what, number))


def _spread(records: list[Record], layer: int, what: str, number: int) -> float:
    return stdev(_values(records, layer, what, number)) if len(records) > 1 else 0.0


def _role_groups(records: list[Record], names: list[str]) -> dict[str, dict[str, float]]:
    """Add up the shares of a role's forms, by template and role, then by layer."""
    groups: dict[str, dict[str, float]] = {}
    for record in records:
        for layer, weights in enumerate(record.result["layers"]):
            for template, role, _, _, share in weights["roles"]:
                title = f"{names[template]}, {'ego' if role == 0 else f'role {role}'}"
                bars = groups.setdefault(title, {})
                series = f"layer {layer + 1}"
                bars[series] = bars.get(series, 0.0) + share / len(records)
    return groups


FIG_3BC = Experiment(
    name="fig3bc",
    title="Fig. 3b and 3c: learned weights",
    cells=_cells,
    run=_run,
    fingerprint=_fingerprint,
    section=_section,
    aliases=("fig3b", "fig3c"),
)
