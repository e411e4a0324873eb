"""On which devices a command is started, and with how many processes."""

import pytest

from ml_agent.policies.grounded.launching import launcher_of
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, line, option, program

EPOCHS = option("--epochs", type="int")
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


GUEST = program(option("--lr", type="float"), option("--device", type="int"), path="train.py")
SPREAD = command("python -m torch.distributed.launch --nproc_per_node 2 train.py --lr 0.1")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("what is the torchrun command to train on 4 GPUs?", "torchrun --nproc_per_node=4 train.py"),
        ("train by torch.distributed.run on 4 GPUs", "python -m torch.distributed.run --nproc_per_node=4 train.py"),
        ("train with accelerate launch on 2 GPUs", "accelerate launch --num_processes=2 train.py"),
        ("train through the distributed launcher on 3 devices", "torchrun --nproc_per_node=3 train.py"),
        ("train with torchrun", "torchrun train.py"),
        ("train distributed on many", "python train.py"),
    ],
)
def test_the_launcher_that_is_asked_for(text: str, code: str) -> None:
    assert line(text, GUEST, command("python train.py")).answer().code == code


def test_the_launcher_that_is_documented() -> None:
    plain = command("python train.py --lr 0.3")
    asked = line("distributed training on 4 GPUs", GUEST, plain, [SPREAD]).answer().code
    assert asked == "python -m torch.distributed.launch --nproc_per_node 4 train.py --lr 0.3"
    assert line("train on 4 GPUs", program(path="train.py"), plain, [SPREAD]).answer().code == "python train.py --lr 0.3"


def test_the_number_of_devices_is_for_the_launcher_alone() -> None:
    found = line("train on 4 GPUs", GUEST, SPREAD).answer()
    assert found.code == "python -m torch.distributed.launch --nproc_per_node 4 train.py --lr 0.1"
    assert found.unused == ()


def test_devices_by_number_are_counted() -> None:
    code = "CUDA_VISIBLE_DEVICES=1,3 torchrun --nproc_per_node=2 train.py"
    assert line("train on GPUs 1 and 3", TRAIN, command("torchrun --nproc_per_node=8 train.py")).answer().code == code
    assert launcher_of(["python", "train.py"]) is None


def test_a_program_that_is_started_by_itself_is_left_so() -> None:
    assert line("train with torchrun on 2 GPUs", TRAIN, command("./train.py --lr 0.1")).answer().code == "./train.py --lr 0.1"


@pytest.mark.parametrize(
    ("text", "documented", "code"),
    [
        (
            "train on 2 GPUs, master port 29501",
            "python -m torch.distributed.launch --nproc_per_node=8 --master_port=1234 train.py",
            "python -m torch.distributed.launch --nproc_per_node=2 --master_port=29501 train.py",
        ),
        (
            "train on 2 GPUs through port 29501",
            "torchrun --nproc_per_node 8 train.py",
            "torchrun --master_port 29501 --nproc_per_node 2 train.py",
        ),
        (
            "train on 4 nodes with 8 GPUs each, node rank 2, master address 10.0.0.1",
            "torchrun --nnodes=1 --nproc_per_node=2 train.py",
            "torchrun --master_addr=10.0.0.1 --node_rank=2 --nnodes=4 --nproc_per_node=8 train.py",
        ),
        ("train on two machines", "accelerate launch train.py", "accelerate launch --num_machines=2 train.py"),
        ("train on 2 nodes", "deepspeed --num_nodes 4 train.py", "deepspeed --num_nodes 2 train.py"),
        ("train on one node", "torchrun --nproc_per_node=2 train.py", "torchrun --nproc_per_node=2 train.py"),
        ("train on a single GPU", "torchrun --nproc_per_node=2 train.py", "torchrun --nproc_per_node=1 train.py"),
        ("train with 8 workers on 4 GPUs", "torchrun --nproc_per_node=2 train.py", "torchrun --nproc_per_node=4 train.py"),
        ("train on port 29501", "python train.py", "python train.py"),
        ("train on 2 GPUs", "CUDA_VISIBLE_DEVICES=0,1,2,3 python train.py", "CUDA_VISIBLE_DEVICES=0,1 python train.py"),
        ("train on 4 GPUs", "CUDA_VISIBLE_DEVICES=4,5,6,7 python train.py", "CUDA_VISIBLE_DEVICES=4,5,6,7 python train.py"),
    ],
)
def test_options_of_the_launcher_itself(text: str, documented: str, code: str) -> None:
    assert line(text, TRAIN, command(documented)).answer().code == code


def test_a_port_of_the_program_stays_its_own() -> None:
    made = program(option("--port", type="int"), path="train.py")
    code = "torchrun --nproc_per_node=2 train.py --port 29501"
    assert line("train on port 29501", made, command("torchrun --nproc_per_node=2 train.py")).answer().code == code


def test_what_the_start_takes_is_as_good_as_what_an_option_takes() -> None:
    takes = program(EPOCHS, option("--gpus", type="int"), path="solo.py", run=("python", "solo.py"))
    spreads = program(EPOCHS, path="many.py", run=("python", "many.py"))
    shown = command("torchrun --nproc_per_node=2 many.py", target="many.py")
    found = rank_programs(Material([(0.5, takes), (0.5, spreads)], [(0.5, shown)]), (), read_request("train 3 epochs on 4 GPUs"))
    of = {r.line.program.path: r.features for r in reversed(found)}
    assert of["many.py"]["started"] > 0.0 == of["solo.py"]["started"]
    assert abs(of["many.py"]["filled"] + of["many.py"]["started"] - of["solo.py"]["filled"]) < 0.6


def test_one_node_is_what_a_launcher_takes_anyway() -> None:
    assert line("train on one node", TRAIN, command("torchrun --nproc_per_node=2 train.py")).unused == ()


def test_a_variable_of_the_launcher_gives_way_to_a_number() -> None:
    documented = command("torchrun --nproc_per_node=$NUM train.py")
    assert line("train on 4 GPUs", program(), documented).answer().code == "torchrun --nproc_per_node=4 train.py"
