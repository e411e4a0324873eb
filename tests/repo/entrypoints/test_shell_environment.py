from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.entrypoints import Option
from ml_agent.repo.entrypoints.shell_environment import environment_of, is_system
from ml_agent.repo.shell import syntax_tree
from tests.repo.entrypoints.programs import read_program


def variables(tmp_path: Path, text: str) -> dict[str, Option]:
    return {o.name: o for o in read_program(tmp_path, text, path="run.sh").environment}


def test_what_is_read_with_a_default_or_nowhere_set(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        'LR=${LR:-0.1}\n: "${seed:=7}"\nOUT="runs/$TAG"\nfor k in 1 2; do echo $k; done\nread NAME\n'
        "python train.py --lr $LR --out $OUT --seed $seed --name $NAME --user $USER --gpu $CUDA_VISIBLE_DEVICES\n"
        "echo $lower $1 ${DIR:-/a/$TAG}\n",
    )
    assert list(found) == ["LR", "seed", "TAG", "DIR"]
    assert [o.default for o in found.values()] == ["0.1", "7", None, None]
    assert all(o.assigned and not o.positional and not o.required for o in found.values())
    assert found["TAG"].source == "run.sh:3"


def test_what_is_set_if_it_is_not_given(tmp_path: Path) -> None:
    found = variables(tmp_path, 'if [ -z "$TAG" ]; then TAG=x; fi\n[ -z $N ] && N=3\nM=4\necho $TAG $N $M\n')
    assert list(found) == ["TAG", "N"]


def test_values_that_it_is_compared_with_and_what_comments_say(tmp_path: Path) -> None:
    found = variables(
        tmp_path,
        "# BIRD: which bird\n# MODE: plain / cued\n# BS: 2 / 4\n"
        'case $BIRD in\n owl|wren) A=1;;\n *) A=2;;\nesac\nif [ "$KIND" = "big" ]; then A=3; fi\npython x.py $A $MODE $BS\n',
    )
    assert {name: o.compared for name, o in found.items()} == {
        "BIRD": ("owl", "wren"),
        "KIND": ("big",),
        "MODE": ("plain", "cued"),
        "BS": (),
    }
    assert found["BIRD"].help == "which bird"


def test_a_script_that_reads_in_another_one_may_have_its_variables_from_there(tmp_path: Path) -> None:
    assert list(variables(tmp_path, "source ./settings.sh\npython x.py $TAG ${LR:-1}\n")) == ["LR"]


def test_variables_of_the_system() -> None:
    assert all(map(is_system, ("HOME", "PYTHONPATH", "SLURM_NTASKS", "CUDA_VISIBLE_DEVICES", "RANDOM", "http_proxy")))
    assert not any(map(is_system, ("TAG", "TASK", "MODEL", "HOMES", "path_in")))


@settings(max_examples=150, deadline=None)
@given(st.text("aAB_$ {}:-=;\n\"'()|[]#1case indone", max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    root, source, _ = syntax_tree(text)
    if root is not None:
        environment_of(root, lambda node: source[node.start_byte : node.end_byte].decode("utf-8", "replace"), "x.sh", text)


@pytest.mark.parametrize("name", ["EPOCHS", "EPOCH_LEN", "DATA_PATH", "CKPT_PATH"])
def test_names_that_are_like_those_of_the_system(name: str) -> None:
    assert not is_system(name)


@pytest.mark.parametrize("name", ["EPOCHSECONDS", "EPOCHREALTIME", "PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "LIBRARY_PATH", "MANPATH"])
def test_names_of_the_system(name: str) -> None:
    assert is_system(name)
