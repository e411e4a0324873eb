"""On which devices a command is started, and with how many processes."""

import pytest

from tests.policies.grounded.support import command, line, option, program

TRAIN = program(option("--lr", type="float"), path="train.py")


@pytest.mark.parametrize(
    ("text", "documented", "code"),
    [
        ("train on card 2", "python train.py", "CUDA_VISIBLE_DEVICES=2 python train.py"),
        ("train on GPUs 0 and 1 with lr 0.1", "python train.py", "CUDA_VISIBLE_DEVICES=0,1 python train.py --lr 0.1"),
        ("train on the second GPU", "CUDA_VISIBLE_DEVICES=5 python train.py", "CUDA_VISIBLE_DEVICES=1 python train.py"),
        ("train it", "CUDA_VISIBLE_DEVICES=5 python train.py", "CUDA_VISIBLE_DEVICES=5 python train.py"),
        ("train on 4 GPUs", "torchrun --nproc_per_node=8 train.py", "torchrun --nproc_per_node=4 train.py"),
        ("train on 4 GPUs", "torchrun --nproc_per_node 8 train.py", "torchrun --nproc_per_node 4 train.py"),
        ("train with 6 processes", "mpirun -np 2 python train.py", "mpirun -np 6 python train.py"),
        ("train on 4 GPUs", "python train.py", "python train.py"),
    ],
)
def test_devices_and_processes(text: str, documented: str, code: str) -> None:
    assert line(text, TRAIN, command(documented)).answer().code == code


def test_an_option_of_the_program_comes_first() -> None:
    made = program(option("--gpu", type="int"), path="train.py")
    assert line("train on GPU 3", made, command("python train.py")).answer().code == "python train.py --gpu 3"


def test_what_is_used_is_not_said_to_be_left_out() -> None:
    assert line("train on card 2", TRAIN, command("python train.py")).answer().unused == ()
    assert line("train on 4 GPUs", TRAIN, command("python train.py")).answer().unused != ()
