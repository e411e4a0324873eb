import pytest

from ml_agent.policies.grounded.arguments import parse_arguments
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.unfilled import (
    alternatives,
    is_open,
    stands_for_something,
    variables_to_set,
    with_variables,
    without_open,
)
from tests.policies.grounded.support import code, command, given, option, program

LAMPS, NEEDED = option("--lamps"), option("--house", required=True)
MADE = program(LAMPS, NEEDED, option("--epochs", type="int"), option("room"))


@pytest.mark.parametrize(
    "value",
    [
        "<path>",
        "/path/to/lamps",
        "your_key",
        "[names of lamps, comma separated]",
        "{path to the file}",
        '["{pattern of the files}"]',
        "[owl/lark]",
        "<owl|lark>",
        "OWL_PATH",
        "NEST_SIZE",
        "nests/SRC.EGG",
        "CONFIG.yaml",
        "CONFIGURATION",
        "owl/folder/or/file",
        "dir you want to save the output",
        "the folder with all owls",
        "name of the owl",
    ],
)
def test_what_is_no_value(value: str) -> None:
    assert stands_for_something(value)


@pytest.mark.parametrize(
    "value",
    [
        "[red, blue]",
        "[red,blue]",
        '{"red lamp": 1}',
        "{red: 1, blue: 2}",
        "two words",
        "name of owls",
        "owl dir you want to save",
        "the owl in a folder",
        "lamps/red",
        "$DIR/lamps",
        "[1/2]",
        "OWL",
        "OWL_V2",
        "SIZE_OF_OWL",
        "README.md",
    ],
)
def test_what_is_one(value: str) -> None:
    assert not stands_for_something(value)


def test_the_values_of_which_one_is_to_be_put_in() -> None:
    assert alternatives("[owl/lark]") == alternatives("{owl|lark}") == ("owl", "lark")
    assert alternatives("<owner/owl>") == alternatives("[owl,lark]") == alternatives("owl/lark") == ()


def test_only_in_a_script_is_a_variable_left_open() -> None:
    assert is_open("$out/lamps", command("python train.py", source="go.sh:3"))
    assert not is_open("$out/lamps", command("python train.py"))


def rest(text: str, **fields: str) -> list[str]:
    documented = command(text, **fields)
    return [w for i in without_open(parse_arguments(MADE, documented.arguments, documented.source), documented) for w in i.words()]


def test_an_optional_argument_that_is_but_a_placeholder_is_left_out() -> None:
    assert rest("python train.py --lamps <path> --epochs 3") == ["--epochs", "3"]
    assert rest("python train.py --lamps $LAMPS --epochs 3") == ["--lamps", "$LAMPS", "--epochs", "3"]
    assert rest("python train.py --lamps $LAMPS --epochs 3", source="go.sh:1") == ["--epochs", "3"]


def test_what_is_needed_stays() -> None:
    assert rest("python train.py <room> --house <path>") == ["<room>", "--house", "<path>"]


def test_an_override_goes_and_a_given_value_stays() -> None:
    made = program(option("out", assigned=True), option("lamps", assigned=True), flag_style="hydra")
    documented = command("python train.py out={folder} lamps=<names>")
    assert code("train into runs/red (out=runs/red)", made, documented) == "python train.py out=runs/red"


def variables(text: str, documented: str, *names: str) -> dict[str, str]:
    found = command(documented, variables=names)
    items = parse_arguments(program(LAMPS, option("--house")), found.arguments, found.source)
    return {name: m.value for name, m in variables_to_set(items, found, read_request(text).mentions)}


BOTH = "python train.py --lamps $LAMPS_DIR/a.txt --house ${HOUSE_DIR}"


def test_a_variable_is_set_to_what_shares_a_word_with_it() -> None:
    assert variables("use red_house/ here", BOTH, "LAMPS_DIR", "HOUSE_DIR") == {"HOUSE_DIR": "red_house/"}
    both = variables("use /data/lamps and /data/house", BOTH, "LAMPS_DIR", "HOUSE_DIR")
    assert both == {"LAMPS_DIR": "/data/lamps", "HOUSE_DIR": "/data/house"}


def test_else_to_the_only_path_there_is() -> None:
    assert variables("use /data/x", BOTH, "LAMPS_DIR", "HOUSE_DIR") == {"LAMPS_DIR": "/data/x"}
    assert variables("use /data/x and /data/y", BOTH, "LAMPS_DIR", "HOUSE_DIR") == {}


def test_a_name_that_shares_its_word_with_a_variable_is_not_put_elsewhere() -> None:
    assert variables("use Lamps-Red v2/lamps", "python train.py --house $HOUSE_DIR", "LAMPS_DIR", "HOUSE_DIR") == {}
    assert variables("use Lamps-Red", BOTH, "LAMPS_DIR", "HOUSE_DIR") == {}


def test_only_a_variable_that_still_stands_in_the_line_is_set() -> None:
    documented = command("python train.py --lamps $LAMPS_DIR", variables=("LAMPS_DIR",))
    text = "train with lamps from /data/red on tiny/corpus"
    assert code(text, program(LAMPS), documented) == "python train.py --lamps /data/red"


def test_a_variable_is_not_set_to_what_it_is_called_nor_to_what_the_line_says() -> None:
    documented = "python train.py --lamps $LAMPS_DIR/red --house blue"
    assert variables("use LAMPS_DIR", documented, "LAMPS_DIR") == {}
    assert variables("use /lamps/red", documented, "LAMPS_DIR") == {"LAMPS_DIR": "/lamps/red"}


@pytest.mark.parametrize("variable", ["$NEST", "${NEST}", "<nest>"])
def test_an_option_is_called_as_the_variable_that_it_is_documented_with(variable: str) -> None:
    documented = command(f"python train.py --checknest {variable}")
    assert given("sing of nest 3", option("--checknest"), option("--songs", type="int"), commands=[documented]) == {"--checknest": "3"}


def test_a_variable_whose_name_says_nothing_is_no_name_of_an_option() -> None:
    made = option("--checknest", aliases=("-c",))
    assert with_variables(made, ["$NEST", "<moor>"]).aliases == ("--checknest", "-c", "--moor", "--nest")
    assert with_variables(made, ["$NAME", "<path>", "$X", "nest", "$NEST/a"]) is made


@pytest.mark.parametrize("variable", ["GPU", "NUM_WORKERS", "NEST_PORT"])
def test_a_path_is_not_put_into_a_variable_of_a_number(variable: str) -> None:
    assert variables("use /data/red", f"python train.py --house ${variable}", variable) == {}
    both = f"python train.py --house ${variable} --lamps $NEST"
    assert variables("use /data/red", both, variable, "NEST") == {"NEST": "/data/red"}
