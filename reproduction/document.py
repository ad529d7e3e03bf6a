"""The page of results, ``docs/results.md``, written from the records and nothing else."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from grape_gnn.files import atomic_write
from reproduction import EXPERIMENTS
from reproduction.experiment import Experiment, Section
from reproduction.profiles import PROFILES
from reproduction.record import Record, Records

__all__ = ["write_document"]

PICTURES = Path("images", "results")

_HEAD = """\
# Results

<!-- Written by `make results`: change the experiments in reproduction/, not this page. -->

Every table and figure of the paper (Xu, Yao, Hui and Li, NeurIPS 2021), run again, next to the
paper's own numbers. This page is made from the records in `reproduction/records` of the repository;
`make results` runs what is missing and goes on where it was stopped.

## How to read it

- **Protocol**, the same for every method: random splits of the labelled nodes into 60% training,
  20% validation and 20% test, one per seed and the same for all methods; at most 500 epochs of
  Adam, the learning rate halved every 100; early stopping after 50 epochs without a better
  validation accuracy; test labels are read once, at the best validation epoch. Each method's
  hyper-parameters are chosen on validation accuracy from the same grid, and with them what a
  method leaves open: batch normalisation for those published without it, the depth of GIN, with
  label inputs whether GRAPE uses the features besides ([details](baselines.md)).
- **Two leagues**: *label inputs* are training labels among the features ([why](decisions.md)).
  Tables 1, A1 and A2 are each in two parts: without them for anybody, as in the papers of all
  methods; and with them, where *GIN + labels* tells what they give without roles. Table 2 and Table
  A3 have GRAPE with label inputs. More tasks, with both leagues for all baselines, are in the
  [arena](arena.md).
- **Profiles**: {profiles}
  Where a cell was run in several, the largest is shown; a circle (°) marks cells of the quick
  profile, a prime (′) those of the standard one.
- **Second looks**: the quick and the standard profile have the splits of seeds 0 upwards. Their
  test nodes were scored for earlier versions of GRAPE too ([what changed](decisions.md)), and once
  for the baselines. The earlier versions gave 82.5 on Amherst and 85.5 on Hamilton with constant
  features; 81.6 and 82.4 on Amherst, 84.3 and 84.7 on Hamilton with random ones. The paper profile
  has splits of its own, seeds 1000 to 1009, on which nothing was decided.
- **±** is the standard deviation over the runs, as in the paper; divided by the square root of the
  number of runs it is the standard error of the mean. **Bold**: within one standard error of the
  best of the ranked methods. With three runs, differences of a point or two mean little.
- **p-values** are two-sided and paired by split. The splits overlap, so the ordinary paired test
  is too sure of itself; the corrected one (Nadeau and Bengio, 2003) is the one to trust. The
  baseline is the one with the best *test* accuracy, the hardest choice for GRAPE.

## What differs from the paper, and why

- **On the universities all methods score far higher here than in the paper.** On Amherst it prints
  17% for GCN, 26% for GIN and 33% for GRAPE; the same GCN and GIN reach more than twice that here,
  and the authors' released GRAPE code gives 65%. The paper's numbers stand beside ours for the
  record; compare methods that were all run and tuned here in the same way.
- **Matching is exact here.** The released code keeps a random sample of the instances without
  saying so: on Amherst 40% of the 3-paths and 0.3% of the 4-paths and 4-cliques.
- **The model is the preset `default`**, not the equations as printed ([what differs](model.md)).
  GRAPE's rows with label inputs, and Tables 2, 3 and A3, were run with the default of the first
  release, which had one map per template. The [arena](arena.md) has the present one.
- **People without a year** form a class of their own, as in the released code.
- **Amazon is a stand-in.** The paper's graph (Music) needs a file of 200 MB that was out of reach;
  in its place stands the DVD graph from the same source, with votes in place of downloads. Its
  numbers cannot be compared with the paper's.
- **Reference methods**, which the paper lacks: label propagation, a plain MLP, and LINKX show what
  labels, features and the adjacency matrix give by themselves. They are not ranked.
"""


def write_document(
    records: str | os.PathLike[str],
    path: str | os.PathLike[str],
    experiments: Iterable[Experiment] = EXPERIMENTS,
) -> Path:
    """Write the page and its pictures.

    Parameters
    ----------
    records
        Folder of the ``.jsonl`` files.
    path
        The Markdown file; pictures go to ``images/results`` beside it.
    experiments
        What to show.

    Returns
    -------
    Path
        The page.
    """
    page = Path(path)
    profiles = "; ".join(f"*{profile.name}*: {profile.says}" for profile in PROFILES.values())
    parts = [_HEAD.format(profiles=profiles + ".")]
    listed: list[Record] = []
    for experiment in experiments:
        found = Records(records, experiment.name)
        section = experiment.section(found)
        listed += found
        parts.append(f"## {experiment.title}\n\n{_provenance(experiment, found)}\n\n{section.text}")
        _write_pictures(page.parent / PICTURES, section)
    parts.append(_machines(listed))
    with atomic_write(page) as temporary:
        temporary.write_text("\n".join(part.rstrip() + "\n" for part in parts), encoding="utf-8")
    return page


def _provenance(experiment: Experiment, records: Records) -> str:
    found = {record.profile for record in records} or set(PROFILES)
    largest = [profile for profile in PROFILES.values() if profile.name in found][-1]
    cells = experiment.cells(largest)
    shown = [record for cell in cells if (record := records.best(**cell)) is not None]
    count = Counter(record.profile for record in shown)
    shares = [f"{count[name]} in the {name} profile" for name in PROFILES if count[name]]
    said = f" ({', '.join(shares)})" if shares else ""
    old = sum(not experiment.is_current(record) for record in shown)
    aged = f" {old} of them rest on methods or settings that have changed since." if old else ""
    done = f"{len(shown)} of {len(cells)} cells{said}.{aged}"
    return f"*`python -m reproduction {experiment.name}`: {done}*"


def _write_pictures(folder: Path, section: Section) -> None:
    for name, picture in section.pictures.items():
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_write(folder / name) as temporary:
            temporary.write_text(picture, encoding="utf-8")


def _machines(records: list[Record]) -> str:
    machines = sorted(
        {
            f"- {record.machine['processor']}, {record.machine['cores']} cores, one thread a cell; "
            f"grape-gnn {record.version}, "
            + ", ".join(f"{name} {v}" for name, v in sorted(record.machine["versions"].items()))
            for record in records
        }
    )
    hours = sum(record.seconds for record in records) / 3600
    return "\n".join(
        [
            "## Machines",
            "",
            *(machines or ["Nothing was run yet."]),
            "",
            f"{hours:.1f} hours in all.",
        ]
    )
