"""The bare driver."""

from grape_gnn.comparison import __main__ as driver


def test_driver_prints_a_table(monkeypatch, capsys, tmp_path):
    out = tmp_path / "runs.jsonl"
    command = f"x planted-roles --methods label-propagation --seeds 2 --out {out}"
    monkeypatch.setattr("sys.argv", command.split())
    assert driver.main() == 0
    printed = capsys.readouterr()
    assert "| planted-roles | original | (label-propagation) |" in printed.out
    assert "[1/12] Label propagation grid seed 0: validation" in printed.err
    assert len(out.read_text().splitlines()) == 12


def test_driver_says_what_is_wrong(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["x", "corra"])
    assert driver.main() == 2
    assert "no dataset is called 'corra'; did you mean cora" in capsys.readouterr().err
