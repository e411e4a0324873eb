import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ml_agent.policies.grounded.compose import Line
from ml_agent.policies.grounded.repair import findings_of_run, keeps_most, repair
from ml_agent.repo.index import RepoIndex
from ml_agent.verify import verify
from tests.policies.grounded.support import command, flag, line, option, program, tree, write

TRAIN = """\
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--lr", "-l", type=float, default=0.1)
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--loss", choices=["hinge", "log loss", "squared"], default="hinge")
parser.add_argument("--layers", type=int, choices=[1, 2, 4], default=1)
parser.add_argument("--corpus", required=True)
parser.add_argument("--fast", action="store_true")
parser.add_argument("wav")
args = parser.parse_args()
print("trained on", args.corpus, args.wav)
"""


def folder(tmp_path: Path, path: str = "train.py") -> Path:
    return write(tmp_path, {path: TRAIN, "README.md": "# Songs\n"})


def typed(root: Path, text: str, workdir: str = ".", path: str = "train.py") -> Line:
    """The line that somebody typed, understood with what is read of the program."""
    found = RepoIndex(root).entry_point(path)
    assert found is not None
    words = tuple(text.split(" "))
    index = next(i for i, w in enumerate(words) if w.endswith(".py"))
    return line("", found, command(text, words=words, target=path, target_index=index, workdir=workdir))


def run(root: Path, made: Line) -> subprocess.CompletedProcess[str]:
    code = made.answer().code.replace("python ", f"{sys.executable} ", 1)
    return subprocess.run(["bash", "-c", code], cwd=root / made.workdir, capture_output=True, text=True, timeout=20, check=False)


def mended_by_runs(root: Path, made: Line, own: frozenset[str] = frozenset()) -> str:
    """Run, repair what the real output says is wrong, and again, until it works."""
    for _ in range(3):
        done = run(root, made)
        if done.returncode == 0:
            break
        changed = repair(made, findings_of_run(done.stdout + done.stderr, own))
        assert changed is not None, done.stderr
        made = changed
    assert run(root, made).returncode == 0
    return made.answer().as_text()


def mended_by_checks(root: Path, made: Line) -> str:
    """Check, repair what verification finds, and again, until it passes."""
    for _ in range(3):
        check = verify(made.answer(), RepoIndex(root))
        if check.ok:
            break
        changed = repair(made, [asdict(f) for f in check.findings])
        assert changed is not None, check
        made = changed
    assert verify(made.answer(), RepoIndex(root)).ok
    return made.answer().as_text()


GOOD = "python train.py a.wav --corpus tiny"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (f"{GOOD} --leraning-rate 0.1", GOOD),
        (f"{GOOD} --leraning-rate=0.1 --fast", f"{GOOD} --fast"),
        (f"{GOOD} --loss hinges", f"{GOOD} --loss hinge"),
        (f"{GOOD} --loss=hinges", f"{GOOD} --loss=hinge"),
        (f"{GOOD} --layers 3", f"{GOOD} --layers 2"),
        (f"{GOOD} --epochs 0.5", GOOD),
        (f"{GOOD} -l much", GOOD),
        (f"{GOOD} b.wav", GOOD),
        ("python train.py a.wav --epochs 2", "python train.py a.wav --epochs 2 --corpus YOUR_CORPUS"),
        ("python train.py --corpus tiny", "python train.py --corpus tiny YOUR_WAV"),
        ("python train.py", "python train.py --corpus YOUR_CORPUS YOUR_WAV"),
    ],
)
def test_what_argparse_really_says(tmp_path: Path, wrong: str, right: str) -> None:
    """What the program complains of at run time is mended so that it starts."""
    root = folder(tmp_path)
    made = typed(root, wrong)
    # `build` adds what is required already; take that out again
    made.items = [i for i in made.items if set(i.words()) <= {w for word in wrong.split() for w in (word, word.partition("=")[2])}]
    repaired = mended_by_runs(root, made)
    if "--layers" in wrong:
        assert repaired.split("--layers ")[1] in ("1", "2", "4")
    else:
        assert sorted(repaired.split()) == sorted(right.split())


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (f"{GOOD} --epocs 3", f"{GOOD} --epochs 3"),
        (f"{GOOD} --epocs=3", f"{GOOD} --epochs=3"),
        (f"{GOOD} --qqqqqqqqqq 3", GOOD),
        (f"{GOOD} --loss hinges", f"{GOOD} --loss hinge"),
        (f"{GOOD} --loss=hinges", f"{GOOD} --loss=hinge"),
        (f"{GOOD} --epochs half", GOOD),
        (f"{GOOD} b.wav", GOOD),
    ],
)
def test_what_verification_finds(tmp_path: Path, wrong: str, right: str) -> None:
    root = folder(tmp_path)
    assert mended_by_checks(root, typed(root, wrong)) == right


