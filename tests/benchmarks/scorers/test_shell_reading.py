import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.benchmarks.scorers.shell_reading import read_command, read_runs
from tests.pace import within

RUN = "python x.py --lr 1"


def programs(text: str, prefix: str = "") -> list[tuple[str | None, str, tuple[str, ...]]]:
    return [(run.folder, run.program, run.words) for run in read_runs(text, prefix)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RUN, [(".", "x.py", ("--lr", "1"))]),
        ("cd a && cd b && python x.py", [("a/b", "x.py", ())]),
        ("(cd a; python x.py); python y.py", [("a", "x.py", ()), (".", "y.py", ())]),
        ("python3 -u x.py \\\n  --lr 1", [(".", "x.py", ("--lr", "1"))]),
        ("python -m pkg.train --lr 1", [(".", "pkg/train.py", ("--lr", "1"))]),
        ("python -m torch.distributed.run --nproc_per_node=8 train.py --cfg a.yaml", [(".", "train.py", ("--cfg", "a.yaml"))]),
        ("bash run.sh moons", [(".", "run.sh", ("moons",))]),
        ("LR=1; python x.py --lr $LR", [(".", "x.py", ("--lr", "1"))]),
        ('bash -c "cd a && python x.py --lr 1"', [("a", "x.py", ("--lr", "1"))]),
        ("f() { python x.py; }; f", [(".", "x.py", ())]),
        ("for s in 1 2; do python x.py --seed $s; done", [(".", "x.py", ("--seed", "1"))]),
        ("python x.py | tee log; python y.py > out 2>&1", [(".", "x.py", ()), (".", "y.py", ())]),
        ("exec python x.py", [(".", "x.py", ())]),
        ("test -d a || mkdir a; python x.py", [(".", "x.py", ())]),
        ("mkdir a || exit 1; python x.py", [(".", "x.py", ())]),
        ("pip install y && python x.py", [(".", "x.py", ())]),
        ("mpiexec -n 4 python x.py --lr 1", [(".", "x.py", ("--lr", "1"))]),
        ("mpirun -c 2 nice -n 5 python -u x.py", [(".", "x.py", ())]),
        ("srun -n 2 python -m pkg.train", [(".", "pkg/train.py", ())]),
        ("nice -n 5 bash run.sh", [(".", "run.sh", ())]),
    ],
)
def test_what_is_run(text: str, found: list[tuple[str | None, str, tuple[str, ...]]]) -> None:
    assert programs(text) == found


NOT_RUN = [
    f"echo {RUN}",
    f"echo '{RUN}' | cat",
    f"exit 0; {RUN}",
    f"exit 0\n{RUN}",
    f"cd . && exit 0 && {RUN}",
    f"true || {RUN}",
    f"false && {RUN}",
    f"! true && {RUN}",
    f"[ -d nowhere ] && {RUN}",
    f"if false; then {RUN}; fi",
    f"while false; do {RUN}; done",
    f"case a in b) {RUN};; esac",
    f"for x in $NOTHING; do {RUN}; done",
    f"f() {{ {RUN}; }}",
    f"f() {{ exit 0; }}; f; {RUN}",
    f"{{ exit 0; }}; {RUN}",
    f"python() {{ :; }}; {RUN}",
    f"cat <<EOF\n{RUN}\nEOF",
    f"# {RUN}",
    f": {RUN}",
    f"set -n\n{RUN}",
    f"set -o noexec; {RUN}",
    f"PATH=.; {RUN}",
    f"shopt -s expand_aliases\nalias python=true\n{RUN}",
    f"hash -p /bin/true python; {RUN}",
    f"exec true; {RUN}",
    f"kill $$; {RUN}",
    f"bash -c 'exit 0; {RUN}'",
    "bash -n x.sh",
    "python -h x.py",
    "nice -n 5 bash -n x.sh",
    "nice -n 5 python -h x.py",
    f"python -c pass {RUN}",
    f"$ {RUN} (",
    f"{RUN} 'unclosed",
    f"if true; then exit 0; fi; {RUN}",
    "",
]


@pytest.mark.parametrize("text", NOT_RUN)
def test_what_is_not_surely_run(text: str) -> None:
    assert programs(text) == []


