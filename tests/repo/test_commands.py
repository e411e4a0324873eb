from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.commands import Command, read_commands
from ml_agent.repo.documents import read_documents
from ml_agent.repo.files import walk


def read(root: Path, files: dict[str, str]) -> tuple[Command, ...]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    table = walk(root)
    return read_commands(table, read_documents(table))


def block(*lines: str, language: str = "bash", before: str = "") -> str:
    return "\n".join([before, f"```{language}", *lines, "```", ""])


def test_everything_about_a_command(tmp_path: Path) -> None:
    code = ("D=a", "# the small one", "CUDA_VISIBLE_DEVICES=0 python -u train.py --data $D \\", "    --out ${OUT}", "ls")
    readme = "# Top\n\n## Train\n\nTrains on a:\n" + block(*code)
    (command,) = read(tmp_path, {"README.md": readme, "train.py": ""})
    assert command == Command(
        words=("python", "-u", "train.py", "--data", "a", "--out", "$OUT"),
        target="train.py",
        target_index=2,
        workdir=".",
        source="README.md:10",
        headings=("Top", "Train"),
        intro="Trains on a: the small one",
        text=command.text,
        environment=(("CUDA_VISIBLE_DEVICES", "0"),),
        variables=("OUT",),
    )
    assert command.text.split() == ["CUDA_VISIBLE_DEVICES=0", "python", "-u", "train.py", "--data", "$D", "--out", "${OUT}"]
    assert command.arguments == ("--data", "a", "--out", "$OUT")


@pytest.mark.parametrize(
    ("text", "words", "index"),
    [
        ("train.py --x 1", ("python", "train.py", "--x", "1"), 1),
        ("run.sh a", ("bash", "run.sh", "a"), 1),
        ("nohup train.py --x", ("nohup", "python", "train.py", "--x"), 2),
        ("./train.py --x", ("./train.py", "--x"), 0),
        ("uv run train.py --x", ("uv", "run", "train.py", "--x"), 2),
    ],
)
def test_a_bare_program_is_started_by_its_interpreter(tmp_path: Path, text: str, words: tuple[str, ...], index: int) -> None:
    (command,) = read(tmp_path, {"README.md": block(text), "train.py": "", "run.sh": ""})
    assert (command.words, command.target_index, command.text) == (words, index, text)


def test_a_command_that_the_repository_installs(tmp_path: Path) -> None:
    files = {"pyproject.toml": '[project.scripts]\ntool = "pkg.cli:main"\n', "pkg/__init__.py": "", "pkg/cli.py": "def main(): pass\n"}
    (command,) = read(tmp_path, {**files, "README.md": block("CUDA_VISIBLE_DEVICES=0 tool a.wav --model x", "tool 1.0", "other --x")})
    assert (command.target, command.target_index, command.arguments) == ("pkg/cli.py", 0, ("a.wav", "--model", "x"))


@pytest.mark.parametrize(
    ("document", "text", "target", "workdir"),
    [
        ("README.md", "python a/train.py", "a/train.py", "."),
        ("README.md", "cd a && python train.py", "a/train.py", "a"),
        ("README.md", "cd checkout/a\npython train.py", "a/train.py", "a"),
        ("README.md", "cd /home/me/checkout/a; python train.py", "a/train.py", "a"),
        ("README.md", "python only.py", "b/c/only.py", "b/c"),
        ("README.md", "python c/only.py", "b/c/only.py", "b"),
        ("README.md", "python checkout/root.py", "root.py", "."),
        ("README.md", "python $HERE/a/train.py", "a/train.py", "."),
        ("README.md", "python <folder>/root.py", "root.py", "."),
        ("a/README.md", "python train.py", "a/train.py", "a"),
        ("a/README.md", "python root.py", "root.py", "."),
        ("a/README.md", "python a/train.py", "a/train.py", "."),
        ("a/README.md", "cd ..\npython root.py", "root.py", "."),
        ("b/c/README.md", "python tool.py", "b/tool.py", "b"),
        ("b/c/README.md", "python train.py", "b/train.py", "b"),
        ("docs/guide.md", "python -m pkg.run --x", "pkg/run.py", "."),
        ("docs/guide.md", "python -m pkg", "pkg/__main__.py", "."),
        ("docs/guide.md", "python -m inner.run", "src/inner/run.py", "."),
        ("docs/guide.md", "torchrun --nproc_per_node 2 a/train.py", "a/train.py", "."),
        ("README.md", "bash scripts/run.sh", "scripts/run.sh", "."),
        ("README.md", "cd $UNKNOWN && python only.py", "b/c/only.py", "b/c"),
    ],
)
def test_the_folder_is_one_that_makes_the_program_exist(tmp_path: Path, document: str, text: str, target: str, workdir: str) -> None:
    paths = [
        "root.py",
        "a/train.py",
        "b/train.py",
        "b/tool.py",
        "b/c/only.py",
        "pkg/run.py",
        "pkg/__main__.py",
        "src/inner/run.py",
        "scripts/run.sh",
    ]
    (command,) = read(tmp_path / "checkout", {**dict.fromkeys(paths, ""), document: block(*text.split("\n"))})
    assert (command.target, command.workdir) == (target, workdir)


