import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.shell import ShellCommand, parse
from tests.commandline import environment
from tests.pace import within


def words(command: ShellCommand) -> list[str]:
    return [w.text for w in command.words]


def only(text: str) -> ShellCommand:
    (command,) = parse(text).commands
    return command


def test_words_lose_their_quotes_and_keep_their_place() -> None:
    text = "python -u train.py --name 'a b' --x=\"c d\" e\\ f $'g\\th'\n"
    command = only(text)
    assert words(command) == ["python", "-u", "train.py", "--name", "a b", "--x=c d", "e f", "g\th"]
    for word in command.words:
        assert text.encode()[word.start : word.end].decode() == word.raw


def test_offsets_are_bytes() -> None:
    text = "echo é ü\npython ß.py"
    word = parse(text).commands[1].words[1]
    assert (word.text, word.line) == ("ß.py", 2)
    assert text.encode()[word.start : word.end] == "ß.py".encode()


def test_variables_are_put_in() -> None:
    script = parse('A=1\nexport B="x y" C=$A-c\npython t.py ${A}/z "$B" $B "--n=${C}" ${U:-d e} "${V:-f g}" $A$A')
    assert words(script.commands[0]) == ["python", "t.py", "1/z", "x y", "x", "y", "--n=1-c", "d", "e", "f g", "11"]
    assert script.variables == {"A": "1", "B": "x y", "C": "1-c"}


def test_arrays() -> None:
    script = parse('args=(--lr 0.1 "a b")\nargs+=(--fast)\npython t.py "${args[@]}" ${args[1]}')
    assert words(script.commands[0]) == ["python", "t.py", "--lr", "0.1", "a b", "--fast", "0.1"]


def test_what_is_not_known_stays() -> None:
    command = only('python t.py $UNKNOWN "${UNKNOWN}" ${UNKNOWN}_x $1 $(date) "a $(date)" ${X%.*}')
    assert words(command)[2:] == ["$UNKNOWN", "$UNKNOWN", "${UNKNOWN}_x", "$1", "$(date)", "a $(date)", "${X%.*}"]
    assert [w.dynamic for w in command.words] == [False, False] + [True] * 7
    assert command.words[4].variables == ("UNKNOWN",)


def test_single_quotes_keep_a_dollar() -> None:
    word = parse("A=1; echo '$A'").commands[0].words[1]
    assert (word.text, word.dynamic) == ("$A", False)


@pytest.mark.parametrize(
    ("text", "folders"),
    [
        ("cd a && python x.py", ["a"]),
        ("cd a; cd b/..; python x.py; cd ..; python x.py", ["a", "."]),
        ("(cd a; python x.py); python x.py", ["a", "."]),
        ("pushd a; python x.py; popd; python x.py", ["a", "."]),
        ("cd a | python x.py; python x.py", [".", "."]),
        ("cd a; cd -; python x.py", ["."]),
        ("cd $SOMEWHERE; python x.py", [None]),
        ("cd; python x.py", [None]),
        ("cd /data; python x.py", ["/data"]),
        ("f() { cd a; python x.py; }\npython x.py", ["a", "."]),
        ("if [ -d a ]; then cd a; fi; python x.py", [None]),
        ("bash -c 'cd a && python x.py'; python x.py", ["a", "."]),
    ],
)
def test_folder(text: str, folders: list[str | None]) -> None:
    found = [c.cwd for c in parse(text).commands if c.words[0].text == "python"]
    assert found == folders


def test_for_loops_give_their_first_value_and_keep_all() -> None:
    script = parse('for m in a "b c" $NO; do for i in {1..3}; do python t.py --m "$m" --i $i; done; done\npython u.py $m')
    first, after = script.commands
    assert words(first) == ["python", "t.py", "--m", "a", "--i", "1"]
    assert first.loops == (("m", ("a", "b c")), ("i", ("1", "2", "3")))
    assert after.loops == ()


@pytest.mark.parametrize("head", ["i in $(seq 0 2)", "i in {0..2}", "i in 0 1 2", "((i=0; i<3; i++))", "((i = 0; i <= 2; i+=1))"])
def test_counted_loops(head: str) -> None:
    command = only(f"for {head}; do python t.py $i; done")
    assert command.loops == (("i", ("0", "1", "2")),)
    assert command.words[2].text == "0"


def test_a_loop_over_unknown_words_has_no_value() -> None:
    command = only("for f in *.txt; do python t.py $f; done")
    assert words(command) == ["python", "t.py", "$f"]
    assert command.loops == ()


def test_a_branch_overrides_a_default_only_if_it_is_taken() -> None:
    script = parse('LR=0.1\nif [ -n "$1" ]; then LR=$1; fi\nif x; then M=a; else M=b; fi\npython t.py $LR $M')
    assert words(script.commands[-1]) == ["python", "t.py", "0.1", "$M"]


