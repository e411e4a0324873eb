"""What a documented command says otherwise than the request: one file of several, a folder in its paths."""

import pytest

from ml_agent.policies.grounded.folders import Folders
from ml_agent.policies.grounded.knowledge import choice_families
from ml_agent.policies.grounded.material import Material
from ml_agent.policies.grounded.programs import rank_programs
from ml_agent.policies.grounded.request import Mention, read_request
from ml_agent.policies.grounded.swaps import Swap, file_swaps, find_swaps, settled_by, shown_files, told_by
from tests.policies.grounded.support import code, command, option, program

FILES = ("configs/owl_v1.yaml", "configs/owl_v2.yaml", "configs/lark_v1.yaml", "configs/notes.md", "train.py", "nest/owl_v2.yaml")
TRAIN = command("python train.py --config configs/owl_v1.yaml")


def test_files_beside_are_those_of_its_kind_and_folder() -> None:
    assert Folders(FILES).beside([TRAIN]) == {"configs/owl_v1.yaml": ["configs/owl_v1.yaml", "configs/owl_v2.yaml", "configs/lark_v1.yaml"]}
    inside = command("python train.py cfg=../configs/owl_v1.yaml", workdir="nest")
    assert Folders(FILES).beside([inside])["../configs/owl_v1.yaml"][1] == "../configs/owl_v2.yaml"
    assert Folders(FILES).beside([command("python train.py --config eggs/none.yaml")]) == {}


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("train the owl V2 with its configuration", "configs/owl_v2.yaml"),
        ("train the lark", "configs/lark_v1.yaml"),
        ("train it", None),
        ("train the v1 lark", "configs/lark_v1.yaml"),
        ("train with config lark_v1", "configs/lark_v1.yaml"),
        ("train version 9", None),
    ],
)
def test_another_file_where_the_request_says_what_tells_them_apart(text: str, file: str | None) -> None:
    swaps = file_swaps(TRAIN, Folders(FILES).beside([TRAIN]), read_request(text))
    assert [(s.old, s.mention.value) for s in swaps] == ([("configs/owl_v1.yaml", file)] if file else [])


def test_a_letter_and_a_number_of_what_is_said_in_full() -> None:
    files = ("c/owl_r50.yaml", "c/owl_r101.yaml", "c/hen_r50.yaml")
    of = command("python train.py --config c/owl_r50.yaml")
    for text, file in (("the owl with ResNet-101", "c/owl_r101.yaml"), ("the hen with a ResNet 50 and nests/owl.pth", "c/hen_r50.yaml")):
        assert [s.mention.value for s in file_swaps(of, Folders(files).beside([of]), read_request(text))] == [file]


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("an 8-layer owl", "c/owl_8_layer.py"),
        ("the owl of 8 layers", None),
        ("the Owl-B", "c/OwlB.py"),
        ("an example on the CPU", "c/demo_cpu.py"),
    ],
)
def test_a_digit_or_a_letter_tells_files_apart_together_with_its_word(text: str, file: str | None) -> None:
    files = ("c/owl_4_layer.py", "c/owl_8_layer.py", "c/OwlA.py", "c/OwlB.py", "c/demo.py", "c/demo_cpu.py")
    documented = {"8": "c/owl_4_layer.py", "O": "c/OwlA.py", "C": "c/demo_cpu.py"}
    of = command(f"python train.py --config {next(v for k, v in documented.items() if k in text) if file else 'c/owl_4_layer.py'}")
    swaps = file_swaps(of, Folders(files).beside([of]), read_request(text.replace("example", "demo")))
    kept = file is None or file in of.arguments
    assert [s.mention.value for s in swaps] == ([] if kept else [file])


def test_two_files_that_are_meant_as_much_are_none() -> None:
    files = ("c/a_owl.yaml", "c/b_owl.yaml", "c/hen.yaml")
    of = command("python train.py --config c/hen.yaml")
    assert file_swaps(of, Folders(files).beside([of]), read_request("train the owl")) == []


def test_a_folder_in_a_path_that_is_named_alike() -> None:
    found = find_swaps(command("python train.py --vocab $DIR/owl_base_v1/vocab.txt"), read_request("train owl_base_v2"))
    assert [(s.old, s.mention.value) for s in found] == [("$DIR/owl_base_v1", "owl_base_v2")]


