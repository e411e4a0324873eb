import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from ml_agent.policies.grounded.affinity import Surroundings
from ml_agent.policies.grounded.bindings import read_bindings
from ml_agent.policies.grounded.compose import build
from ml_agent.policies.grounded.fill import fill
from ml_agent.policies.grounded.inner_options import with_settings
from ml_agent.policies.grounded.request import read_request
from ml_agent.policies.grounded.settings import Setting, claim
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.index import RepoIndex
from ml_agent.task import Answer
from ml_agent.verify import verify
from tests.policies.grounded.support import bash, command, first, flag, justified, line, option, program, write

JSON = option("--hparams", default="'{}'")
NEST = option("--nest")


def documented(text: str) -> Command:
    return command(text, words=tuple(shlex.split(text)), target_index=1)


def answer(text: str, made: EntryPoint, shown: str, *others: str) -> Answer:
    own, rest = documented(shown), [documented(o) for o in others]
    return line(text, with_settings(made, [own, *rest]), own, rest).answer()


@pytest.mark.parametrize(
    ("made", "shown", "other", "wanted"),
    [
        (program(JSON), """--hparams '{"kind": "owl", "learning_rate": 0.1}'""", """--hparams '{"batch_size": 3}'""",
         """--hparams '{"kind": "owl", "learning_rate": 3e-5, "batch_size": 24}'"""),
        (program(JSON), """--hparams "{'learning_rate': 0.1}\"""", """--hparams "{'batch_size': 3}\"""",
         """--hparams '{'"'"'learning_rate'"'"': 3e-5, '"'"'batch_size'"'"': 24}'"""),
        (program(JSON), "--hparams=sing=True,learning_rate=0.1", "--hparams=batch_size=3",
         "--hparams=sing=True,learning_rate=3e-5,batch_size=24"),
        (program(option("--override", aliases=("-o",))), "-o run.learning_rate=0.1", "-o 'a.b=c,,run.batch_size=3'",
         "-o run.learning_rate=3e-5,,run.batch_size=24"),
        (program(option("--hyper", nargs="+")), "--hyper learning_rate:0.1 kind:owl", "--hyper batch_size:3",
         "--hyper learning_rate:3e-5 kind:owl batch_size:24"),
        (program(option("--cfg-options", nargs="+")), "--cfg-options run.learning_rate=0.1", "--cfg-options run.batch_size=3",
         "--cfg-options run.learning_rate=3e-5 run.batch_size=24"),
        (program(option("opts", nargs="...")), "RUN.LEARNING_RATE 0.1", "RUN.BATCH_SIZE 3", "RUN.LEARNING_RATE 3e-5 RUN.BATCH_SIZE 24"),
        (program(option("--opts", nargs="...")), "--opts RUN.LEARNING_RATE 0.1", "--opts RUN.BATCH_SIZE 3",
         "--opts RUN.LEARNING_RATE 3e-5 RUN.BATCH_SIZE 24"),
        (program(option("--set", action="append")), "--set learning_rate=0.1", "--set batch_size=3",
         "--set learning_rate=3e-5 --set batch_size=24"),
    ],
)  # fmt: skip
def test_settings_are_replaced_and_added_in_the_way_that_is_documented(made: EntryPoint, shown: str, other: str, wanted: str) -> None:
    found = answer("a learning rate of 3e-5 and a batch size of 24", made, f"python train.py {shown}", f"python train.py {other}")
    assert found.code == f"python train.py {wanted}"


def test_what_the_request_does_not_name_stays_as_it_is() -> None:
    shown = """python train.py --hparams '{"kind": "owl", "tags": ["a", "b"], "sing": false, "more": {"x": 1}}' --nest reeds"""
    assert answer("the nest is 'hedge'", program(JSON, NEST), shown).code == shown.replace("reeds", "hedge")


def test_the_programs_own_options_go_first() -> None:
    shown = """python train.py --nest reeds --hparams '{"nest": "x", "nest_depth": 3}'"""
    assert answer("the nest is 'hedge'", program(JSON, NEST), shown).code == shown.replace("reeds", "hedge")


def test_wishes_set_truth_values_as_the_settings_write_them() -> None:
    shown = """python train.py --hparams '{"sing_loud": true}'"""
    assert answer("do not sing loud", program(option("--hparams")), shown).code.endswith("""'{"sing_loud": false}'""")
    inner = (option("sing_loud", type="bool", default="True"), option("fly_far", type="bool", default="False"))
    made = program(JSON, settings=(("--hparams", inner),))
    assert answer("without sing loud, with fly far", made, shown).code.endswith("""'{"sing_loud": false, "fly_far": true}'""")


