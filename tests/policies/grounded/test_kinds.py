from typing import Any

import pytest

from ml_agent.policies.grounded.kinds import (
    alike_named,
    extension,
    file_kind,
    in_style_of,
    is_boolean,
    is_no_settings,
    is_of_format,
    likeness,
    same_scheme,
    takes_kind,
)
from tests.policies.grounded.support import option


@pytest.mark.parametrize(
    ("value", "ending", "kind"),
    [
        ("clips/Rain.WAV", ".wav", "audio"),
        ("runs/best.pth", ".pth", "weights"),
        ("a.b/frame.jpeg", ".jpeg", "image"),
        ("ratings.csv", ".csv", "table"),
        ("dqn.yaml", ".yaml", "config"),
        ("play.mkv", ".mkv", "video"),
        ("runs/model.ckpt-800", ".ckpt", "weights"),
        ("owl.base-16", "", None),
        ("main.py", ".py", None),
        ("https://birds.org/day", "", "url"),
        ("https://birds.org/day.jpg", ".jpg", "image"),
        ("v1.5", "", None),
        ("data/", "", None),
        ("", "", None),
    ],
)
def test_the_kind_of_a_file_is_its_extensions(value: str, ending: str, kind: str | None) -> None:
    assert extension(value) == ending
    assert file_kind(value) == kind


def test_options_that_take_a_kind() -> None:
    assert takes_kind(("input", "wav"), "audio")
    assert takes_kind(("resume", "from"), "weights")
    assert not takes_kind(("resume", "from"), "audio")


def test_likeness_to_documented_values() -> None:
    assert likeness("b/night.wav", ("a/day.wav",)) > 0.5
    assert likeness("b/day2.wav", ("a/day.wav",)) > likeness("b/night.wav", ("a/day.wav",))
    assert likeness("tiny_v2", ("tiny_v1", "other")) > 0.75
    assert likeness("tiny_v2.wav", ("tiny_v1",)) == 0.0
    assert likeness("b/owl.png", ("lark.jpg",)) > 0.5 > likeness("b/owl.png", ("lark.wav",))
    assert likeness("large", ("tiny_v1",)) == likeness("x", ()) == 0.0
    assert likeness("a/day", ("a/day/",)) == 1.0
    assert likeness("https://birds.org/owls", ("http://trees.net/a-long-tale",)) >= 0.75
    assert likeness("b/day.wav", ("https://birds.org/night.wav",)) > 0.5


@pytest.mark.parametrize(
    ("fields", "boolean"),
    [
        ({"type": "bool"}, True),
        ({"type": "str2bool"}, True),
        ({"type": "string_to_bool"}, True),
        ({"type": "utils.parse_bool"}, True),
        ({"default": "False"}, True),
        ({"type": "str", "default": "False"}, False),
        ({"type": "int"}, False),
        ({"type": "bool", "choices": ("True", "False")}, False),
    ],
)
def test_options_that_take_yes_or_no(fields: dict[str, Any], boolean: bool) -> None:
    assert is_boolean(option("--x", **fields)) is boolean


def test_names_that_are_made_alike() -> None:
    assert likeness("owl-base", ("barn-owl-base-uncased",)) > 0.6
    assert likeness("owl", ("barn-owl-base-uncased",)) == 0
    assert likeness("owl-base", ("data/birds",)) == 0


def test_how_alike_names_must_be_can_be_lowered() -> None:
    assert likeness("marsh", ("march_v1",)) == 0.0
    assert 0.5 <= likeness("marsh", ("march_v1",), least=0.5) < 0.75
    assert likeness("marsh", ("owl",), least=0.5) == 0.0


def test_names_of_two_owners_and_of_none() -> None:
    assert likeness("nest/owl-base", ("other/barn-owl-base",)) > 0.6
    assert likeness("owl-base", ("other/barn-owl-base",)) > 0.6  # the owner may be left out
    assert likeness("owl-base.pth", ("barn-owl-base",)) == 0.0
    assert likeness("ab-owl", ("cabin-elks",)) == likeness("cabin-elks", ("ab-owl",)) == 0.0  # short parts are in common by chance


@pytest.mark.parametrize(
    ("value", "example", "written"),
    [
        ("OwlNet-50", "owlnet18", "owlnet50"),
        ("Owlx-Tiny", "owlx-s", "owlx-tiny"),
        ("Owlx-Tiny", "owlx_s", "owlx_tiny"),
        ("Owlx-Tiny", "Owlx-S", "Owlx-Tiny"),
        ("LarkNet-50", "owlnet18", "LarkNet-50"),
        ("OwlNet-50", "nests/owlnet18", "OwlNet-50"),
        ("OWL-2B", "nest/owl-350m", "nest/owl-2b"),
        ("LARK-2B", "nest/owl-350m", "LARK-2B"),
        ("v2.1", "2.0", "2.1"),
        ("OwlNetB", "owlneta", "owlnetb"),
        ("OwlNetB", "OwlNetA", "OwlNetB"),
        ("LarkB", "owlneta", "LarkB"),
        ("v2.1", "v2.0", "v2.1"),
    ],
)
def test_a_name_is_written_as_its_kin(value: str, example: str, written: str) -> None:
    assert in_style_of(value, [example]) == written


def test_names_are_alike_that_begin_with_the_same_word() -> None:
    assert alike_named("OwlNet-50", "owlnet18")
    assert not alike_named("OwlNet-50", "owl18")
    assert not alike_named("OwlNet-50", "owlnet.yaml")


def test_names_of_one_family_are_like_each_other() -> None:
    assert likeness("o5-base", ("o5-3b",)) >= 0.6
    assert likeness("OwlMaze-v2", ("LarkTower-v2",)) >= 0.6
    assert likeness("OwlMaze", ("LarkTower",)) == 0.0


@pytest.mark.parametrize(
    ("value", "chunks", "held"),
    [
        ("nests/owl.sdf", ("ligands", "sdf"), True),
        ("nests/owl.jpg", ("owl", "png"), True),
        ("nests/owl.pdb", ("ligands", "sdf"), False),
        ("nests/owl", ("ligands", "sdf"), None),
        ("nests/owl.sdf", ("ligands", "text"), None),
    ],
)
def test_the_ending_that_an_options_name_holds(value: str, chunks: tuple[str, ...], held: bool | None) -> None:
    assert is_of_format(value, chunks) is held


def test_no_settings_stand_in_a_table() -> None:
    assert is_no_settings("tea.csv")
    assert is_no_settings("nests/tea.sdf")
    assert not any(map(is_no_settings, ("tea.yaml", "tea.json", "tea.xml", "tea.txt", "tea")))


def test_names_of_one_scheme() -> None:
    assert same_scheme("wren-base", "owl-base-v1")
    assert not same_scheme("wren-base", "owl-large")
    assert not same_scheme("wren-base", "moor")
