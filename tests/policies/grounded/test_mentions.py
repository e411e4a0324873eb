"""Which words of a request are values, and what kind."""

import pytest

from ml_agent.policies.grounded.request import read_request


def mentioned(text: str) -> list[tuple[str, str]]:
    return [(m.kind, m.value) for m in read_request(text).mentions]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("of 128x128", "shape", "128x128"),
        ("of 256 x 256", "shape", "256x256"),
        ("of 128 by 64", "shape", "128x64"),
        ("of 3x32x32.", "shape", "3x32x32"),
        ("steps 1/2/4", "shape", "1/2/4"),
        ("the 2x plan", "identifier", "2x"),
        ("read owl.v2.pth.tar.", "path", "owl.v2.pth.tar"),
        ("at tcp://localhost:99.", "path", "tcp://localhost:99"),
        ("from s3://nest/eggs", "path", "s3://nest/eggs"),
        ("all of /songs/owl/*wav", "path", "/songs/owl/*wav"),
        ("below songs/", "path", "songs/"),
        ("read 'songs/big owl.mp3'", "path", "songs/big owl.mp3"),
        ("read 'owl.pth'", "path", "owl.pth"),
        ("say 'an owl/lark'", "quoted", "an owl/lark"),
        ("take OwlT-B/16", "identifier", "OwlT-B/16"),
        ("take owl-base-uncased", "identifier", "owl-base-uncased"),
        ("read nest.owl", "identifier", "nest.owl"),
        ("read eggs.nl and go", "identifier", "eggs.nl"),
        ("read hatch.nl-fy.list", "identifier", "hatch.nl-fy.list"),
        ("write egg_%03d.png", "path", "egg_%03d.png"),
        ("all .png files", "identifier", ".png"),
        ("use Owl-v1", "identifier", "Owl-v1"),
        ("use cuda:0", "identifier", "cuda:0"),
        ("an OWL-sized bird", "name", "OWL"),
        ("call the study hoot", "word", "hoot"),
        ("a study called hoot", "word", "hoot"),
        ("a study called Hoot", "name", "Hoot"),
        ("put into the folder hoots", "path", "hoots"),
        ("with the model dir owls", "path", "owls"),
        ("look in folder owls", "path", "owls"),
        ("look in the directory Owls2, please", "path", "Owls2"),
        ("from dir owls and on", "path", "owls"),
        ("hooting logs in hoots", "word", "hoots"),
        ("search owl.test", "identifier", "owl.test"),
    ],
)
def test_one_value(text: str, kind: str, value: str) -> None:
    assert mentioned(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "top-1 and pre-activation", "OK, in May or on Monday", "w/o and/or n/a", "as an mp4 in 3D",
        "several V100s and an A100", "on top, on disk", "name the output file and go", "I call it a day", "GB, Hz and kHz",
        "a code-base", "keen on hooting", "watch folder owls", "in folder owls hoot",
    ],
)  # fmt: skip
def test_no_value(text: str) -> None:
    assert mentioned(text) == []


def test_what_is_taken_is_not_asked_for() -> None:
    assert mentioned("card 0 is taken, 8887 is already in use or 99 are busy") == [("number", "8887")]


def test_a_sentence_ends_behind_a_path() -> None:
    assert mentioned("read nests/owls. None fits") == [("path", "nests/owls")]


def test_parts_of_a_shape() -> None:
    for text in ("(1, 3, 64)", "1x3x64", "1 by 3 by 64", "1/3/64", "[1,3,64]"):
        (mention,) = read_request(text).mentions
        assert mention.parts == ("1", "3", "64")
    (number,) = read_request("64 owls").mentions
    assert number.parts == ("64",)


@pytest.mark.parametrize(
    ("text", "hub"), [("nest/owl-7b", True), ("nest/owl.yaml", False), ("./nest/owl", False), ("a/b/c", False), ("/nest/owl", False)]
)
def test_a_hub_name_has_two_parts_and_no_extension(text: str, hub: bool) -> None:
    (mention,) = read_request(f"take {text}").mentions
    assert mention.kind == "path"
    assert mention.may_be_hub_name is hub


def test_quotes_around_a_number_say_only_that_it_is_one() -> None:
    assert mentioned("'100' owls at `0.5` of \"(3, 4)\"") == [("number", "100"), ("number", "0.5"), ("shape", "(3,4)")]


@pytest.mark.parametrize("text", ["the results go to hoots.", "songs are saved in hoots", "predictions land in hoots, please"])
def test_where_things_are_put(text: str) -> None:
    assert ("word", "hoots") in mentioned(text)


def test_a_folder_may_say_how_it_was_made() -> None:
    assert mentioned("take nests/owl=big/last.pt") == [("path", "nests/owl=big/last.pt")]


def test_a_name_belongs_to_a_folder_only_beside_it() -> None:
    assert mentioned("take owl_v2 in the ./nests/ folder") == [("path", "./nests/owl_v2")]
    assert mentioned("take owl_v2, with songs in nests/") == [("identifier", "owl_v2"), ("path", "nests/")]


def test_the_name_of_the_repository_is_no_value() -> None:
    assert [m.value for m in read_request("train my own OwlNet on LARKS", "owl-net").mentions] == ["LARKS"]
    assert [m.value for m in read_request("train my own OwlNet on LARKS").mentions] == ["OwlNet", "LARKS"]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("count 30 eggs instead of 20", ["30"]),
        ("count 30 eggs rather than the 20", ["30"]),
        ("instead of the usual 20 I want 30 eggs", ["30"]),
        ("rather than its customary 20 eggs count 30", ["30"]),
        ("take the OwlNet, not LarkNet", ["OwlNet"]),
        ("take the OwlNet (not LarkNet)", ["OwlNet"]),
        ("take the OwlNet, not LarkNet alone", ["OwlNet", "LarkNet"]),
        ("do not take 20", ["20"]),
    ],
)
def test_what_is_said_only_to_be_passed_over_is_no_value(text: str, values: list[str]) -> None:
    assert [value for _, value in mentioned(text)] == values


def test_a_folder_of_another_clause_is_not_the_names() -> None:
    assert mentioned("train owl_v2 that lies in nests/") == [("identifier", "owl_v2"), ("path", "nests/")]
    assert mentioned("train owl_v2 as the README says")[1:] == []


def test_data_and_the_folder_that_they_are_in_are_two() -> None:
    assert mentioned("sing on owl_v2 in the ./nests/ folder") == [("identifier", "owl_v2"), ("path", "./nests/")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("the item column sku", ["sku"]),
        ("the column to be predicted is price, and two owls", ["price", "2"]),
        ("the columns Tlog and wind", ["Tlog", "wind"]),
        ("all columns are read", []),
        ("4 GPUs, one process per GPU", ["4"]),
    ],
)
def test_names_of_columns(text: str, values: list[str]) -> None:
    assert [m.value for m in read_request(text).mentions] == values


@pytest.mark.parametrize(
    ("text", "values"),
    [("Owl2 in the folder ./nests", ["./nests/Owl2"]), ("Owl2 of rank 8 on my folder ./nests", ["Owl2", "8", "./nests"])],
)
def test_what_is_inside_of_a_folder(text: str, values: list[str]) -> None:
    assert [m.value for m in read_request(text).mentions] == values