@pytest.mark.parametrize("text", [text for text in NOT_RUN if "kill" not in text and "PATH" not in text and "if true" not in text])
def test_bash_agrees_that_it_is_not_run(text: str, tmp_path: Path) -> None:
    """The texts above are no inventions: with a `python` that leaves a trace, bash does not start it."""
    (tmp_path / "python").write_text('#!/bin/sh\n[ "$1" = x.py ] && touch ran\nexit 0\n')
    (tmp_path / "python").chmod(0o755)
    (tmp_path / "x.sh").write_text("touch ran\n")
    subprocess.run(["bash", "-c", text], cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, timeout=20)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("make -C src all", (".", "make", ("-C", "src", "all"))),
        ("cd build && ./x --n 3", ("build", "./x", ("--n", "3"))),
        ("mkdir -p out; build/x a; build/y b", (".", "build/y", ("b",))),
        ("nohup mpirun -n 2 build/x a > log 2>&1 &", (".", "build/x", ("a",))),
        ("N=3; build/x --n $N", (".", "build/x", ("--n", "3"))),
        ("bash -c 'cd build && ./x a'", ("build", "./x", ("a",))),
        ("make() { cmake .; }; make all", (".", "cmake", (".",))),
        ("build/x() { echo no; }; build/x a", (".", "echo", ("no",))),
        ("f() { build/x a; }; f", (".", "build/x", ("a",))),
        ("echo build/x a", (".", "echo", ("build/x", "a"))),
    ],
)
def test_the_last_command_of_any_kind(text: str, found: tuple[str, str, tuple[str, ...]]) -> None:
    run = read_command(text)
    assert run is not None
    assert (run.folder, run.program, run.words) == found
    assert run.command
    assert read_runs(text) == ()


def test_a_program_is_no_other_command() -> None:
    run = read_command(f"build/x; {RUN}")
    assert run is not None
    assert (run.program, run.command) == ("x.py", False)
    assert [run.program for run in read_runs(f"{RUN}; build/x")] == ["x.py"]


NO_COMMAND = [
    "true || build/x a",
    "exit; build/x a",
    "exit 0\nbuild/x a",
    "exec true; build/x a",
    "false && build/x a",
    "if false; then build/x a; fi",
    "f() { build/x a; }",
    "f() { exit; }; f; build/x a",
    "build/x() { :; }; build/x a",
    "set -n; build/x a",
    "shopt -s expand_aliases\nalias x=true\nx a",
    "hash -p /bin/true x; x a",
    "PATH=/elsewhere; x a",
    "cat <<EOF\nbuild/x a\nEOF",
    "# build/x a",
    ": build/x a",
    "build/x 'a",
    "",
]


@pytest.mark.parametrize("text", NO_COMMAND)
def test_a_command_that_is_not_surely_run(text: str) -> None:
    run = read_command(text)
    assert run is None or run.program not in ("build/x", "x")


@pytest.mark.parametrize("text", [text for text in NO_COMMAND if "PATH" not in text])
def test_bash_agrees_that_the_command_is_not_run(text: str, tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    for name in ("x", "build/x"):
        (tmp_path / name).write_text("#!/bin/sh\ntouch ran\n")
        (tmp_path / name).chmod(0o755)
    subprocess.run(["bash", "-c", text], cwd=tmp_path, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, capture_output=True, timeout=20)
    assert not (tmp_path / "ran").exists()


def test_variables_that_were_set_before() -> None:
    found = programs("python x.py --file $DIR/a", "pip install y\nexport DIR='./model of mine'\nexit")
    assert found == [(".", "x.py", ("--file", "./model", "of", "mine/a"))]
    assert programs('python x.py --file "$DIR/a"', "export DIR='./m n'") == [(".", "x.py", ("--file", "./m n/a"))]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="python x.sh&|;()'\"$`\\\n{}<>#-=ecdif\u00e9\ud800", max_size=60))
def test_any_text_can_be_read(text: str) -> None:
    for run in read_runs(text):
        assert run.program


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(alphabet=st.characters(blacklist_characters="\0\r", blacklist_categories=["Cs"]), max_size=8), max_size=4))
def test_quoted_words_arrive_as_they_are(words: list[str]) -> None:
    import shlex

    (run,) = read_runs(shlex.join(["python", "x.py", *words]))
    assert list(run.words) == words


@pytest.mark.parametrize(
    "text",
    [
        f"{'true && ' * 20_000}{RUN}",
        f"{'true || ' * 5_000}{RUN}",
        f"{'(' * 5_000}{RUN}{')' * 5_000}",
        f"{'{ ' * 3_000}{RUN}{'; }' * 3_000}",
        f"{'if true; then ' * 2_000}{RUN}{'; fi' * 2_000}",
        f"{'! ' * 5_000}{RUN}",
        f"{RUN}; " * 5_000,
        f"bash -c {'bash -c ' * 2_000}",
        f"f() {{ f; f; }}; f; {RUN}",
        "".join(f"f{n}() {{ f{n + 1}; f{n + 1}; }}; " for n in range(40)) + f"f0; {RUN}",
        f"{'x' * 300_000}; {RUN}",
    ],
)
def test_hostile_texts_end_soon(text: str) -> None:
    with within(10):
        read_runs(text)
