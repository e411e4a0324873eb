import shlex

from ml_agent.policies.grounded.inner_options import with_settings
from ml_agent.policies.grounded.settings import Setting
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from tests.policies.grounded.support import command, option, program

HELD = option("--hparams", default="'{}'")


def shown(text: str) -> Command:
    return command(f"python train.py {text}", words=("python", "train.py", *shlex.split(text)), target_index=1)


def inner(made: EntryPoint, *texts: str) -> dict[str, Setting]:
    return {o.name: o for o in with_settings(made, [shown(t) for t in texts]).options if isinstance(o, Setting)}


def test_documents_and_the_program_tell_of_settings() -> None:
    made = program(HELD, settings=(("--hparams", (option("depth", default="3"), option("kind", type="str", default="'owl'"))),))
    found = inner(made, """--hparams '{"depth": 4, "sing": false, "tags": ["a"]}'""", "--hparams settings.json")
    assert list(found) == ["depth", "kind", "sing", "tags"]
    assert (found["depth"].shown, found["kind"].shown) == (True, False)
    assert found["sing"].type == "bool"
    assert (found["tags"].nargs, found["tags"].many, found["tags"].quoted) == ("+", True, True)
    assert all(s.host == "--hparams" and s.style.kind == "json" and not s.positional for s in found.values())
    assert found["sing"].source == "README.md:7"


def test_without_a_document_the_default_says_how_they_are_written() -> None:
    settings = (("--hparams", (option("depth", default="3"),)),)
    assert inner(program(HELD, settings=settings))["depth"].style.kind == "json"
    assert inner(program(option("--hparams"), settings=settings))["depth"].style.kind == "pairs"
    assert inner(program(option("--hparams", nargs="+"), settings=settings))["depth"].style.kind == "words"
    assert inner(program(option("--hparams"))) == {}


def test_the_last_part_of_a_name_is_a_name_if_no_other_has_it() -> None:
    found = inner(program(option("--set")), "--set a.depth=1,a.kind=x,b.kind=y")
    assert [s.aliases for s in found.values()] == [("a.depth", "depth"), ("a.kind",), ("b.kind",)]


def test_no_setting_is_called_as_an_option_is() -> None:
    assert list(inner(program(option("--set"), option("--batch-size")), "--set batch_size=3,depth=1")) == ["depth"]


def test_pairs_that_stand_apart_are_settings_of_no_option() -> None:
    found = inner(program(option("--nest")), "--nest x RUN.DEPTH 4")
    assert [(s.name, s.host, s.aliases) for s in found.values()] == [("RUN.DEPTH", "", ("RUN.DEPTH", "DEPTH"))]
    assert inner(program(option("--kind", choices=("a=b",))), "--kind a=b") == {}


def test_a_file_with_a_sign_in_its_name_is_no_setting() -> None:
    assert inner(program(option("--checkpoint")), "--checkpoint owl_mAP=0.4.pth") == {}
    assert list(inner(program(option("--set")), "--set owl_mAP=0.4.pth")) == ["owl_mAP"]
