"""Programs and configurations that try to keep the reader busy, or to make it fall over."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pace import within
from tests.repo.entrypoints.programs import read_all, read_program

_GUARD = "\nif __name__ == '__main__':\n    main()\n"

PROGRAMS = {
    "a group in itself": "import click\n@click.group()\ndef main(): ...\nmain.add_command(main, 'again')\n",
    "two groups in each other": "import click\n@click.group()\ndef main(): ...\n@click.group()\ndef b(): ...\n"
    "main.add_command(b)\nb.add_command(main, 'm')\n",
    "an app in itself": "import typer\nmain = typer.Typer()\nmain.add_typer(main, name='x')\n@main.command()\ndef f(): ...\n",
    "a decorator that calls itself": "import click\ndef deco(f):\n    return deco(click.option('--a')(f))\n"
    "@click.command()\n@deco\ndef main(): ...\n",
    "decorators without end": "import click\n" + "@click.option('--a')\n" * 3000 + "def main(): ...\n",
    "a class that is its own base": "import fire\nclass A(A):\n    def __init__(self, x=1):\n        self.me = A()\n"
    "def main():\n    fire.Fire(A)\n",
    "dataclasses in each other": "import tyro\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    b: 'B'\n    x: int = 1\n"
    "@dataclass\nclass B:\n    a: A\ndef main():\n    tyro.cli(A)\n",
    "bases in each other": "from transformers import HfArgumentParser\nclass A(B): x: int = 1\nclass B(A): y: int = 2\n"
    "def main():\n    HfArgumentParser(A).parse_args_into_dataclasses()\n",
    "annotations nested deeply": f"import typer\ndef main(x: {'Optional[' * 90}int{']' * 90} = None): ...\ntyper.run(main)\n",
    "an annotation in quotes in quotes": "import typer\ndef main(x: '\"\\'int\\'\"' = 1): ...\ntyper.run(main)\n",
    "a loop over itself": "import click\ndef main():\n    while True:\n        main()\n        click.echo()\n",
    "many settings": "import optparse\np = optparse.OptionParser()\n"
    + "p.add_option('--a')\n" * 4000
    + "def main():\n    p.parse_args()\n",
    "a huge number": "import click\n@click.command()\n@click.option('--a', nargs=10**9, type=(int,) * 10**9)\ndef main(a): ...\n",
    "wraps in a circle": "import click, functools\n@functools.wraps(main)\n@click.option('--a')\ndef main(): ...\n"
    "@functools.wraps(main)\ndef main(): ...\n",
}


@pytest.mark.parametrize("code", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_programs(tmp_path: Path, code: str) -> None:
    with within(5, time.perf_counter):
        entry = read_program(tmp_path, code + _GUARD)
        assert len(entry.options) <= 10_000


CONFIGURATIONS = {
    "defaults in a circle": {
        "c.yaml": "defaults:\n  - c\n  - a: x\n",
        "a/x.yaml": "defaults:\n  - y\n",
        "a/y.yaml": "defaults:\n  - x\n  - /c\n",
    },
    "a thousand laughs": {
        "c.yaml": "a: &a [1]\n" + "".join(f"b{i}: &b{i} {{x: *{p}, y: *{p}}}\n" for i, p in enumerate(["a", *(f"b{j}" for j in range(60))]))
    },
    "in itself": {"c.yaml": "a: &a\n  b: *a\n  c: &c [*c]\n  <<: *a\n"},
    "deep": {"c.yaml": "{a: " * 3000 + "1" + "}" * 3000},
    "deeper": {"c.yaml": "".join(" " * i + "a:\n" for i in range(800))},
    "no mapping": {"c.yaml": "- 1\n- 2\n"},
    "not even that": {"c.yaml": "a: [\n"},
    "tags": {"c.yaml": "!!python/object/apply:os.system ['touch hacked']\n"},
    "long": {"c.yaml": "a: 1\n" * 200_000},
    "many": {"c.yaml": "".join(f"a{i}: 1\n" for i in range(20_000))},
    "upwards": {"c.yaml": "defaults:\n  - ../../../../etc/passwd\n  - ../x: y\n"},
    "no list": {"c.yaml": "defaults: 3\nb: 1\n"},
    "strange entries": {"c.yaml": "defaults:\n  - null\n  - [1]\n  - {a: {b: c}}\n  - {'@': x}\n  - 'override '\n"},
}
_MAIN = "import hydra\n@hydra.main(config_path='.', config_name='c')\ndef main(cfg): ...\n" + _GUARD


@pytest.mark.parametrize("files", CONFIGURATIONS.values(), ids=CONFIGURATIONS.keys())
def test_configurations(tmp_path: Path, files: dict[str, str]) -> None:
    with within(5, time.perf_counter):
        entry = read_all(tmp_path, {"train.py": _MAIN, **files})["train.py"]
        assert entry.kind == "hydra"
        assert len(entry.options) <= 5_000
    assert not (tmp_path / "hacked").exists()


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="abc:-[]{}&*!?~'\"\n #@_/.", max_size=120))
def test_any_configuration_is_read(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("conf")
    assert read_all(folder, {"train.py": _MAIN, "c.yaml": text, "a/b.yaml": "x: 1\n"})["train.py"].kind == "hydra"


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    files = {
        f"m{i}.py": f"import click\nfrom m{(i + 1) % 30} import *\nfrom m{(i + 7) % 30} import cli{(i + 7) % 30}\n"
        f"@click.group()\ndef cli{i}(): ...\ncli{i}.add_command(cli{(i + 7) % 30})\nif __name__ == '__main__':\n    cli{i}()\n"
        for i in range(30)
    }
    with within(20, time.perf_counter):
        found = read_all(tmp_path, files)
        assert {e.kind for e in found.values()} == {"click"}


def test_a_program_of_a_megabyte(tmp_path: Path) -> None:
    text = "import click\n@click.command()\n@click.option('--a')\ndef main(a): ...\n" + "x = [1, 2, 3]\n" * 60_000 + _GUARD
    with within(10, time.perf_counter):
        read_program(tmp_path, text)
