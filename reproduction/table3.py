"""Table 3 and Fig. 5 of the paper: four ways to search templates, with the same time each.

Next to them stand the start (edges alone), the hand-crafted templates of Table 1, and the genetic
search with the engine that grape-gnn chooses by itself. Every search is judged by validation
accuracy; the test accuracy of what it found is looked at once, at the end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grape_gnn.template.draw import sheet
from reproduction.accuracy import TITLES
from reproduction.experiment import Entry, Experiment, Section
from reproduction.fingerprint import method_fingerprint
from reproduction.paper import paper_facts
from reproduction.profiles import PROFILES, Profile
from reproduction.record import Record, Records

__all__ = ["SEARCHES", "TABLE_3"]

DATASETS = ("amherst", "hamilton", "lehigh", "jhu", "rochester")
SHOWN = "lehigh"  # in Fig. 5
EDGES, CRAFTED = "edge", "hand-crafted"
# Title, method and engine.
SEARCHES = {
    "random-esu": ("Random + ESU", "random", "esu"),
    "bayesian-esu": ("Bayesian + ESU", "bayesian", "esu"),
    "genetic-esu": ("Genetic + ESU", "genetic", "esu"),
    "genetic-incremental": ("Genetic + incremental", "genetic", "incremental"),
    "genetic-auto": ("Genetic + engine `auto`", "genetic", "auto"),
}
FIXED = {EDGES: "Edges alone (start)", CRAFTED: "Hand-crafted, as in Table 1"}
GENE = 3  # templates, as in the paper
_GIVEN = {EDGES: ["edge"] * GENE, CRAFTED: ["social"]}
MODEL: dict[str, Any] = {
    "epochs": 150,
    "patience": 30,
}  # short trainings, so that a search sees many genes
# As in the paper every gene is trained, and templates only grow.
GENETIC: dict[str, Any] = {
    "fitness": "training",
    "population": 8,
    "node_probability": 0.3,
    "edge_probability": 0.3,
    "recall_probability": 0.0,
}
MATCH_SHARE = 0.2  # of the budget that matching one template may take


def _cells(profile: Profile) -> list[Entry]:
    methods = (*FIXED, *reversed(SEARCHES))
    return [{"dataset": dataset, "method": method} for dataset in DATASETS for method in methods]


def _run(cell: Entry, profile: Profile, folder: Path) -> dict[str, Any]:
    from grape_gnn import GrapeClassifier, datasets
    from grape_gnn.search import SearchSettings, resume, search

    graph = datasets.load(cell["dataset"])
    if cell["method"] in FIXED:
        model = GrapeClassifier(_GIVEN[cell["method"]], seed=0, **MODEL)
        model.fit(graph, checkpoint=folder / "checkpoint.safetensors")
        best = model.history_.epochs[model.history_.best]
        return {
            "templates": [template.text for template in model.templates_],
            "validation_accuracy": best.validation_accuracy,
            "test_accuracy": model.score(graph),
        }
    _, method, engine = SEARCHES[cell["method"]]
    out = folder / "search"
    if (out / "config.json").exists():
        found = resume(out, graph)
    else:
        found = search(
            graph,
            profile.search_seconds,
            SearchSettings(
                method=method,
                engine=engine,
                templates_per_gene=GENE,
                match_time=MATCH_SHARE * profile.search_seconds,
                seed=0,
                model=MODEL,
                **GENETIC,
            ),
            out=out,
        )
    if found.ended == "interrupted":
        raise KeyboardInterrupt
    history = found.history
    computed = list(history.computed())
    return {
        "budget_seconds": profile.search_seconds,
        "settings": found.settings.to_json(),
        "templates": [template.text for template in found.templates],
        "validation_accuracy": found.validation_accuracy,
        "test_accuracy": found.classifier().fit(graph).score(graph),
        "rounds": history.rounds,
        "evaluations": len(computed),
        "failed": sum(each.failure is not None for each in computed),
        "matching_seconds": round(history.matching_seconds, 2),
        "evaluation_seconds": round(history.evaluation_seconds, 2),
        "curve": [[round(seconds, 2), round(score, 5)] for seconds, score in history.curve()],
    }


def _fingerprint(cell: Entry, profile: Profile) -> dict[str, Any]:
    from reproduction.variants import table_method

    start = table_method("grape", _GIVEN.get(cell["method"], _GIVEN[EDGES]))
    fingerprint = {"methods": method_fingerprint(start), "model": MODEL}
    if cell["method"] in FIXED:
        return fingerprint
    _, search, engine = SEARCHES[cell["method"]]
    told = {"search": search, "engine": engine, "match_share": MATCH_SHARE, **GENETIC}
    return {**fingerprint, **told, "seconds": profile.search_seconds}


def _section(records: Records) -> Section:
    printed = paper_facts("table3")["accuracy"]
    names = {**FIXED, **{name: title for name, (title, *_) in SEARCHES.items()}}
    heads = " | ".join(TITLES[dataset] for dataset in DATASETS)
    rows = [f"| | {heads} |", "|---|" + "---|" * len(DATASETS)]
    times = [f"| search | {heads} |", "|---|" + "---|" * len(DATASETS)]
    for name, title in names.items():
        found = [records.best(dataset=dataset, method=name) for dataset in DATASETS]
        cells = [
            _accuracy(record) + _printed(printed.get(name, {}).get(dataset))
            for dataset, record in zip(DATASETS, found, strict=True)
        ]
        rows.append(f"| {title} | " + " | ".join(cells) + " |")
        if name in SEARCHES:
            times.append(f"| {title} | " + " | ".join(map(_time, found)) + " |")
    budgets = sorted({record.result["budget_seconds"] for record in records if _is_search(record)})
    stated = " or ".join(f"{seconds} s" for seconds in budgets) or "none yet"
    parts = [
        "Test accuracy in % of the templates found (validation accuracy, by which they were "
        f"chosen, in brackets). Budget of a search: {stated}, on one thread; the paper's was "
        f"3000 s on a GPU. Genes have {GENE} templates of at most 5 nodes; trainings end after "
        f"{MODEL['epochs']} epochs here, or {MODEL['patience']} without a better one. One run "
        "each, on the split of seed 0: differences of a point or two are noise.",
        "",
        *rows,
        "",
        "Where the time went, in seconds: matching + training, and how many genes were evaluated.",
        "",
        *times,
        "",
        *_paper_times(),
    ]
    pictures = _pictures(records)
    if pictures:
        parts += [
            "",
            f"The paper, of Fig. 5: *{paper_facts('fig5')['says']}.*",
            "",
            f"![{TITLES[SHOWN]}: best accuracy over time](images/results/fig5-curves.svg)",
            "",
            "The templates that the genetic search found, by the ringed anchor:",
            "",
            "![Templates found](images/results/fig5-templates.svg)",
            "",
        ]
    return Section("\n".join(parts), pictures)


def _is_search(record: Record) -> bool:
    return record.cell["method"] in SEARCHES


def _accuracy(record: Record | None) -> str:
    if record is None:
        return "not run"
    found = record.result
    mark = PROFILES[record.profile].mark
    return f"{100 * found['test_accuracy']:.1f} ({100 * found['validation_accuracy']:.1f}){mark}"


def _printed(value: float | None) -> str:
    return "" if value is None else f"<br><small>paper {value:.1f}</small>"


def _time(record: Record | None) -> str:
    if record is None:
        return "not run"
    found = record.result
    return (
        f"{found['matching_seconds']:.0f} + {found['evaluation_seconds']:.0f}, "
        f"{found['evaluations']} genes"
    )


def _paper_times() -> list[str]:
    seconds = paper_facts("table3")["seconds"]
    titles = {
        "esu-matching": "ESU matching",
        "incremental-matching": "incremental matching",
        "evaluation": "training",
    }
    said = [
        f"{title} " + ", ".join(f"{seconds[name][dataset]:.0f}" for dataset in DATASETS)
        for name, title in titles.items()
    ]
    return [f"The paper prints, for the same datasets: {'; '.join(said)} seconds."]


def _pictures(records: Records) -> dict[str, str]:
    found = {name: records.best(dataset=SHOWN, method=name) for name in SEARCHES}
    curves = {
        SEARCHES[name][0].replace("`", ""): record.result["curve"]
        for name, record in found.items()
        if record is not None
    }
    best = found["genetic-auto"] or found["genetic-incremental"]
    if not curves or best is None:
        return {}
    from grape_gnn.search.curve import curve_svg
    from grape_gnn.search.gene import Gene

    gene = Gene.from_texts(best.result["templates"])
    end = max(record.result["budget_seconds"] for record in found.values() if record is not None)
    return {
        "fig5-curves.svg": curve_svg(curves, end),
        "fig5-templates.svg": sheet(gene.templates, columns=GENE),
    }


TABLE_3 = Experiment(
    name="table3",
    title="Table 3 and Fig. 5: search",
    cells=_cells,
    run=_run,
    fingerprint=_fingerprint,
    section=_section,
    alone=True,
    aliases=("fig5",),
)
