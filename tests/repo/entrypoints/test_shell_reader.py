from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import EntryPoint, Option
from tests.repo.entrypoints.programs import read_program


def script(tmp_path: Path, text: str) -> EntryPoint:
    return read_program(tmp_path, text, path="run.sh")


def test_positional_parameters(tmp_path: Path) -> None:
    entry = script(
        tmp_path,
        r"""
        #!/bin/bash
        # Trains a model.
        DATASET=$1
        LR="${2:-0.01}"
        if [ -n "$3" ]; then SEED=$3; fi
        awk '{print $4}' file
        helper() { echo $5; }
        python train.py --data "$DATASET" --lr $LR
        """.strip(),
    )
    assert (entry.kind, entry.run, entry.description, entry.open_ended) == ("shell", ("bash", "run.sh"), "Trains a model.", False)
    assert entry.options == (
        Option("DATASET", ("DATASET",), "run.sh:3", required=True, lenient=True),
        Option("LR", ("LR",), "run.sh:4", default="'0.01'", nargs="?"),
        Option("SEED", ("SEED",), "run.sh:5", nargs="?"),
    )


@pytest.mark.parametrize(
    ("text", "required"),
    [
        ('if [ -z "$1" ]; then echo "usage: run X"; exit 1; fi\nX=$1', True),
        ("if [ $# -lt 1 ]; then usage; exit; fi\nX=$1", True),
        ("if [ $# -gt 0 ]; then X=$1; fi", False),
        ('if [ "$1" ]; then X=$1; else X=3; fi', False),
        ("X=${1-3}", False),
        ("X=${1:?needs X}", True),
        ("python t.py ${1:+--fast}", False),
    ],
)
def test_what_is_required(tmp_path: Path, text: str, required: bool) -> None:
    (option,) = script(tmp_path, text).options
    assert option.required is required


@pytest.mark.parametrize(
    ("text", "fatal"),
    [
        ("X=$1", False),
        ("set -eu\nX=$1", True),
        ("set -o nounset\nX=$1", True),
        ("set -euo pipefail\nX=$1", True),
        ("set -e\nX=$1", False),
        ("set -u\nset +u\nX=$1", False),
        ("set -u\nif some; then X=$1; fi", False),
        (": ${1:?needs X}", True),
        ("set -u\nX=$2", True),
    ],
)
def test_what_ends_the_script_if_it_is_not_given(tmp_path: Path, text: str, fatal: bool) -> None:
    assert {o.lenient for o in script(tmp_path, text).options if o.required} == {not fatal}


def test_words_that_are_handed_on_leave_it_open(tmp_path: Path) -> None:
    entry = script(tmp_path, 'N=$1\nshift\ntorchrun --nproc_per_node=$N train.py "$@"\n')
    assert ([o.name for o in entry.options], entry.open_ended) == (["N"], True)


@pytest.mark.parametrize(("helper", "open_ended"), [("echo $1", True), ("A=1", False)])
def test_a_sourced_script_may_read_the_words(tmp_path: Path, helper: str, open_ended: bool) -> None:
    (tmp_path / "lib.sh").write_text(helper + "\n")
    assert script(tmp_path, 'source "$(dirname $0)/lib.sh"\n').open_ended is open_ended
    assert not script(tmp_path, "source ~/.bashrc\n").open_ended


def test_an_argument_between_two_is_there_too(tmp_path: Path) -> None:
    entry = script(tmp_path, "A=$1\npython t.py $3\n")
    assert [(o.name, o.required) for o in entry.options] == [("A", True), ("argument2", True), ("argument3", True)]


def test_shift(tmp_path: Path) -> None:
    entry = script(tmp_path, 'A=$1\nshift\nB=$1\nshift 2\nfor X in "$@"; do echo $X; done\nD=$1\n')
    assert [(o.name, o.nargs) for o in entry.options] == [("A", None), ("B", None), ("argument3", None), ("D", None), ("X", "*")]