def test_what_the_request_says_of_both_does_not_keep_the_documented_one() -> None:
    files = ("configs/song_owl.yaml", "configs/song_lark.yaml", "configs/nest.yaml", "configs/egg.yaml", "configs/wing.yaml")
    of = command("python train.py --config ./configs/song_owl.yaml")
    swaps = file_swaps(of, Folders(files).beside([of]), read_request("song search on Lark30k"))
    assert [(s.old, s.mention.value) for s in swaps] == [("./configs/song_owl.yaml", "./configs/song_lark.yaml")]
    assert file_swaps(of, Folders(files).beside([of]), read_request("song search of the owl, not the lark")) == []


def test_no_other_file_where_a_documented_one_is_said_as_well() -> None:
    files = ("configs/owl_song.yaml", "configs/lark_song.yaml", "more/lark_hymn.yaml")
    every = [command("python train.py --config configs/owl_song.yaml"), command("python train.py --config more/lark_hymn.yaml")]
    beside = Folders(files).beside(every)
    assert file_swaps(every[0], beside, read_request("train the lark hymn, a song")) == []
    assert file_swaps(every[0], beside, read_request("train the lark song")) != []


def test_the_same_file_of_another_folder_that_is_called_alike() -> None:
    files = (
        "tasks/owl/owl_task.yml",
        "tasks/lark/lark_task.yml",
        "tasks/lark/owl_task.yml",
        "tasks/hen/cock_task.yml",
        "tasks/wren/task.yml",
    )
    of = command("python train.py --task tasks/owl/owl_task.yml")
    beside = Folders(files).beside([of])
    assert beside["tasks/owl/owl_task.yml"] == ["tasks/owl/owl_task.yml", "tasks/lark/lark_task.yml"]
    swaps = file_swaps(of, beside, read_request("convert my lark data"))
    assert [(s.old, s.mention.value) for s in swaps] == [("tasks/owl/owl_task.yml", "tasks/lark/lark_task.yml")]


TASK, SEED, NEST = option("--task"), option("--seed", type="int"), option("--nest")


@pytest.mark.parametrize(
    ("text", "nest"),
    [
        ("train on the task LARK", "--nest nests/LARK/16-42"),
        ("train with seed 21", "--nest nests/OWL/16-21"),
        ("train with seed 21 and the nest my/OWL-42", "--nest my/OWL-42"),
    ],
)
def test_what_is_documented_in_two_places_changes_in_both(text: str, nest: str) -> None:
    documented = command("python train.py --task OWL --seed 42 --nest nests/OWL/16-42")
    assert nest in code(text, program(TASK, SEED, NEST), documented)


@pytest.mark.parametrize(
    ("text", "shown", "file"),
    [
        ("train the v2 owl", "configs/name.yaml", "configs/owl_v2.yaml"),
        ("train the v2 owl", "CONFIG.yaml", "configs/owl_v2.yaml"),
        ("train the lark", "$CONFIG", "configs/lark_v1.yaml"),
        ("train it", "CONFIG.yaml", None),
        ("train the lark", "$OUT", None),
        ("train the lark", "eggs/name.yaml", None),
    ],
)
def test_a_placeholder_for_a_file_of_settings_is_the_one_that_the_request_speaks_of(text: str, shown: str, file: str | None) -> None:
    train = command(f"python train.py --config {shown}")
    swaps = file_swaps(train, Folders(FILES).beside([train]), read_request(text))
    assert [(s.old, s.mention.value) for s in swaps] == ([(shown, file)] if file else [])


def test_what_is_said_in_two_words_or_in_full_tells_a_file() -> None:
    files = ("configs/nestbox/owl.yaml", "configs/img/owl.yaml", "configs/egg/owl.yaml")
    train = command("python train.py CONFIG.yaml")
    beside = Folders(files).beside([train])
    assert file_swaps(train, beside, read_request("train the nest box owl"))[0].mention.value == files[0]


def test_a_variable_in_front_repeats_a_list() -> None:
    made = program(option("--nests", type="str"))
    train = command("python train.py --nests 0,1,2", environment=(("VISIBLE_NESTS", "0,1,2"),))
    assert code("train in nests 3 and 4", made, train) == "VISIBLE_NESTS=3,4 python train.py --nests 3,4"


