import pytest

from ml_agent.policies.grounded.evidence import request_verbs
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.variants import of_another_framework, spread, started_as_others, unasked_flags, unasked_variants
from tests.policies.grounded.support import command, flag, line, option, program


def unasked(text: str, *paths: str, several: bool = False) -> set[str]:
    request = read_request(text)
    found = unasked_variants([program(path=p) for p in paths], request, request_verbs(request), several)
    return {path for path, worth in found.items() if worth}


def test_a_variant_has_to_be_asked_for() -> None:
    paths = ("train_owl.py", "train_owl_xm.py", "train_owl_sparse.py", "other/train_owl_big.py")
    assert unasked("train an owl", *paths) == {"train_owl_xm.py", "train_owl_sparse.py"}  # the last one has none beside it
    assert unasked("train an owl with the sparse attention", *paths) == {"train_owl_xm.py"}
    assert unasked("train an owl of any kind", "train_owl.py", "train_owl_eval.py") == {"train_owl_eval.py"}
    assert unasked("train and evaluate an owl", "train_owl.py", "train_owl_eval.py") == set()


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("train the multi-speaker owl", "train_ms.py"),
        ("train the captioning owl", "train_caption.py"),
        ("train it with distributed workers", "train_distrib.py"),
        ("train the 3d owl", "train_3d.py"),
    ],
)
def test_a_variant_is_asked_for_in_another_form_of_its_word(text: str, path: str) -> None:
    assert unasked(text, "train.py", path) == set()
    assert unasked("train the owl", "train.py", path) == {path}


def test_on_several_devices_the_distributed_variant_is_meant() -> None:
    assert unasked("train the owl", "train.py", "train_ddp.py", several=True) == set()
    assert unasked("train the owl", "train.py", "train_ddp.py") == {"train_ddp.py"}
    assert spread("train_ddp.py", True) == spread("multi_gpu.py", True) == 1.0
    assert spread("train_ddp.py", False) == spread("distributed.py", False) == -1.0
    assert spread("train.py", True) == spread("ddp/train.py", False) == 0.0


def test_the_opposite_of_what_is_said() -> None:
    paths = ("owl/unpaired_train.py", "owl/paired_train.py")
    assert unasked("paired training of an owl", *paths) == {"owl/unpaired_train.py"}
    assert unasked("unpaired training of an owl", *paths) == set()
    assert unasked("paired and unpaired training", *paths) == set()


def test_a_program_that_no_document_shows_is_started_as_those_beside_it() -> None:
    other = program(option("config"), path="bin/wren.py")
    shown = [command("python bin/owl.py a.toml", target="bin/owl.py"), command("python3 x/jay.py", target="x/jay.py")]
    made = started_as_others(other, shown)
    assert made is not None
    assert (made.words, made.workdir, made.arguments) == (("python", "bin/wren.py"), ".", ())
    assert started_as_others(other, shown[1:]) is None  # of another folder
    assert started_as_others(program(path="bin/owl.py"), shown[:1]) is None  # documented itself
    assert started_as_others(program(path="top.py"), [command("python owl.py", target="owl.py")]) is None
    assert started_as_others(other, [command("torchrun --nproc_per_node 2 bin/owl.py", target="bin/owl.py")]) is None


def test_what_stands_beside_the_documented_is_started_from_where_that_is() -> None:
    programs = [program(option("config"), path=f"bin/{n}.py", run=("python", f"bin/{n}.py")) for n in ("owl", "wren")]
    shown = command("python bin/owl.py a.toml", target="bin/owl.py")
    ranked = rank_programs(Material([(0.5, p) for p in programs], [(0.5, shown)]), (), read_request("run the wren with b.toml"))
    answer = next(r for r in ranked if r.line.program.path == "bin/wren.py").line.answer()
    assert (answer.workdir, answer.code) == (".", "python bin/wren.py b.toml")


def test_a_flag_that_one_documented_command_sets_and_nobody_asks_for() -> None:
    made = program(flag("--save-stats"), option("path", nargs="2"), option("--dims", type="int"), path="fid.py", run=("python", "fid.py"))
    every = [command("python fid.py --save-stats a b", target="fid.py"), command("python fid.py a b", target="fid.py")]
    assert [unasked_flags(line("compare c/x with d/y", made, c), every, read_request("compare c/x with d/y")) for c in every] == [1, 0]
    asked = "save the stats of c/x into d/y"
    assert unasked_flags(line(asked, made, every[0]), every, read_request(asked)) == 0
    assert unasked_flags(line("compare", made, every[0]), every[:1], read_request("compare")) == 0  # documents always set it


def test_another_framework_than_the_one_that_is_asked_for() -> None:
    tensorflow = read_request("draw owls with the TensorFlow version")
    assert of_another_framework("pytorch_generation.py", tensorflow)
    assert not any(of_another_framework(p, tensorflow) for p in ("generation.py", "tf/generation.py", "keras_tea.py", "torches.py"))
    assert not of_another_framework("pytorch_generation.py", read_request("draw owls"))
    programs = [program(path=p, run=("python", p)) for p in ("pytorch_owls.py", "generation.py")]
    for text, path in (("draw owls with the TensorFlow version", "generation.py"), ("draw owls with PyTorch", "pytorch_owls.py")):
        assert rank_programs(Material([(0.5, p) for p in programs], []), (), read_request(text))[0].line.program.path == path
