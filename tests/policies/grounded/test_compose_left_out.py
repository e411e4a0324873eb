"""What a documented command has that the request does without."""

import pytest

from ml_agent.repo.commands import Command
from tests.policies.grounded.support import code, command, flag, line, option, program

PRE, LR = option("--pretrain-path"), option("--lr", type="float")
DOCUMENTED = command("python train.py --pretrain-path nests/owl.pt --lr 0.1 --resume")
MADE = program(PRE, LR, flag("--resume"), option("--nest"))


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("train an owl from scratch", ""),
        ("train an owl from random weights", ""),
        ("train an owl from randomly initialised weights", ""),
        ("train an owl", " --pretrain-path nests/owl.pt --resume"),
        ("train an owl to scratch at random", " --pretrain-path nests/owl.pt --resume"),
        ("train an owl from scratch, the pretrain path is my/own.pt", " --pretrain-path my/own.pt"),
    ],
)
def test_what_it_starts_from_where_it_starts_from_nothing(text: str, kept: str) -> None:
    words = code(text, MADE, DOCUMENTED).split(" ")
    assert sorted(words) == sorted(f"python train.py --lr 0.1{kept}".split(" "))


def test_what_is_required_stays_and_what_goes_is_counted() -> None:
    text = "train an owl from scratch"
    needed = program(option("--pretrain-path", required=True), LR, flag("--resume"))
    assert code(text, needed, DOCUMENTED) == "python train.py --pretrain-path nests/owl.pt --lr 0.1"
    assert line(text, MADE, DOCUMENTED).open - line("train an owl", MADE, DOCUMENTED).open == 2


@pytest.mark.parametrize("gpu", ["{GPU}", "<gpu>", "YOUR_GPU"])
def test_a_placeholder_in_front_of_the_program(gpu: str) -> None:
    documented = command("python train.py", environment=(("CUDA_VISIBLE_DEVICES", gpu), ("NEST", "oak")))
    assert code("train an owl", program(), documented) == "NEST=oak python train.py"
    shown = command("python train.py", environment=(("CUDA_VISIBLE_DEVICES", "0"), ("NEST", "oak")))
    assert code("train an owl", program(), shown) == "CUDA_VISIBLE_DEVICES=0 NEST=oak python train.py"


@pytest.mark.parametrize(("word", "kept"), [("N_GPU", "--nproc_per_node=1"), ("<gpus>", "--nproc_per_node=1"), ("4", "--nproc_per_node=4")])
def test_a_placeholder_of_a_launcher(word: str, kept: str) -> None:
    launch = ("python", "-m", "torch.distributed.launch", f"--nproc_per_node={word}", "--master_port=PORT", "train.py")
    documented = Command(launch, "train.py", len(launch) - 1, ".", "README.md:3")
    assert code("train an owl", program(), documented) == f"python -m torch.distributed.launch {kept} train.py"