def test_missing_options_that_verification_finds(tmp_path: Path) -> None:
    root = folder(tmp_path)
    made = typed(root, "python train.py")
    made.items = []
    assert mended_by_checks(root, made) == "python train.py --corpus YOUR_CORPUS YOUR_WAV"


def test_a_choice_of_several_words(tmp_path: Path) -> None:
    root = folder(tmp_path)
    for mend in (mended_by_runs, mended_by_checks):
        made = typed(root, f"{GOOD} --loss x")
        made.items[-1].values = ["log los"]
        assert mend(root, made) == f"{GOOD} --loss 'log loss'"


def test_a_wrong_folder(tmp_path: Path) -> None:
    root = folder(tmp_path, "music/train.py")
    (root / "docs").mkdir()
    made = typed(root, "python train.py a.wav --corpus tiny", workdir="docs", path="music/train.py")
    assert mended_by_checks(root, made) == "cd music && python train.py a.wav --corpus tiny"
    made.prefix = ["python", "train.py"]
    assert mended_by_runs(root, made) == "cd music && python train.py a.wav --corpus tiny"


def test_a_module_is_started_from_the_root(tmp_path: Path) -> None:
    made = line("", program(path="music/train.py", run=("python", "-m", "music.train")))
    made.workdir = "music"
    changed = repair(made, [{"kind": "program", "place": "music.train", "suggestion": None}])
    assert changed is not None
    assert changed.answer().as_text() == "python -m music.train"
    assert repair(changed, [{"kind": "program", "place": "music.train", "suggestion": None}]) is None


def test_a_file_that_is_read_from_the_root(tmp_path: Path) -> None:
    files = {"music/train.py": "import json\njson.load(open('music/conf.json'))\n", "music/conf.json": "{}", "README.md": ""}
    root = write(tmp_path, files)
    made = line("", program(path="music/train.py"))
    assert mended_by_runs(root, made) == "python music/train.py"


def test_a_module_of_the_repository_that_is_not_found(tmp_path: Path) -> None:
    root = write(tmp_path, {"music/train.py": "import tunes\n", "tunes/__init__.py": ""})
    made = line("", program(path="music/train.py"))
    assert mended_by_runs(root, made, frozenset({"tunes"})) == "cd music && export PYTHONPATH=.. && python train.py"


def test_a_module_of_somebody_else_is_nothing_to_repair(tmp_path: Path) -> None:
    root = write(tmp_path, {"train.py": "import nosuchmodule\n"})
    done = run(root, line("", program()))
    assert findings_of_run(done.stderr, frozenset({"tunes"})) == []


@pytest.mark.parametrize(
    ("output", "found"),
    [
        ("Error: Missing option '--corpus'.", [("missing", "--corpus", None)]),
        ("Error: Missing option '--corpus' / '-c'. Choose from:\n\ta", [("missing", "--corpus", None)]),
        ("Error: No such option: --epocs Did you mean --epochs?", [("option", "--epocs", "--epochs")]),
        ("Error: No such option: --epocs. Did you mean --epochs?", [("option", "--epocs", "--epochs")]),
        ("Error: No such option '--epocs'.", [("option", "--epocs", None)]),
        ("t.py: error: argument --loss: invalid choice: 'x y' (choose from 'a', 'x z')", [("value", "--loss x y", "x z")]),
        ("t.py: error: argument --loss: invalid choice: 'a' (choose from a2, c)", [("value", "--loss a", "a2")]),
        ("t.py: error: unrecognized arguments: --a b", [("option", "--a", None), ("positional", "b", None)]),
        ("ValueError: no idea", []),
        ("", []),
    ],
)
def test_what_other_versions_and_frameworks_say(output: str, found: list[tuple[str, str, str | None]]) -> None:
    """The messages of click 8.1 and of argparse before and after Python 3.12."""
    made = findings_of_run(output, frozenset())
    assert [(f["kind"], f["place"]) for f in made] == [(kind, place) for kind, place, _ in found]
    for finding, (_, _, suggestion) in zip(made, found, strict=True):
        assert finding["suggestion"] == suggestion