def test_a_placeholder_in_braces_is_a_name_without_its_folder_and_takes_nothing_else() -> None:
    train = command("python train.py --config {BIRD}.yaml --nest {NEST}")
    request = read_request("train the lark in /tmp/nest")
    swaps = file_swaps(train, Folders(FILES).beside([train]), request)
    assert [(s.old, s.mention.value) for s in swaps] == [("{BIRD}.yaml", "lark_v1.yaml")]
    made = program(option("--config"), option("--nest"))
    assert settled_by(swaps, made, train, request) == {("--config", at) for at in range(len(request.tokens))}


def test_a_folder_that_is_like_a_whole_value_is_not_a_part_of_another() -> None:
    shown = command("python train.py --songs data/owl_hq/train --eggs nest/eval/owl_hq")
    assert find_swaps(shown, read_request("put it into nest/eval/owl_hq2")) == []
    assert [s.old for s in find_swaps(shown, read_request("take songs/owl_hq2"))] == ["data/owl_hq"]


def test_what_another_option_is_given_is_not_put_in() -> None:
    files = ("nests/train.txt", "nests/test.txt", "nests/dev.txt")
    of = command("python sing.py --train nests/train.txt --test nests/test.txt")
    assert file_swaps(of, Folders(files).beside([of]), read_request("train and test it")) == []


def test_the_same_file_of_another_folder() -> None:
    files = ("configs/owl/song.yaml", "configs/owl/nest.yaml", "configs/lark/song.yaml", "configs/lark/nest.yaml", "lark/song.yaml")
    of = command("python sing.py -s configs/owl/song.yaml -n configs/owl/nest.yaml")
    swaps = file_swaps(of, Folders(files).beside([of]), read_request("sing as the lark does"))
    assert [s.mention.value for s in swaps] == ["configs/lark/song.yaml", "configs/lark/nest.yaml"]


def test_settings_of_another_kind_stand_in_a_folder_of_their_own() -> None:
    files = ("configs/owl/owl_small_1x.py", "configs/lark/lark_large_1x.py", "configs/lark/lark_small_2x.py", "eggs/lark/lark_1x.py")
    of = command("python sing.py configs/owl/owl_small_1x.py")
    for text, file in (("a large lark", "configs/lark/lark_large_1x.py"), ("a lark", None), ("a 2x lark", "configs/lark/lark_small_2x.py")):
        found = [s.mention.value for s in file_swaps(of, Folders(files).beside([of]), read_request(text))]
        assert found == ([file] if file else [])


def test_a_word_of_the_same_shape_is_another_of_its_kind() -> None:
    of = command("python plot.py nests/owl LJ001-0001")
    assert [(s.old, s.mention.value) for s in find_swaps(of, read_request("plot LJ012-0034"))] == [("LJ001-0001", "LJ012-0034")]
    assert find_swaps(of, read_request("plot LJ001-0001")) == []
    assert find_swaps(command("python plot.py --owl net18"), read_request("with the lark net50")) == []


def test_the_file_of_which_most_is_said() -> None:
    files = ("c/owl.json", "c/owl_gull_4_layer.json", "c/owl_gull_8_layer.json")
    of = command("python train.py --settings c/owl_gull_4_layer.json")
    request = read_request("train the 8-layer gull on OWL")
    (swap,) = file_swaps(of, Folders(files).beside([of]), request)
    assert swap.mention.value == "c/owl_gull_8_layer.json"
    assert {request.tokens[at].text for at in told_by([swap.mention.value], request)} >= {"8", "layer", "gull", "OWL"}


def test_what_names_another_file_of_settings_is_no_option_besides() -> None:
    made = program(option("--settings"), option("--num_layers", type="int"), option("--kind", choices=("gull", "owl")), path="train.py")
    of = command("python train.py --settings c/owl_gull_4_layer.json", target="train.py")
    files = ("train.py", "c/owl_gull_4_layer.json", "c/owl_gull_8_layer.json")
    ranked = rank_programs(
        Material([(1.0, made)], [(1.0, of)], files), choice_families([made]), read_request("train the 8-layer gull on OWL")
    )
    assert ranked[0].line.answer().code == "python train.py --settings c/owl_gull_8_layer.json"


@pytest.mark.parametrize(
    ("text", "old"),
    [("sing owls2015", "owls2014"), ("sing owls2014", None), ("sing larks2015", None), ("sing owls2015 instead of owls2014", "owls2014")],
)
def test_what_differs_in_its_number_alone_in_the_name_of_a_file(text: str, old: str | None) -> None:
    found = find_swaps(command("python sing.py --notes nest/owls2014.tok.en --words nest/owls2014.tok.de"), read_request(text))
    assert [(s.old, s.mention.value) for s in found] == ([(old, "owls2015")] if old else [])