def test_branches_loops_functions_and_pipes_are_walked() -> None:
    text = "if a; then b; elif c; then d; else e; fi\nwhile f; do g; done\nh() { i; }\ncase $x in y) j;; esac\n! k\nl | m && n || o &"
    assert [c.words[0].text for c in parse(text).commands] == list("abcdefgijklmno")
    assert [c.pipeline for c in parse("l | m | n").commands] == [0, 1, 2]


def test_heredocs_and_comments_are_no_commands() -> None:
    text = "cat <<EOF > x\npython no.py\nEOF\n# python no.py\npython yes.py # --no\n"
    assert [words(c) for c in parse(text).commands] == [["cat"], ["python", "yes.py"]]


def test_redirects_and_what_stands_behind_them() -> None:
    command = only("python a.py > log.txt --x 1 2>&1")
    assert words(command) == ["python", "a.py", "--x", "1"]
    assert [(r.operator, r.target) for r in command.redirects] == [(">", "log.txt"), ("2>&", "1")]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_continuation_lines(newline: str) -> None:
    command = parse(f"echo{newline}python a.py \\{newline}   --x 1 \\{newline}   --y{newline}").commands[1]
    assert words(command) == ["python", "a.py", "--x", "1", "--y"]
    assert (command.line, command.words[4].line) == (2, 4)
    assert command.text.split() == words(command)
    assert "\\" not in command.text


def test_assignments_in_front() -> None:
    command = only("CUDA_VISIBLE_DEVICES=0,1 A='b c' python a.py")
    assert command.assignments == (("CUDA_VISIBLE_DEVICES", "0,1"), ("A", "b c"))
    assert words(command) == ["python", "a.py"]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "(" * 50_000 + "x" + ")" * 50_000,
        "$(" * 50_000,
        '"' * 50_001,
        "${a:-" * 50_000,
        "echo " + "a " * 100_000,
        "a" * 1_000_000,
        "a|" * 100_000,
        "a && " * 20_000 + "b",
        "if a; then " * 20_000,
        "a=(" * 20_000,
        "A=$A$A;" * 5_000,
        "A=xxxxxxxx;" + "A=$A$A$A$A;" * 60,
        "bash -c '" * 2_000,
        "cat <<EOF\n" * 20_000,
        "\0" * 1000,
        "\udcff" * 1000 + " \ud83d\ude00",
        "for i in {1..999999999}; do x; done",
    ],
    ids=lambda t: repr(t[:12]),
)
def test_hostile_text_ends_soon(text: str) -> None:
    with within(6):
        script = parse(text)
    assert all(len(c.loops) == 0 or len(c.loops[0][1]) <= 10_000 for c in script.commands)


def test_what_is_not_read_is_said() -> None:
    assert parse("a|" * 100_000).errors
    assert parse("(" * 50_000 + "x" + ")" * 50_000).errors
    assert parse("python x.py 'open").errors


def test_many_pipes_in_a_long_script_are_read() -> None:
    script = parse("python a.py | tee log\n" * 1_500)
    assert (len(script.commands), script.errors) == (3_000, ())


def test_characters_far_up_do_not_crash_the_grammar() -> None:
    """In a process of its own: its scanner read beyond a table and took all of Python with it."""
    code = "from ml_agent.repo.shell import parse\nfor n in (0x3042, 0x3b558, 0xdef9f, 0xf0000, 0x10ffff): parse('x={' + chr(n) + '1}')"
    for _ in range(3):  # where libraries are loaded differs each time
        assert subprocess.run([sys.executable, "-c", code], timeout=30, env=environment()).returncode == 0


def test_characters_of_any_script_are_parts_of_words() -> None:
    assert words(only("python 訓練.py --name 😀\u3000b --тест='ü {😀}' {\U000f0000")) == [
        "python", "訓練.py", "--name", "😀\u3000b", "--тест=ü {😀}", "{\U000f0000",
    ]  # fmt: skip


def test_surrogates_and_nul() -> None:
    script = parse("python \udcff.py\necho a\0b\npython y.py")
    assert words(script.commands[0]) == ["python", "\udcff.py"]
    assert words(script.commands[1]) == ["echo", "ab"]
    assert words(script.commands[2]) == ["python", "y.py"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*"ab$(){}[]'\"`\\|&;<>=#!* \n\t\0é\udcff", "for ", "if ", "do ", "cd a", "<<E\n", "${x:-"]), max_size=60))
def test_any_text(pieces: list[str]) -> None:
    text = "".join(pieces)
    encoded = text.encode("utf-8", "surrogatepass")
    for command in parse(text).commands:
        assert command.words
        for word in command.words:
            assert 0 <= word.start <= word.end <= len(encoded)
            assert 1 <= word.line <= text.count("\n") + 1
            assert "\0" not in word.text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab c$'\"\\*é!", max_size=8), min_size=1, max_size=5))
def test_quoted_words_come_back(arguments: list[str]) -> None:
    import shlex

    command = only("python " + " ".join(map(shlex.quote, arguments)))
    assert words(command)[1:] == arguments