def test_a_case_over_a_parameter_names_its_choices(tmp_path: Path) -> None:
    (option,) = script(tmp_path, 'case "$1" in\n train) a;;\n test|eval) b;;\n *) echo usage; exit 1;;\nesac\n').options
    assert option.choices == ("train", "test", "eval")
    (option,) = script(tmp_path, 'case "$1" in\n train) a;;\n *) b;;\nesac\n').options
    assert option.choices is None


@pytest.mark.parametrize(
    ("text", "rest"), [('python t.py "$@"', True), ("python t.py $*", True), ("echo $@", False), ('set -- "$@"', False)]
)
def test_the_rest_is_handed_on(tmp_path: Path, text: str, rest: bool) -> None:
    assert script(tmp_path, text).open_ended is rest


def test_getopts(tmp_path: Path) -> None:
    entry = script(
        tmp_path,
        """
        epochs=10
        while getopts ":he:v" opt; do
          case $opt in
            e) epochs=$OPTARG ;;
            v) verbose=1 ;;
            h) usage ;;
          esac
        done
        """,
    )
    assert {o.name: (o.action, o.default, o.source, o.help) for o in entry.options} == {
        "-h": ("help", None, "run.sh:7", ""),
        "-e": ("store", "'10'", "run.sh:5", "epochs"),
        "-v": ("flag", None, "run.sh:6", "verbose"),
    }


def test_the_shift_behind_getopts_is_no_argument(tmp_path: Path) -> None:
    entry = script(tmp_path, 'while getopts "e:" opt; do :; done\nshift $((OPTIND - 1))\ndataset=$1\n')
    assert [o.name for o in entry.options] == ["-e", "dataset"]


def test_getopt(tmp_path: Path) -> None:
    entry = script(tmp_path, 'ARGS=$(getopt -o n:f --long name:,fast -- "$@")\neval set -- "$ARGS"\n')
    assert {o.name: o.action for o in entry.options} == {"-n": "store", "-f": "flag", "--name": "store", "--fast": "flag"}
    assert not entry.open_ended


@pytest.mark.parametrize("head", ["while [[ $# -gt 0 ]]; do", 'while [ "$#" -gt 0 ]; do', "while :; do", 'while [ -n "$1" ]; do'])
def test_a_loop_over_the_words(tmp_path: Path, head: str) -> None:
    entry = script(
        tmp_path,
        f"""
        NAME=foo
        {head}
          case "$1" in
            -n|--name) NAME="$2"; shift 2;;
            --lr=*) LR="${{1#*=}}"; shift;;
            --fast) FAST=1; shift;;
            -h|--help) usage; exit 0;;
            *) echo "unknown $1"; exit 1;;
          esac
        done
        """,
    )
    assert entry.options == (
        Option("--name", ("-n", "--name"), "run.sh:5", default="'foo'", help="NAME"),
        Option("--lr", ("--lr",), "run.sh:6", help="LR"),
        Option("--fast", ("--fast",), "run.sh:7", action="flag", help="FAST"),
        Option("--help", ("-h", "--help"), "run.sh:8", action="help"),
    )
    assert not entry.open_ended


def test_a_loop_that_keeps_what_it_does_not_know(tmp_path: Path) -> None:
    text = 'while [ $# -gt 0 ]; do\n case $1 in\n --a) A=$2; shift; shift;;\n *) REST+=("$1"); shift;;\n esac\ndone\n'
    entry = script(tmp_path, text)
    assert [(o.name, o.action) for o in entry.options] == [("--a", "store")]
    assert entry.open_ended


@settings(max_examples=80, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "$1",
                "${2:-x}",
                '"$@"',
                "if [ ",
                "]; then ",
                "fi",
                "case $1 in ",
                "a) ",
                ";;",
                "esac",
                "while ",
                "do ",
                "done",
                "\n",
                "getopts a: x; ",
                "shift ",
                "A=",
            ]
        ),
        max_size=15,
    )
)
def test_any_script(tmp_path_factory: pytest.TempPathFactory, pieces: list[str]) -> None:
    entry = script(tmp_path_factory.mktemp("s"), "".join(pieces))
    names = [a for o in entry.options for a in o.aliases]
    assert len(names) == len(set(names))
