from pathlib import Path

import pytest

from ml_agent.policies.grounded.environment import with_environment
from tests.policies.grounded.support import code, command, line, option, program, proposals, write

SCRIPT = """
# TAG: name of the trial
# MODE: plain / cued / cued-demo
BATCH=${BATCH:-8}
case $BIRD in owl) N=3 ;; wren) N=5 ;; esac
python train.py --name $TAG --mode $MODE --batch $BATCH --lr $LR --bird $BIRD --n $N
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, {"run_trial.sh": SCRIPT, "train.py": "print(1)\n"})


def test_the_variables_of_a_script_are_set_in_front_of_it(root: Path) -> None:
    answer = proposals(root, "Run the trial script for the wren with the tag 'first', a learning rate of 3e-4 and a batch size of 16.")[
        0
    ].answer
    words = answer.code.split(" ")
    assert words[-2:] == ["bash", "run_trial.sh"]
    assert sorted(words[:-2]) == ["BATCH=16", "BIRD=wren", "LR=3e-4", "TAG=first"]
    assert {"BATCH=16", "LR=3e-4"} <= {e.part for e in answer.evidence if e.words}


def test_documented_variables_are_kept_and_replaced(root: Path) -> None:
    write(root, {"README.md": "# Birds\n\n```bash\nTAG=exp MODE=plain BIRD=owl LR=1e-3 bash run_trial.sh\n```\n"})
    answer = proposals(root, "Run the trial script for the owl with the tag 'first' and learning rate 3e-4")[0].answer
    assert answer.code == "TAG=first MODE=plain BIRD=owl LR=3e-4 bash run_trial.sh"


def test_what_only_a_document_sets_is_taken_as_well() -> None:
    shown = command("python export.py", target="export.py", environment=(("BASE_MODEL", "nest/owl"), ("CUDA_VISIBLE_DEVICES", "0")))
    made = with_environment(program(path="export.py"), [shown])
    assert [(o.name, o.default, o.assigned) for o in made.environment] == [("BASE_MODEL", "'nest/owl'", True)]
    assert code("export the base model nest/wren", made, shown) == "BASE_MODEL=nest/wren CUDA_VISIBLE_DEVICES=0 python export.py"


def test_an_option_of_the_same_name_is_not_a_variable() -> None:
    made = program(option("LR", assigned=True), environment=(option("LR", assigned=True),))
    made = with_environment(made, [])
    assert (len(made.options), made.environment) == (1, ())
    assert line("learning rate 3", made).front == []


def test_an_argument_that_documents_leave_out_may_be_left_out() -> None:
    made = program(option("argument1", required=True, lenient=True), path="go.sh", kind="shell", run=("bash", "go.sh"))
    assert code("run it", made, command("bash go.sh")) == "bash go.sh"
    assert code("run it", made, command("bash go.sh owl")) == "bash go.sh owl"
    assert code("run it", made) == "bash go.sh YOUR_ARGUMENT1"
