import json
from pathlib import Path

import pytest

from ml_agent.benchmarks.retrieval import main, modules, programs
from ml_agent.repo.index import RepoIndex


@pytest.fixture
def index(smoke: Path) -> RepoIndex:
    return RepoIndex(smoke)


def test_programs_are_those_that_are_run_from_the_folder(index: RepoIndex) -> None:
    assert programs(index, ".", "python train.py --lr 0.1 \\\n  --epochs 3") == {"train.py"}
    assert programs(index, "examples/names", "python train.py --order 3") == {"examples/names/train.py"}
    assert programs(index, ".", "cd examples/names && python -u train.py; python evaluate.py") == {"examples/names/train.py", "evaluate.py"}
    assert programs(index, ".", "bash scripts/run.sh") == {"scripts/run.sh"}
    assert programs(index, ".", "ls; python nowhere.py; pip install torch") == set()


def test_modules_are_those_imported_and_those_that_define_what_is_taken(index: RepoIndex) -> None:
    (index.root / "tinynets" / "nets.py").write_text("from tinynets.models import MLP\n")
    nets, models = {"tinynets/nets.py"}, {"tinynets/models.py"}
    assert modules(index, "import os, torch") == modules(index, "not python (") == (set(), set())
    assert modules(index, "from tinynets.data import make_dataset") == ({"tinynets/data.py"}, {"tinynets/data.py"})
    assert modules(index, "from tinynets.nets import MLP") == (nets, models)
    assert modules(index, "import tinynets.nets as nets\nprint(nets.MLP)") == (nets, models)
    assert modules(index, "import tinynets.nets\nprint(nets.MLP)") == (nets, set())


ROWS = [
    ("Bash Script", "./", "python train.py --lr 0.05 --epochs 20", "train the MLP with a learning rate of 0.05 for 20 epochs"),
    ("Bash Script", "./examples/names", "python train.py --order 3", "learn names with an n-gram model of order 3"),
    ("Python Code", "./", "from tinynets.models import MLP\nprint(MLP)", "how do I make a multi-layer perceptron"),
]


def written(path: Path, *, without: str = "") -> Path:
    rows = [
        {
            "github_id": 1,
            "id": n,
            "github": "https://example.org/some/tinynets",
            "type": kind,
            "path": folder,
            "output": code,
            "instruction": text,
            "repo_id": 1,
            "arguments": "{}",
            "oracle": "",
            "prefix_code": "",
        }
        for n, (kind, folder, code, text) in enumerate(ROWS)
    ]
    path.write_text("".join(json.dumps({name: value for name, value in row.items() if name != without}) + "\n" for row in rows))
    return path


def test_the_table_holds_shares(smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = written(tmp_path / "rows.jsonl")
    assert main([str(rows), "--repos", str(smoke.parent), "--store", str(tmp_path / "store"), "--embed-all"]) == 0
    title, head, *lines = capsys.readouterr().out.splitlines()
    assert "3 rows" in title
    assert head.split() == ["bash", "python", "all", "python,", "or", "where", "defined"]
    table = {line.split()[0]: [float(word) for word in line.split()[1:] if word != "/"] for line in lines}
    assert set(table) == {"BM25", "embeddings", "hybrid"}
    for shares in table.values():
        assert len(shares) == 12
        for at_one, at_five, at_ten in (shares[:3], shares[3:6], shares[6:9], shares[9:]):
            assert 0 <= at_one <= at_five <= at_ten <= 100
    assert table["hybrid"][8] == 100  # a repository of a dozen files


def test_embeddings_alone_are_left_out_if_few_are_there(smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(written(tmp_path / "rows.jsonl")), "--repos", str(smoke.parent)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]] == ["BM25", "hybrid"]


def test_rows_without_a_ground_truth(smoke: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(written(tmp_path / "rows.jsonl", without="output")), "--repos", str(smoke.parent)]) == 2
    assert capsys.readouterr().err.endswith("rows.jsonl:1 has no column output\n")
