"""How options take devices: one, a list, their number."""

from typing import Any

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.bindings import read_bindings
from ml_agent.policies.grounded.devices import is_local_rank, shown_elsewhere, takes_count, takes_list
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.request import read_request
from tests.policies.grounded.support import command, given, line, option, program


@pytest.mark.parametrize(
    ("text", "name", "fields", "code"),
    [
        ("train on four GPUs", "--gpu-ids", {"type": "str", "default": "'0'"}, "python train.py --gpu-ids 0,1,2,3"),
        ("train on GPUs 2 and 3", "--gpu-ids", {"type": "str", "default": "'0'"}, "python train.py --gpu-ids 2,3"),
        ("train on GPU 2", "--gpu-ids", {"type": "str", "default": "'0'"}, "python train.py --gpu-ids 2"),
        ("train on 2 GPUs", "--gpus", {"type": "int", "nargs": "+"}, "python train.py --gpus 0 1"),
        ("train on GPUs 2 and 3", "--gpus", {"type": "int", "nargs": "+"}, "python train.py --gpus 2 3"),
        ("train on 3 V100 GPUs", "--device", {"help": "cuda device, i.e. 0 or 0,1,2,3 or cpu"}, "python train.py --device 0,1,2"),
        ("train on 2 GPUs", "--num-gpus", {"type": "int"}, "python train.py --num-gpus 2"),
        ("train on 2 GPUs", "--devices", {"type": "int"}, "python train.py --devices 2"),
        ("train on GPUs 2 and 3", "--num_gpus", {"type": "int"}, "CUDA_VISIBLE_DEVICES=2,3 python train.py --num_gpus 2"),
        ("train on the second GPU", "--device", {"help": "Like cuda, cuda:0 or cpu"}, "python train.py --device cuda:1"),
        ("train on GPU 1", "--device", {"default": "'cuda'"}, "python train.py --device cuda:1"),
        ("train on GPU 1", "--gpu", {"type": "int"}, "python train.py --gpu 1"),
    ],
)
def test_devices_as_the_option_takes_them(text: str, name: str, fields: dict[str, Any], code: str) -> None:
    assert line(text, program(option(name, **fields)), command("python train.py")).answer().code == code


def test_a_number_for_each_device_is_no_device() -> None:
    made = program(option("--batch-size", type="int"))
    found = line("train with a batch size per GPU of 64, images per GPU 64", made, command("python train.py")).answer()
    assert found.code == "python train.py --batch-size 64"


def test_the_rank_is_never_filled_in() -> None:
    made = program(option("--local_rank", type="int"), option("--lr", type="float"))
    assert is_local_rank(made.options[0])
    assert line("train at local rank 3 with lr 0.1", made, command("python train.py")).answer().code == "python train.py --lr 0.1"
    request = read_request("train with --local_rank 3")
    found = fill(made, [], request, Surroundings(request), bindings=read_bindings(request))
    assert [(p.option.name, p.values) for p in found.placed] == [("--local_rank", ("3",))]


def test_the_rank_is_given_only_where_no_launcher_gives_it() -> None:
    made = program(option("--local_rank", type="int", required=True))
    spread = "python -m torch.distributed.launch --nproc_per_node 2 train.py"
    assert line("train", made, command(spread)).answer().code == spread
    assert line("train", made, command("python train.py")).answer().code == "python train.py --local_rank 0"


def test_what_an_option_takes_by_its_name() -> None:
    assert takes_count(option("--ngpu", type="int"))
    assert takes_count(option("--num-devices", type="int"))
    assert not takes_count(option("--gpu-memory", type="int"))
    assert not takes_count(option("--gpus", type="int", nargs="+"))
    assert not takes_list(option("--gpu", type="int"), ())
    assert takes_list(option("--gpu"), ("0,1",))
    assert not takes_list(option("--images-per-gpu"), ("0,1",))


def test_the_number_of_a_device_is_for_options_of_devices_alone() -> None:
    ranks, visible = option("--gpu_ranks", type="str"), option("--visible_gpus", type="str")
    documented = command("python train.py --visible_gpus 0,1,2")
    assert given("train on GPUs 0 and 3", ranks, visible, commands=[documented]) == {"--visible_gpus": "0,3"}
    assert given("count the splits on GPU 1", option("--splits", type="int")) == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("train it, CPU is fine", {"--gpu": "-1"}),
        ("train without a GPU", {"--gpu": "-1"}),
        ("train on the CPU", {"--gpu": "-1"}),
        ("train on GPU 1, the cpu is slow", {"--gpu": "1"}),
    ],
)
def test_the_number_that_is_the_cpu(text: str, expected: dict[str, str]) -> None:
    assert given(text, option("--gpu", type="int", default="0", help="which GPU, -1 for the CPU")) == expected
    assert "-1" not in given(text, option("--gpu", type="int", default="0", help="which GPU")).values()


def test_what_the_environment_says_is_for_no_option() -> None:
    options = [option("--device"), option("--gpu"), option("--num-gpus", type="int"), option("--owls")]
    request = read_request("on GPU 1 and 8 owls")
    places = {m.position for m in request.mentions if m.value == "1"}
    assert request.devices == ("1",)
    assert shown_elsewhere(options, {"--gpu"}, {"CUDA_VISIBLE_DEVICES": "0"}, request) == {("--device", at) for at in places}
    assert shown_elsewhere(options, (), {"OWLS": "0"}, request) == set()