def test_files_that_are_there_keep_their_names() -> None:
    made = program(option("--settings"), option("--log"), option("--out"), path="make.py")
    of = command("python make.py --settings songs/owl.yaml --log songs/owl-log --out songs", target="make.py")
    ranked = rank_programs(
        Material([(1.0, made)], [(1.0, of)], ("make.py", "songs/owl.yaml")), (), read_request("put all out into 'larks'")
    )
    assert ranked[0].line.answer().code == "python make.py --settings songs/owl.yaml --log larks/owl-log --out larks"


@pytest.mark.parametrize(
    ("weights", "file"),
    [("w/bird_owl.pth", "c/BirdOwl_x.py"), ("w/bird_lark.pth", None), ("w/bird_gull.pth", None), ("w/bird_wren.pth", "c/BirdWren.py")],
)
def test_the_settings_of_the_weights_that_are_said(weights: str, file: str | None) -> None:
    files = ("c/BirdLark_y.py", "c/BirdOwl_x.py", "c/BirdWren.py", "c/__init__.py")
    of = command("python sing.py -c c/BirdLark_y.py -w w/bird_lark.pth")
    found = file_swaps(of, Folders(files).beside([of]), read_request(f"sing with {weights}"))
    assert [(s.old, s.mention.value) for s in found] == ([("c/BirdLark_y.py", file)] if file else [])


def test_one_file_of_settings_is_put_in_once() -> None:
    files = ("c/bird_owl.py", "c/bird_lark.py", "c/bird_wren.py")
    of = command("python sing.py -c c/bird_owl.py -t c/bird_owl.py -w w/bird_owl.pth")
    beside = Folders(files).beside([of])
    assert len(file_swaps(of, beside, read_request("start from w/bird_lark.pth"))) == 1
    assert file_swaps(of, beside, read_request("start from w/bird_lark.pth and w/bird_wren.pth")) == []


def test_files_that_other_commands_have() -> None:
    of = command("python sing.py -c c/owl.py")
    swaps = [Swap("c/owl.py", Mention("c/lark.py", "path", 0, "lark"))]
    others = [command("python sing.py -c=c/lark.py")] * 8
    assert (shown_files(swaps, of, [of, *others]), shown_files(swaps, of, [of]), shown_files([], of, others)) == (1, 0, 0)


def test_a_value_that_the_command_has_takes_no_other_place_in_it() -> None:
    documented = command("python train.py owl_1.json owl_2.json")
    assert find_swaps(documented, read_request("for owl_2.json")) == []
    assert [s.old for s in find_swaps(documented, read_request("for owl_3.json"))] == ["owl_1.json"]


def test_the_heading_of_a_command_names_no_file() -> None:
    documented = command("python train.py in/owl_2.json", headings=("Owl 4 in the wood",))
    beside = {"in/owl_2.json": ["in/owl_2.json", "in/owl_4.json"]}
    assert file_swaps(documented, beside, read_request("Owl 4 in the wood, please")) == []
    assert [s.mention.value for s in file_swaps(documented, beside, read_request("owl 4, please"))] == ["in/owl_4.json"]


def test_a_numbered_name_is_spelled_as_the_documented_one() -> None:
    for old, new in (("owlnet50", "owlnet101"), ("OwlNet50", "OwlNet101")):
        documented = command(f"python train.py --weights nests/{old}.pth")
        assert [(s.old, s.mention.value) for s in find_swaps(documented, read_request("train OwlNet101"))] == [(old, new)]


def test_a_file_of_its_own_is_exchanged_for_none_of_the_repository() -> None:
    beside = Folders(FILES).beside([TRAIN])
    assert file_swaps(TRAIN, beside, read_request("train the lark with /home/me/my.yaml")) == []
    assert file_swaps(TRAIN, beside, read_request("train the lark with my.yaml")) == []
    for text in (
        "train the lark",
        "train the lark with /home/me/my.csv",
        "train the lark with configs/lark_v1.yaml",
        "train the lark, lark_v1.yaml",
    ):
        assert [s.mention.value for s in file_swaps(TRAIN, beside, read_request(text))] == ["configs/lark_v1.yaml"]
