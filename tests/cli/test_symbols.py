"""`ml-agent symbols` as a user meets it."""

import json
from pathlib import Path

from tests.commandline import ml_agent, one_line


def test_a_name(smoke: Path) -> None:
    done = ml_agent("symbols", smoke, "make_model", "--references")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("function make_model  tinynets/models.py:")
    assert lines[1].startswith("    def make_model(name: str, ")
    assert "    from tinynets.models import make_model" in lines
    assert any(line.startswith("    called  train.py:") and line.endswith("  in main") for line in lines[lines.index("used by") :])
    data = json.loads(ml_agent("symbols", smoke, "make_model", "--json").stdout)
    assert (data["match"], data["symbols"][0]["path"], data["references"]) == ("exact", "tinynets/models.py", [])


def test_ways_to_give_it(smoke: Path) -> None:
    def names(*arguments: str) -> list[str]:
        return [s["qualified"] for s in json.loads(ml_agent("symbols", smoke, *arguments, "--json").stdout)["symbols"]]

    assert names("SGD.step") == ["SGD.step"]
    assert names("make_", "--prefix") == ["make_dataset", "make_model", "make_optimizer"]
    assert names("mkae_model", "--fuzzy")[0] == "make_model"
    assert names("mkae_model")[0] == "make_model"
    assert names("make", "--kind", "class") == []
    assert len(names("m", "--prefix", "-k", "1")) == 1
    said = ml_agent("symbols", smoke, "mkae_model").stdout
    assert said.startswith("no symbol is named 'mkae_model'; these are spelled like it:\n")


def test_what_a_module_exports(smoke: Path) -> None:
    done = ml_agent("symbols", smoke, "--exports", "tinynets.optim")
    assert done.returncode == 0
    assert "class SGD  tinynets/optim.py:9" in done.stdout
    data = json.loads(ml_agent("symbols", smoke, "--exports", "tinynets/optim.py", "--json").stdout)
    assert {"SGD", "Adam"} <= {export["name"] for export in data["exports"]}


def test_nothing_found_and_bad_input(smoke: Path) -> None:
    done = ml_agent("symbols", smoke, "zyxwvut")
    assert (done.returncode, done.stdout, done.stderr) == (1, "no symbol fits 'zyxwvut'\n", "")
    for arguments, message in (
        ([], "give a NAME"),
        (["x", "--exports", "tinynets"], "give a NAME"),
        (["--exports", "tinynets.modles"], "no such module: tinynets.modles; nearest: tinynets.models"),
        (["x", "--kind", "poem"], "there are no symbols of kind poem; there are "),
        (["x", "--prefix", "--fuzzy"], "not allowed with"),
    ):
        done = ml_agent("symbols", smoke, *arguments)
        assert done.returncode == 2, arguments
        assert message in one_line(done)
