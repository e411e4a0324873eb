"""What a model wrote is read as code, whatever it wrote."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ml_agent.models.messages import Message, ToolLike
from ml_agent.policies.replies import code_in, cut
from ml_agent.task import Answer
from tests.models.parts import Fixed

COMMAND = "python train.py --lr 0.1"
PROGRAM = "import nets\nprint(nets.build())"


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        (f"```bash\n{COMMAND}\n```", "bash", COMMAND),
        (f"Run this:\n\n```sh\n{COMMAND}\n```\nIt trains.", "bash", COMMAND),
        (f"~~~python\n{PROGRAM}\n~~~", "python", PROGRAM),
        (f"```Python title=x\n{PROGRAM}\n```", "python", PROGRAM),
        (f"````python\ns = '''\n```\n'''\n{PROGRAM}\n````", "python", f"s = '''\n```\n'''\n{PROGRAM}"),
        (f"```python\r\n{PROGRAM}".replace("\n", "\r\n"), "python", PROGRAM),  # never closed
        (f"```\n{COMMAND}\n```", "bash", COMMAND),
        (f"```\n{PROGRAM}\n```", "python", PROGRAM),
        (f"```console\n$ {COMMAND}\nepoch 1 loss 3\n```", "bash", COMMAND),
        (f"```bash\n(env) me@box:~/x$ {COMMAND}\n```", "bash", COMMAND),
        (">>> import nets\n>>> nets.build()\n3".join(("```pycon\n", "\n```")), "python", "import nets\nnets.build()"),
        (f"```text\nnot this\n```\n```bash\n{COMMAND}\n```", "bash", COMMAND),
        (f"```bash\n\n```\n```bash\n{COMMAND}\n```", "bash", COMMAND),
        (f"```python\n{COMMAND}\n```", "bash", COMMAND),
        (f"```python\ncd nets\n{COMMAND}\n```", "bash", f"cd nets\n{COMMAND}"),
        (f"```bash\n{PROGRAM}\n```", "python", PROGRAM),
        ("```python\nif x\n```", "python", "if x"),
        (f"<think>\n```bash\npython draft.py\n```\n</think>\n```bash\n{COMMAND}\n```", "bash", COMMAND),
        (f"so\n```bash\npython draft.py\n```\n</think>\n{COMMAND}", "bash", COMMAND),
        (f"```python\n{PROGRAM}\nprint('</think>')\n```", "python", f"{PROGRAM}\nprint('</think>')"),
        (COMMAND, "bash", COMMAND),
        (f"cd nets && {COMMAND}", "bash", f"cd nets && {COMMAND}"),
        (PROGRAM, "python", PROGRAM),
    ],
)
def test_code(text: str, language: str, code: str) -> None:
    assert code_in(text) == Answer(language, code)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "I cannot do that.",
        "```bash\n```",
        "```console\n$ \n```",
        f"<think>```bash\n{COMMAND}\n```",
        "Use the program of the README.",
    ],
)
def test_no_code(text: str) -> None:
    assert code_in(text) is None


@given(
    st.text()
    | st.lists(st.sampled_from(["```", "~~~", "bash", "\n", "$ ", "python x.py", ">>> ", "\r\n", " ", "```python\n", "x"])).map("".join)
)
def test_any_text_is_read(text: str) -> None:
    code = code_in(text)
    assert code is None or (code.code.strip() and code.language in ("bash", "python"))


class Counting(Fixed):
    """A token for each character."""

    def count(self, messages: Sequence[Message], tools: Sequence[ToolLike] = ()) -> int:
        return sum(len(message.text) for message in messages)


@given(st.text(max_size=400), st.integers(0, 300))
def test_a_cut_text_fits_and_says_what_is_left_out(text: str, tokens: int) -> None:
    shown = cut(text, tokens, Counting())
    if len(text) <= tokens:
        assert shown == text
        return
    kept, _, note = shown.rpartition("\n[the rest, ")
    assert text.startswith(kept)
    assert len(kept) <= tokens
    assert note.endswith(" characters, is left out]")
    assert int(note.split()[0]) == len(text) - len(kept)