@pytest.mark.parametrize(
    "text",
    ["python train.py", "python nosuch.py", "python ../../etc/x.py", "pip install a", "python /etc/passwd", "train", "python other/c.py"],
)
def test_what_is_not_one_program_of_the_repository(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, {"a/train.py": "", "b/train.py": "", "c.py": "", "README.md": block(text)}) == ()


def test_a_section_is_read_in_one_terminal(tmp_path: Path) -> None:
    readme = "# A\n" + block("cd a") + block("python train.py") + "# B\n" + block("python train.py")
    commands = read(tmp_path, {"a/train.py": "", "train.py": "", "README.md": readme})
    assert [(c.target, c.workdir) for c in commands] == [("a/train.py", "a"), ("train.py", ".")]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("", "python train.py --x 1"),
        ("console", "$ python train.py --x 1\nEpoch 1"),
        ("sh", "% python train.py --x 1"),
        ("python", "import os\n!python train.py --x 1"),
        ("bash", "bash -c 'python train.py --x 1'"),
        ("bash", "python train.py --x 1 [--gpu GPU] ..."),
        ("bash", "python train.py --x 1 | tee log.txt"),
        ("bash", "if true; then python train.py --x 1 > log; fi"),
        ("python", "python train.py --x 1"),
        ("python", "$ accelerate launch train.py --x 1"),
        ("python", ">>> python3 train.py --x 1"),
        ("1024 points", "python train.py --x 1"),
        ("$", "python train.py --x 1"),
        ("bash", "python train.py\n# how many\n--x 1"),
        ("bash", "docker run --gpus all -v $PWD:/app image python3 train.py --x 1"),
        ("bash", "sudo nvidia-docker run -it image:latest python train.py --x 1"),
        ("bash", "python /path/to/train.py --x 1"),
        ("bash", "python /path_to_owl/train.py --x 1"),
        ("bash", "owl/models $> python train.py --x 1"),
        ("bash", "python -m torchelastic.distributed.launch --nnodes=2 train.py --x 1"),
    ],
)
def test_languages_and_wrappings(tmp_path: Path, language: str, code: str) -> None:
    (command,) = read(tmp_path, {"train.py": "", "README.md": block(*code.split("\n"), language=language)})
    assert command.arguments == ("--x", "1")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", 'text = """\npython train.py --x 1\n"""'),
        ("python", "python = 'train.py'"),
        ("json", '{"python": "train.py"}'),
        ("yaml", "python train.py"),
    ],
)
def test_other_languages(tmp_path: Path, language: str, code: str) -> None:
    assert read(tmp_path, {"train.py": "", "README.md": block(code, language=language)}) == ()


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("--data <your data>", ("--data", "<your data>")),
        ("--data=<name> --x", ("--data=<name>", "--x")),
        ('--data "<a b>"', ("--data", "<a b>")),
        ("--n {1,2}", ("--n", "{1,2}")),
        ("--list [1,2]", ("--list", "[1,2]")),
        ("[--opt [OPT]] --y", ("--y",)),
        ("< in.txt > out.txt", ()),
    ],
)
def test_placeholders(tmp_path: Path, written: str, arguments: tuple[str, ...]) -> None:
    (command,) = read(tmp_path, {"train.py": "", "README.md": block(f"python train.py {written}")})
    assert command.arguments == arguments


def test_inline_commands(tmp_path: Path) -> None:
    readme = "# A\n\nRun `python train.py --x 1` or ``./run.sh``; see `train.py` and `python`.\n\n```\n`python train.py --no`\n```\n"
    commands = read(tmp_path, {"train.py": "", "run.sh": "", "README.md": readme})
    assert [(c.words, c.source, c.headings) for c in commands] == [
        (("python", "train.py", "--x", "1"), "README.md:3", ("A",)),
        (("./run.sh",), "README.md:3", ("A",)),
    ]


def test_a_command_in_a_quotation(tmp_path: Path) -> None:
    readme = "# Top\n\nRun:\n\n> python train.py --x 1 \\\n> --y 2\n\n## Next\n\npython train.py will train.\n"
    (command,) = read(tmp_path, {"train.py": "", "README.md": readme})
    assert (command.arguments, command.source, command.headings) == (("--x", "1", "--y", "2"), "README.md:5", ("Top",))


def test_what_a_program_says_of_itself(tmp_path: Path) -> None:
    head = (
        '#!/usr/bin/env python\n"""Usage:\nTrains an owl.\n\n    $ python owls/train.py --x 1 \\\n        --y 2\n    python other.py\n"""\n'
    )
    (command,) = read(tmp_path, {"owls/train.py": head, "other.py": "", "owls/late.py": 'x = 1\n"""\npython owls/late.py --x 1\n"""\n'})
    assert (command.arguments, command.source, command.workdir) == (("--x", "1", "--y", "2"), "owls/train.py:5", ".")
    assert command.intro == "Trains an owl."


def test_scripts(tmp_path: Path) -> None:
    script = "#!/bin/bash\n# the big run\nfor m in a b; do\n  python -u train.py --model $m --seed $1\ndone\npython other.py\n"
    (command,) = read(tmp_path, {"train.py": "", "scripts/x/run.sh": script})
    assert (command.target, command.workdir, command.source) == ("train.py", ".", "scripts/x/run.sh:4")
    assert command.arguments == ("--model", "a", "--seed", "$1")
    assert (command.loops, command.variables) == ((("m", ("a", "b")),), ())  # nobody can set `$1` by name


def test_documents_come_before_scripts(tmp_path: Path) -> None:
    commands = read(tmp_path, {"train.py": "", "a.sh": "python train.py 2", "README.md": block("python train.py 1")})
    assert [c.arguments for c in commands] == [("1",), ("2",)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["python train.py", "$ ", "cd a", "\n", " <x y> ", "`", "[--a", "]", "!", "%cd a", "'", "\\\n", "> ", "--b ", "|", "(", ")"]
        ),
        max_size=20,
    )
)
def test_any_block(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    text = "".join(pieces).replace("```", "")
    root = tmp_path_factory.mktemp("r")
    for command in read(root, {"train.py": "", "a/train.py": "", "README.md": f"text {text}\n\n```\n{text}\n```\n"}):
        assert (root / command.target).is_file()
        assert (root / command.workdir).is_dir()
        assert command.words[command.target_index].endswith("train.py")
        assert not any("\ue000" <= c <= "\ue008" for c in command.text + "".join(command.words))


BELLS = "bin/bell: bell.c\n\tgcc bell.c -o bin/bell\n"


def test_a_program_that_the_repository_builds(tmp_path: Path) -> None:
    readme = "# Bells\n\n```bash\nmake\nbin/bell -min-weight 3 < tower.txt > rung.txt\nbin/other -x 1\n./bell -x 1\n```\n"
    found = read(tmp_path, {"Makefile": BELLS, "bell.c": "int main() {}\n", "README.md": readme})
    assert [(c.target, c.workdir, c.arguments, c.redirects) for c in found] == [
        ("bin/bell", ".", ("-min-weight", "3"), (("<", "tower.txt"), (">", "rung.txt"))),
        ("bell", ".", ("-x", "1"), ()),
    ]


def test_a_program_outside_is_not_one_that_is_built(tmp_path: Path) -> None:
    readme = "```bash\n/usr/bin/bell -x 1\n../bin/bell -x 1\nbell -x 1\n```\n"
    assert read(tmp_path, {"Makefile": BELLS, "README.md": readme}) == ()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ('python train.py --lr 0.1 "$@"', ("python", "train.py", "--lr", "0.1")),
        ("python train.py $* --fast", ("python", "train.py", "--fast")),
        ("python train.py ${@:2} --fast", ("python", "train.py", "--fast")),
        ("python train.py --data [the data --fast]", ("python", "train.py", "--data", "[the", "data", "--fast]")),
        (
            "python train.py --data [your data folder] --fast",
            ("python", "train.py", "--data", "[your data folder]", "--fast"),
        ),
        ("python train.py --data [the path]/a.csv", ("python", "train.py", "--data", "[the path]/a.csv")),
        ("python train.py --sizes [1, 2]", ("python", "train.py", "--sizes", "[1,", "2]")),
    ],
)
def test_what_is_handed_on_and_placeholders_of_several_words(tmp_path: Path, written: str, words: tuple[str, ...]) -> None:
    (found,) = read(tmp_path, {"run.sh": written + "\n", "train.py": ""})
    assert found.words == words
    assert found.variables == ()


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ("python train.py corpora=[names of corpora, comma separated]", "corpora=[names of corpora, comma separated]"),
        ("python train.py out={path to the output file}", "out={path to the output file}"),
        ("python train.py --lamps {the lamp's own 'key' (see below)}", "--lamps|{the lamp's own 'key' (see below)}"),
        ('python train.py files=["{pattern of the files}"]', 'files=["{pattern of the files}"]'),
        ("python train.py [{lamps, in order}]", "[{lamps, in order}]"),
        ("python train.py --x <path to file>", "--x|<path to file>"),
        ("python train.py {a,b}.txt 'x {a b}'", "{a,b}.txt|x {a b}"),
        ("python train.py [more --lr 0.1]", "[more|--lr|0.1]"),
    ],
)
def test_a_placeholder_of_several_words_is_one(tmp_path: Path, text: str, argument: str) -> None:
    (command,) = read(tmp_path, {"README.md": block(text), "train.py": ""})
    assert "|".join(command.arguments) == argument


def test_a_module_of_a_package_that_is_installed_from_another_folder(tmp_path: Path) -> None:
    files = {"setup.py": 'setup(package_dir={"bird.tools": "tools"})', "bird/__init__.py": "", "tools/sing.py": ""}
    (command,) = read(tmp_path, {**files, "README.md": block("python -m bird.tools.sing --loud", "python -m bird.tools.fly")})
    assert (command.target, command.workdir, command.arguments) == ("tools/sing.py", ".", ("--loud",))
