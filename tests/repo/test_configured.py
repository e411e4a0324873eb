"""Settings that stand in files, where documented commands show that they can be set."""

from pathlib import Path

import pytest

from ml_agent.repo.configured import APART
from ml_agent.repo.entrypoints import EntryPoint, Option
from ml_agent.repo.index import RepoIndex
from ml_agent.repo.store import Store
from tests.pace import within

CONFIG = "train:\n  lr: 0.1  # how fast\n  eggs: 4\nnest:\n  kind: twigs\n  made: {}\n"
HOLDS = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument('-c', '--config')
parser.add_argument('-p', '--params', nargs='+')
parser.parse_args()
"""
TAKES_ALL = "import sys\nfrom tools import merge\nif __name__ == '__main__':\n    merge(sys.argv[1:])\n"


def read(root: Path, files: dict[str, str], path: str) -> EntryPoint:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    index = RepoIndex(root, store=Store(None), embedder=None)
    entry = index.entry_point(path)
    assert entry is not None
    return index.with_settings_files(entry)


def settings(entry: EntryPoint, host: str = APART) -> dict[str, Option]:
    return {option.name: option for option in dict(entry.settings).get(host, ())}


def shown(command: str) -> str:
    return f"# Owls\n\n```sh\n{command}\n```\n"


def test_below_the_option_that_holds_them(tmp_path: Path) -> None:
    files = {"run.py": HOLDS, "config.yaml": CONFIG, "README.md": shown("python run.py -c config.yaml -p train.eggs=3 nest.kind=moss")}
    found = settings(read(tmp_path, files, "run.py"), "--params")
    assert set(found) == {"train.lr", "train.eggs", "nest.kind"}
    assert (found["train.lr"].type, found["train.lr"].default, found["train.lr"].help) == ("float", "0.1", "how fast")


def test_below_a_name_of_its_own(tmp_path: Path) -> None:
    files = {"run.py": HOLDS, "a/config.yaml": CONFIG, "README.md": shown("python run.py -p config.train.eggs=3")}
    assert set(settings(read(tmp_path, files, "run.py"), "--params")) == {"config.train.lr", "config.train.eggs", "config.nest.kind"}


def test_assigned_words_reach_all_files_of_their_folder(tmp_path: Path) -> None:
    files = {
        "run.py": TAKES_ALL, "config/birds/owl.yaml": CONFIG, "config/default.json": '{"steps": 10, "_own_": 1}', "other/x.yaml": "y: 1\n",
        "README.md": shown("python run.py --bird=owl with train.eggs=3"),
    }  # fmt: skip
    found = settings(read(tmp_path, files, "run.py"))
    assert set(found) == {"train.lr", "train.eggs", "nest.kind", "steps"}
    assert all(option.assigned for option in found.values())


def test_sections_are_left_out_of_names_of_options(tmp_path: Path) -> None:
    text = "owls = {\n    'first': {'eggs': 3, 'wings': 2, 'speed': 0.5},\n}\n"
    files = {"run.py": TAKES_ALL, "config/birds.py": text, "README.md": shown("python run.py --eggs 3 --wings 2")}
    found = settings(read(tmp_path, files, "run.py"))
    assert set(found) == {"--eggs", "--wings", "--speed"}
    assert not any(option.assigned for option in found.values())


def test_one_name_may_be_there_by_chance(tmp_path: Path) -> None:
    files = {"run.py": TAKES_ALL, "config.yaml": CONFIG, "README.md": shown("python run.py --lr 3")}
    assert read(tmp_path, files, "run.py").settings == ()


def test_heaps_of_data_are_not_read(tmp_path: Path) -> None:
    """Nor do they keep files of settings from being read."""
    data = {f"data/{n:03}.json": "{" + ", ".join(f'"k{n}_{k}": {k}' for k in range(2_000)) + "}" for n in range(100)}
    files = {"run.py": TAKES_ALL, "settings/owls.yaml": CONFIG, **data, "README.md": shown("python run.py train.eggs=3")}
    with within(2):
        assert set(settings(read(tmp_path, files, "run.py"))) == {"train.lr", "train.eggs", "nest.kind"}


MADE = """
import argparse, json
parser = argparse.ArgumentParser()
parser.add_argument('--config', default='config.yaml')
for name in json.load(open(parser.parse_known_args()[0].config)):
    parser.add_argument('--' + name)
parser.parse_args()
"""


@pytest.mark.parametrize("given", ["--config config.yaml", ""])
def test_options_that_are_made_of_a_file_are_its_keys(tmp_path: Path, given: str) -> None:
    files = {"run.py": MADE, "config.yaml": CONFIG, "other.yaml": "y: 1\n", "README.md": shown(f"python run.py {given}")}
    assert set(settings(read(tmp_path, files, "run.py"))) == {"--train.lr", "--train.eggs", "--nest.kind"}


def test_programs_beside_it_show_more(tmp_path: Path) -> None:
    files = {"a/run.py": TAKES_ALL, "a/try.py": TAKES_ALL, "b/run.py": TAKES_ALL, "config.yaml": CONFIG}
    readme = shown("python a/run.py --name x\npython a/try.py --lr 3 --eggs 5\npython b/run.py --name y")
    assert set(settings(read(tmp_path / "one", {**files, "README.md": readme}, "a/run.py"))) == {"--lr", "--eggs"}
    assert settings(read(tmp_path / "two", {**files, "README.md": readme}, "b/run.py")) == {}


@pytest.mark.parametrize(
    "program", ["echo $1\n", "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr')\np.parse_args()\n"]
)
def test_what_is_known_is_left_as_it_is(tmp_path: Path, program: str) -> None:
    path = "run.sh" if "echo" in program else "run.py"
    start = "bash" if "echo" in program else "python"
    files = {path: program, "config.yaml": CONFIG, "README.md": shown(f"{start} {path} --lr 3 --l 4 --eggs 2 --kind x nest.kind=y")}
    assert read(tmp_path, files, path).settings == ()
