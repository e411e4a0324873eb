"""Templates: which one is taken, and that nothing that is put into one is a template itself."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent import prompts
from ml_agent.errors import UsageError
from ml_agent.prompts import SUFFIX, Prompts, names

ATTACKS = [
    "{{ 7 * 191 }}",
    "{% for x in range(10 ** 9) %}x{% endfor %}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{# gone #}",
    "{% raw %}",
    "{% include 'own/message.md.j2' %}",
    "<b>&amp;</b>",
    "\\{{ x }}",
]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in place of ml-agent's own, with one template."""
    folder = tmp_path / "own"
    (folder / "policy").mkdir(parents=True)
    (folder / f"policy/message{SUFFIX}").write_text("The task:\n{% if loud %}\n{{ text | upper }}\n{% else %}\n{{ text }}\n{% endif %}\n")
    (folder / f"policy/other{SUFFIX}").write_text("Other.\n")
    monkeypatch.setattr(prompts, "OWN", folder)
    monkeypatch.setattr(names, "__defaults__", (folder,))
    return folder


def theirs(folder: Path, text: str, name: str = "policy/message") -> Path:
    path = folder / "theirs" / (name + SUFFIX)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return folder / "theirs"


def test_a_template_is_filled_in(own: Path) -> None:
    assert Prompts().render("policy/message", text="train", loud=False) == "The task:\ntrain"
    assert Prompts().render("policy/message", text="train", loud=True) == "The task:\nTRAIN"
    assert names() == ["policy/message", "policy/other"]


def test_a_folder_takes_the_place_of_some(own: Path, tmp_path: Path) -> None:
    made = Prompts(theirs(tmp_path, "Mine: {{ text }}"))
    assert made.render("policy/message", text="x", loud=False) == "Mine: x"
    assert made.render("policy/other") == "Other."


def test_a_template_that_nobody_would_read_is_said(own: Path, tmp_path: Path) -> None:
    folder = theirs(tmp_path, "Mine", "policy/mesage")
    with pytest.raises(UsageError, match=r"policy/mesage\.md\.j2 is in place of no prompt of ml-agent; there are: policy/message"):
        Prompts(folder)
    with pytest.raises(UsageError, match="is no folder"):
        Prompts(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{{ nosuch }}", "'nosuch' is undefined"),
        ("{% if text %}", "is no template"),
        ("{{ text.nosuch }}", "cannot be filled in"),
        ("{{ 1 / 0 }}", "ZeroDivisionError"),
        ("{{ ''.__class__.__mro__ }}", "unsafe"),
        ("{{ text.__class__.__init__.__globals__ }}", "unsafe"),
        ("{% include '../../secret' %}", "cannot be filled in"),
        ("{% include '/etc/passwd' %}", "cannot be filled in"),
    ],
)
def test_a_wrong_template_is_said_in_one_line(own: Path, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "secret").write_text("secret")
    made = Prompts(theirs(tmp_path, text))
    with pytest.raises(UsageError, match=words) as caught:
        made.render("policy/message", text="x", loud=False)
    assert "\n" not in str(caught.value)


def test_a_prompt_that_is_not_there(own: Path) -> None:
    with pytest.raises(UsageError, match="policy/nosuch"):
        Prompts().render("policy/nosuch")


def test_a_value_that_is_missing_is_an_error(own: Path) -> None:
    with pytest.raises(UsageError, match="'loud' is undefined"):
        Prompts().render("policy/message", text="x")


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_put_in_is_never_a_template(own: Path, attack: str) -> None:
    assert Prompts().render("policy/message", text=attack, loud=False) == f"The task:\n{attack}"


@given(value=st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(ATTACKS))
def test_any_value_comes_through_unchanged(value: str) -> None:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = Prompts()._environment()
    assert isinstance(environment, SandboxedEnvironment)
    assert environment.undefined is StrictUndefined
    assert environment.from_string("<{{ text }}>").render(text=value) == f"<{value}>"


def test_every_own_prompt_can_be_read() -> None:
    """Each is rendered by the test of its policy; here, that there is none that jinja2 refuses."""
    made = Prompts()._environment()
    for name in names():
        made.get_template(name + SUFFIX)
        assert os.path.exists(prompts.OWN / (name + SUFFIX))