def test_settings_that_only_the_program_defines_take_no_mere_names() -> None:
    made = program(JSON, NEST, settings=(("--hparams", (option("name", type="str", default="'x'"), option("depth", default="3"))),))
    found = line("named 'hedge_large' with a depth of 5", with_settings(made, []))
    assert found.answer().code.endswith("""--hparams '{"depth": 5}'""")


def test_a_whole_value_in_the_request_is_taken_as_it_is() -> None:
    shown = """python train.py --hparams '{"kind": "owl"}'"""
    own, request = documented(shown), read_request("""use --hparams '{"depth":5}'""")
    made = with_settings(program(JSON), [own])
    filled = fill(made, [own], request, Surroundings(request), bindings=read_bindings(request))
    assert build(made, own, [own], filled, [], request).answer().code == """python train.py --hparams '{"depth":5}'"""


def test_an_option_with_other_values_too_holds_no_settings() -> None:
    made = with_settings(program(NEST), [documented("python train.py --nest a=b"), documented("python train.py --nest reeds")])
    assert [o.name for o in made.options] == ["--nest"]


def test_other_options_stand_before_the_pairs() -> None:
    made = program(option("opts", nargs="..."), flag("--sing"))
    found = answer("a batch size of 4, with sing enabled", made, "python train.py RUN.BATCH_SIZE 3")
    assert found.code == "python train.py --sing RUN.BATCH_SIZE 4"


def test_evidence_is_of_the_whole_value() -> None:
    text = "a learning rate of 3e-5 and a batch size of 24, please"
    found = answer(text, program(JSON), "python train.py --hparams=learning_rate=0.1,batch_size=3")
    evidence = justified(found, text)
    assert [e.part for e in evidence] == ["python train.py", "--hparams=learning_rate=3e-5,batch_size=24"]
    assert evidence[1].words == "learning rate of 3e-5 and a batch size of 24"


@pytest.mark.parametrize("hostile", ["it's", "$(touch made)", 'a"b', "a\\b", "two words"])
def test_the_shell_hands_on_what_is_meant(hostile: str, tmp_path: Path) -> None:
    made = program(option("--hparams"), path="show", run=("./show",))
    shown = Command(("./show", "--hparams", '{"kind": "owl"}'), "show", 0, ".", "README.md:7")
    done = line(f"the kind is `{hostile}`", with_settings(made, [shown]), shown).answer().code
    arguments = bash(done, tmp_path)
    assert arguments[0] == "--hparams"
    assert not (tmp_path / "made").exists()


FILES = {
    "README.md": """# Owls

Train the owls:

```
python train_owls.py --nest reeds --hparams '{"kind": "barn", "do_sing": false}'
```
""",
    "train_owls.py": """import argparse
import json

from owls import Config

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nest", required=True)
    parser.add_argument("--hparams", default="{}", help="JSON dict of settings")
    args = parser.parse_args()
    print(Config(args.nest, **json.loads(args.hparams)))
""",
    "owls.py": """class Config:
    def __init__(self, nest, **kwargs):
        self.nest = nest
        self.kind = "barn"
        self.do_sing = True
        self.learning_rate = 1e-3
        self.train_batch_size = 8
        self.__dict__.update(kwargs)
""",
}


def test_from_the_repository_to_a_checked_answer(tmp_path: Path) -> None:
    root = write(tmp_path / "owls", FILES)
    found = first(root, "Train the owls in the nest 'hedge' with a learning rate of 2e-4 and a training batch size of 16")
    wanted = """--hparams '{"kind": "barn", "do_sing": false, "learning_rate": 2e-4, "train_batch_size": 16}'"""
    assert "python train_owls.py --nest hedge" in found
    assert wanted in found
    assert not verify(Answer("bash", f"python train_owls.py --nest hedge {wanted}"), RepoIndex(root)).findings


@pytest.mark.parametrize(
    ("default", "claimed"), [(None, True), ("None", True), ("3", True), ("1e-3", True), ("'oak'", False), ("True", False), ("''", False)]
)
def test_a_number_is_for_a_setting_that_may_be_one(default: str | None, *, claimed: bool) -> None:
    setting = Setting("depth", ("depth",), "nest.py:3", default=default)
    assert bool(claim(setting, "number", known=False)) is claimed
    assert claim(setting, "path", known=False) == 0.0
    assert claim(setting, "number", known=True) == claim(replace(setting, shown=True), "number", known=False) > 0
    assert claim(replace(NEST, default=default), "number", known=False) == 1.0


@pytest.mark.parametrize(("default", "more"), [("'oak'", ""), ("3", """ --hparams '{"depth": 5}'""")])
def test_a_number_is_given_to_a_setting_of_its_kind(default: str, more: str) -> None:
    made = with_settings(program(JSON, settings=(("--hparams", (option("depth", default=default),)),)), [])
    assert line("a depth of 5", made).answer().code == f"python train.py{more}"
