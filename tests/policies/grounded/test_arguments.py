from ml_agent.policies.grounded.arguments import documented_values, find_option, parse_arguments, with_documented_options
from ml_agent.repo.entrypoints import Option
from ml_agent.task import Evidence
from tests.policies.grounded.support import code, command, flag, option, program

LR = option("--lr", aliases=("-l", "--learning-rate"), type="float")
SIZES = option("--sizes", nargs="+", type="int")
PAIR = option("--pair", nargs="2")
FAST = flag("--fast")
SOURCE, TARGET = option("source"), option("target")
MADE = program(LR, SIZES, PAIR, FAST, SOURCE, TARGET)


def parsed(text: str) -> list[tuple[str, list[str], str | None]]:
    items = parse_arguments(MADE, text.split(" ") if text else [], "README.md:3")
    return [(i.name, i.values, i.option.name if i.option else None) for i in items]


def test_options_with_their_values_and_plain_words() -> None:
    assert parsed("in.wav --lr 0.1 --fast out.wav") == [
        ("", ["in.wav"], "source"),
        ("--lr", ["0.1"], "--lr"),
        ("--fast", [], "--fast"),
        ("", ["out.wav"], "target"),
    ]
    assert parsed("") == []


def test_as_many_values_as_the_option_takes() -> None:
    assert parsed("--sizes 3 4 5 --pair a b c --lr 1 d") == [
        ("--sizes", ["3", "4", "5"], "--sizes"),
        ("--pair", ["a", "b"], "--pair"),
        ("", ["c"], "source"),
        ("--lr", ["1"], "--lr"),
        ("", ["d"], "target"),
    ]
    assert parsed("--lr=0.1 x") == [("--lr", ["0.1"], "--lr"), ("", ["x"], "source")]


def test_negative_numbers_are_values() -> None:
    assert parsed("--lr -0.5") == [("--lr", ["-0.5"], "--lr")]


def test_an_option_that_is_not_known_takes_what_follows() -> None:
    assert parsed("--new 3 --other") == [("--new", ["3"], None), ("--other", [], None)]


def test_items_give_back_the_words_that_were_read() -> None:
    for text in ("--lr=0.1", "--lr 0.1", "a --sizes 1 2 --fast b", "--pair=x --new=", "--lr"):
        items = parse_arguments(MADE, text.split(" "), "README.md:3")
        assert [w for i in items for w in i.words()] == text.split(" ")
        assert [i.evidence for i in items] == [Evidence(" ".join(i.words()), None, "README.md:3") for i in items]


def test_finding_an_option() -> None:
    assert find_option(MADE, "--lr") is find_option(MADE, "-l") is LR
    assert find_option(MADE, "--learn") is LR  # an unambiguous prefix
    assert find_option(MADE, "--") is None
    assert find_option(MADE, "--l") is LR  # of two spellings of one option
    assert find_option(program(option("--lr"), option("--lamb")), "--l") is None
    assert find_option(program(LR, prefixes=False), "--learn") is None
    assert find_option(program(LR), "-lr") is None
    assert find_option(program(LR, flag_style="absl"), "-lr") is LR


def test_documented_values() -> None:
    made = command("python train.py in.wav --lr=0.3 --sizes 1 2 --fast --new 7")
    assert documented_values(MADE, made) == {"--lr": ["0.3"], "--sizes": ["1", "2"], "source": ["in.wav"]}


def test_shortened_options_of_documents_are_written_whole() -> None:
    made = program(option("--img-size", type="int"))
    (item,) = parse_arguments(made, ("--img", "640"), "README.md:1")
    assert item.words() == ["--img-size", "640"]


def test_a_setting_in_capitals_is_followed_by_its_value() -> None:
    made = program(option("--config-file"))
    items = parse_arguments(made, ("--config-file", "a.yaml", "SOLVER.BASE_LR", "0.1", "MODEL.WEIGHTS", "x.pkl"), "README.md:1")
    assert [item.words() for item in items] == [["--config-file", "a.yaml"], ["SOLVER.BASE_LR", "0.1"], ["MODEL.WEIGHTS", "x.pkl"]]


def test_a_program_that_takes_more_than_could_be_read_gets_the_documented_options() -> None:
    made = program(option("--lr"), open_ended=True)
    documented = command("python train.py --lr 0.1 --steps 5 --seeds 1 2 3 --fast")
    names = {o.name: (o.action, o.nargs) for o in with_documented_options(made, [documented]).options}
    assert names == {"--lr": ("store", None), "--steps": ("store", None), "--seeds": ("store", "+"), "--fast": ("flag", None)}
    closed = program(option("--lr"), option("--steps"))
    assert with_documented_options(closed, [command("python train.py --lr 0.1 --steps 5 --fast")]) is closed


def test_what_is_documented_of_a_sub_command_is_an_option_of_that_one() -> None:
    sub = option("command", choices=("sing", "fly"), nargs="A...")
    made = program(sub, option("--lr", command="sing"), open_ended=True)
    shown = [command("python train.py sing --lr 0.1 --pitch 3"), command("python train.py fly --pitch 5 --height 4")]
    found = with_documented_options(made, shown)
    assert [(o.name, o.command) for o in found.options[2:]] == [("--pitch", "sing"), ("--pitch", "fly"), ("--height", "fly")]


