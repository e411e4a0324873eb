import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.shell import ShellCommand, parse, run_target, strip_prompts


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
    started = time.monotonic()
    script = parse(text)
    assert time.monotonic() - started < 6
    assert all(len(c.loops) == 0 or len(c.loops[0][1]) <= 10_000 for c in script.commands)


def test_what_is_not_read_is_said() -> None:
    assert parse("a|" * 100_000).errors
    assert parse("(" * 50_000 + "x" + ")" * 50_000).errors
    assert parse("python x.py 'open").errors


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


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("python train.py --x 1", "file", "train.py"),
        ("python3.10 -u -O ./a/train.py", "file", "a/train.py"),
        ("/usr/bin/python -W ignore train.py", "file", "train.py"),
        ("python -m pkg.train --x", "module", "pkg.train"),
        ("python -um pkg.train", "module", "pkg.train"),
        ("python -m torch.distributed.launch --nproc_per_node=2 --use_env train.py --x", "file", "train.py"),
        ("python -m torch.distributed.run --nproc_per_node 2 -m pkg.train", "module", "pkg.train"),
        ("torchrun --standalone --nproc_per_node 2 train.py --x", "file", "train.py"),
        ("torchrun --nproc_per_node gpu --module pkg.train", "module", "pkg.train"),
        ("accelerate launch --multi_gpu --num_processes 2 train.py", "file", "train.py"),
        ("accelerate launch --config_file c.yaml train.py --config_file d", "file", "train.py"),
        ("deepspeed --num_gpus 8 train.py --deepspeed", "file", "train.py"),
        ("mpirun -np 4 -x PATH --allow-run-as-root python train.py", "file", "train.py"),
        ("horovodrun -np 4 -H localhost:4 python train.py", "file", "train.py"),
        ("srun --gres=gpu:1 -n 1 --partition debug python -u train.py", "file", "train.py"),
        ("srun -p gpu --cpu_bind=v --accel-bind=gn python -m pkg.train", "module", "pkg.train"),
        ("bash -x scripts/run.sh a b", "file", "scripts/run.sh"),
        ("source ./env.sh", "file", "env.sh"),
        (". env.sh", "file", "env.sh"),
        ("./run.sh", "file", "run.sh"),
        ("scripts/run.sh", "file", "scripts/run.sh"),
        ("nohup time env A=1 B=2 python train.py", "file", "train.py"),
        ("timeout -k 5 10m python train.py", "file", "train.py"),
        ("CUDA_VISIBLE_DEVICES=0 nohup python train.py", "file", "train.py"),
        ("poetry run python train.py", "file", "train.py"),
        ("uv run --with numpy train.py", "file", "train.py"),
        ("conda run -n env --no-capture-output python train.py", "file", "train.py"),
        ("xvfb-run -a -s '-screen 0' python train.py", "file", "train.py"),
        ("python -m cProfile -o out.prof train.py --x", "file", "train.py"),
        ("python -m pdb train.py", "file", "train.py"),
        ("coverage run -m pkg.train", "module", "pkg.train"),
        ("python $PWD/train.py", "file", "train.py"),
        ("streamlit run app.py", "file", "app.py"),
    ],
)
def test_run_target(text: str, kind: str, value: str) -> None:
    command = only(text)
    target = run_target(command.words)
    assert target is not None
    assert (target.kind, target.value) == (kind, value)
    assert target.launcher == tuple(words(command)[: target.index])
    assert run_target(words(command)) == target


@pytest.mark.parametrize(
    "text",
    [
        "python -c 'x.py'",
        "pip install x",
        "python",
        "ls train.py",
        "cd a",
        "bash",
        "bash -c 'python x.py'",
        "python -",
        "torchrun",
        "echo a/b.py",
    ],
)
def test_no_target(text: str) -> None:
    assert run_target(parse(text).commands[0].words) is None


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "python -m torchrun -- - -u env A=1 mpirun -np 2 x.py srun bash -c . timeout 5 accelerate launch --x=1 -genv torch.distributed.run conda run -n".split()
        ),
        max_size=8,
    )
)
def test_run_target_never_fails(texts: list[str]) -> None:
    target = run_target(texts)
    assert target is None or texts[target.index].endswith(target.value)


@pytest.mark.parametrize(
    ("code", "stripped", "lines"),
    [
        ("python a.py\npython b.py", "python a.py\npython b.py", (1, 2)),
        ("$ python a.py\nloss 0.1\n$ cd b", "python a.py\ncd b", (1, 3)),
        ("(env) me@host:~/x$ python a.py \\\n>   --x 1\nAcc: 1", "python a.py \\\n  --x 1", (1, 2)),
        ("> python a.py\n> python b.py", "python a.py\npython b.py", (1, 2)),
        ("$ cd a\npython b.py\nEpoch 1", "cd a\npython b.py", (1, 2)),
        ("# python a.py", "python a.py", (1,)),
        ("# Train it\npython a.py", "# Train it\npython a.py", (1, 2)),
        ("import x\n!python a.py --y 1\n%cd b\nprint()", "python a.py --y 1\ncd b", (2, 3)),
        ("!cd a\n%run b.py 1", "(cd a)\npython b.py 1", (1, 2)),
        ("%%bash\npython a.py", "python a.py", (2,)),
        ("%env A=1\n!python a.py", "export A=1\npython a.py", (1, 2)),
        ("x = 1\nif a != 2:\n    pass", "x = 1\nif a != 2:\n    pass", (1, 2, 3)),
    ],
)
def test_strip_prompts(code: str, stripped: str, lines: tuple[int, ...]) -> None:
    assert strip_prompts(code) == (stripped, lines)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="$%>#! ab\\\n()@:~cd", max_size=80))
def test_strip_prompts_keeps_its_lines_together(code: str) -> None:
    stripped, lines = strip_prompts(code)
    assert len(lines) == (stripped.count("\n") + 1 if lines else 0)
    assert list(lines) == sorted(set(lines))
    assert all(1 <= n <= code.count("\n") + 1 for n in lines)
