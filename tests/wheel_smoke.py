"""Whether an installed wheel works: run by ``make wheel`` and for every wheel of a release.

    python tests/wheel_smoke.py

Matching, its file and the command, with nothing but what ``pip install grape-gnn`` brings.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> None:
    import numpy as np

    import grape_gnn as grape

    place = Path(grape.__file__).parent
    assert "site-packages" in place.parts, f"not the installed package: {place}"
    graph = grape.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    found = grape.match(graph, "edge,triangle")
    assert [int(roles.totals.sum()) for roles in found] == [8, 3]
    assert (found[1][1] @ np.ones((4, 1))).ravel().tolist() == [2, 2, 2, 0]
    command = Path(sys.executable).with_name("grape")
    with tempfile.TemporaryDirectory() as folder:
        edges, out = Path(folder, "friends.csv"), Path(folder, "roles.npz")
        edges.write_text("ann,bob\nbob,cat\nann,cat\ncat,dan\n")
        words = ["match", edges, "--templates", "social", "--out", out]
        subprocess.run([command, *words], check=True, stdout=subprocess.DEVNULL)
        assert grape.load_roles(out).graph.num_nodes == 4
        if importlib.util.find_spec("torch") is None:
            refused = subprocess.run([command, "train", edges], capture_output=True, text=True)
            assert refused.returncode == 2, refused.stderr
            assert "grape-gnn[torch]" in refused.stderr, refused.stderr
    print(f"grape-gnn {grape.__version__} works in {place}")


if __name__ == "__main__":
    main()