def test_a_program_of_which_most_documented_options_are_unknown_was_not_read_whole() -> None:
    found = with_documented_options(
        program(option("--lr")), [command("python train.py -src a.txt -out b.txt"), command("python train.py --src c.txt")]
    )
    assert {o.name: o.aliases for o in found.options} == {"--lr": ("--lr",), "-src": ("-src", "--src"), "-out": ("-out",)}
    assert found.open_ended


def test_an_option_is_written_whole_only_if_it_is_known_which() -> None:
    def words(*options: Option) -> list[str]:
        (item,) = parse_arguments(program(*options), ("--img", "640"), "README.md:1")
        return item.words()

    assert words(option("--img-size"), option("--img-depth")) == ["--img", "640"]
    assert words(option("--image-size", aliases=("--img",))) == ["--img", "640"]  # a spelling of its own
    absl = parse_arguments(program(option("--img-size"), flag_style="absl"), ("--img", "3"), "README.md:1")
    assert [item.words() for item in absl] == [["--img", "3"]]


def test_a_setting_in_capitals_behind_an_option_of_many_values_belongs_to_it() -> None:
    made = program(option("--opts", nargs="*"))
    items = parse_arguments(made, ("--opts", "SOLVER.LR", "0.1", "MODEL.DEPTH", "2"), "README.md:1")
    assert [item.words() for item in items] == [["--opts", "SOLVER.LR", "0.1", "MODEL.DEPTH", "2"]]


def test_a_documented_setting_is_an_option_of_a_program_that_takes_more() -> None:
    documented = command("python train.py --config-file a.yaml SOLVER.BASE_LR 0.1")
    made = with_documented_options(program(option("--config-file"), open_ended=True), [documented])
    assert code("train with a base lr of 0.2", made, documented) == "python train.py --config-file a.yaml SOLVER.BASE_LR 0.2"


def test_a_program_of_which_no_option_could_be_read_is_open_ended() -> None:
    made = with_documented_options(program(), [command("python train.py --lr 3 --name owl")])
    assert [(o.name, o.default, o.source) for o in made.options] == [("--lr", "3", "README.md:7"), ("--name", None, "README.md:7")]
    assert made.open_ended


def test_plain_paths_of_documents_are_places_of_a_program_that_was_not_read() -> None:
    documented = [command("python train.py nests/owl/0.toml"), command("python train.py path/to/config.toml --again")]
    made = with_documented_options(program(open_ended=True, kind="plain"), documented)
    assert [(o.name, o.choices) for o in made.options] == [("--again", None), ("config_1", None)]
    assert code("train with nests/wren/mine.toml", made, documented[0]) == "python train.py nests/wren/mine.toml"


def test_a_plain_word_in_front_of_them_is_one_of_those_that_are_documented() -> None:
    documented = [command("python train.py grow a/b.csv"), command("python train.py moult c.csv out/")]
    made = with_documented_options(program(open_ended=True, kind="plain"), documented)
    assert [(o.name, o.choices) for o in made.options] == [("word_1", ("grow", "moult")), ("table_2", None), ("path_3", None)]
    assert with_documented_options(program(open_ended=True, kind="plain"), [command("python train.py grow 3")]).options == ()


def test_files_in_capitals_are_no_settings() -> None:
    assert parsed("SRC.EGG OUT.EGG --fast") == [("", ["SRC.EGG"], "source"), ("", ["OUT.EGG"], "target"), ("--fast", [], "--fast")]
    assert parsed("--fast SRC.EGG --lr 1")[1] == ("", ["SRC.EGG"], "source")


def test_a_letter_with_its_value_in_one_word() -> None:
    assert parsed("-l0.5 --fast") == [("-l", ["0.5"], "--lr"), ("--fast", [], "--fast")]
    assert parsed("-x5")[0] == ("-x5", [], None)


def test_an_option_that_a_document_spells_otherwise() -> None:
    made = program(option("--crop-size"), option("-owls"), option("--a-b"), option("--ab"), flag("-x"))
    given = ["--crop_size", "3", "--owls", "4", "--a_b", "5", "-x", "--X"]
    assert [(i.name, i.values) for i in parse_arguments(made, given, "README.md:7")] == [
        ("--crop-size", ["3"]), ("-owls", ["4"]), ("--a_b", ["5"]), ("-x", []), ("--X", []),
    ]  # fmt: skip


def test_plain_words_are_for_parameters_that_have_no_value_yet() -> None:
    made = program(option("--nest"), option("--egg_size"), option("--owl"), kind="fire", flag_style="fire")
    for name in ("--egg_size", "--egg-size"):
        found = parse_arguments(made, ["a", name, "b", "c"], "README.md:7")
        given = [(i.option.name if i.option else None, i.values) for i in found]
        assert given == [("--nest", ["a"]), ("--egg_size", ["b"]), ("--owl", ["c"])]