def finding(kind: str, place: str, suggestion: str | None = None, **fields: Any) -> Mapping[str, Any]:
    return {"kind": kind, "place": place, "suggestion": suggestion, "source": "train.py:5", "severity": "error", **fields}


MADE = program(option("--lr", type="float"), flag("--fast"), option("--epochs", type="int"))


@pytest.mark.parametrize(
    "findings",
    [
        [],
        [finding("option", "--nosuch")],
        [finding("value", "--nosuch 3")],
        [finding("value", "3")],
        [finding("positional", "x")],
        [finding("missing", "wav")],
        [finding("missing", "--lr")],
        [finding("syntax", "--lr")],
        [finding("nothing", "")],
        [finding("option", "--lr", severity="warning")],
        [finding("folder", "")],
    ],
)
def test_nothing_can_be_done(findings: list[Mapping[str, Any]]) -> None:
    assert repair(line("", MADE, command("python train.py --lr 0.5")), findings) is None


def test_the_line_itself_is_not_changed() -> None:
    made = line("", MADE, command("python train.py --lr 0.5 --epochs 2"))
    before = made.answer()
    changed = repair(
        made, [finding("option", "--lr"), finding("value", "--epochs 2", "--epochs 3"), finding("import", "x"), finding("missing", "--new")]
    )
    assert changed is not None
    assert made.answer() == before
    assert changed.answer().code == "export PYTHONPATH=. && python train.py --epochs 3 --new YOUR_NEW"


def test_a_suggestion_that_is_given_already_is_not_given_twice() -> None:
    changed = repair(line("", MADE, command("python train.py --rate 0.5 --lr 0.1")), [finding("option", "--rate", "--lr")])
    assert changed is not None
    assert changed.answer().code == "python train.py --lr 0.1"


def test_repairs_have_a_source() -> None:
    changed = repair(
        line("", MADE, command("python train.py --epocs 2 --lr 1")),
        [finding("option", "--epocs", "--epochs"), finding("value", "--lr 1", "--lr 2")],
    )
    assert changed is not None
    epochs = next(o for o in MADE.options if o.name == "--epochs")
    assert {(e.part, e.source) for e in changed.answer().evidence} >= {("--epochs 2", epochs.source), ("--lr 2", "train.py:5")}


def test_the_module_path_is_set_once() -> None:
    once = repair(line("", MADE), [finding("import", "tunes")])
    assert once is not None
    assert repair(once, [finding("import", "tunes")]) is None


def test_nothing_is_written(tmp_path: Path) -> None:
    root = folder(tmp_path)
    before = tree(root)
    mended_by_checks(root, typed(root, f"{GOOD} --epocs 3"))
    assert tree(root) == before


def test_another_option_is_no_slip() -> None:
    made = program(option("--d_dir"), option("--owl-name"), prefixes=False)
    for given, meant, expected in (
        ("--owl_dir x", "--d_dir", "python train.py"),
        ("--owl x", "--owl-name", "python train.py --owl-name x"),
        ("--owl-nmae x", "--owl-name", "python train.py --owl-name x"),
    ):
        changed = repair(line("", made, command(f"python train.py {given}")), [finding("option", given.split()[0], meant)])
        assert changed is not None
        assert changed.answer().code == expected


def test_a_repair_that_takes_most_of_a_line() -> None:
    whole = line("", program(open_ended=True), command("python train.py --a 1 --b 2 --c 3 --d 4"))
    gone = repair(whole, [finding("option", f"--{letter}") for letter in "abc"])
    fewer = repair(whole, [finding("option", f"--{letter}") for letter in "ab"])
    assert gone is not None
    assert fewer is not None
    assert (keeps_most(whole, gone), keeps_most(whole, fewer), keeps_most(whole, whole)) == (False, True, True)
    more = repair(gone, [finding("missing", "--x"), finding("missing", "--y")])
    assert more is not None
    assert not keeps_most(whole, more)  # what is put in makes up for nothing
