import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ml_agent.repo.shell import strip_prompts
from ml_agent.repo.shell.prompts import gives_arguments


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
        ("X={GPU ID} python a.py \\\n--x 1\n [--cpu] # on the CPU", "X={GPU ID} python a.py \\\n--x 1\n [--cpu] # on the CPU", (1, 2, 3)),
        ("[me@host ~]# python a.py\nloss 0.1", "python a.py", (1,)),
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


@pytest.mark.parametrize(
    ("words", "shell", "plain"),
    [
        ("brew --leaves 3", True, True),
        ("brew -l", True, True),
        ("brew tea.txt", True, True),
        ("brew teas/green.tea", True, True),
        ("brew ./teas", True, True),
        ("brew /teas", True, True),
        ("brew green tea", True, False),
        ("brew 1.0", False, False),
        ("brew v1.0", False, False),
        ("brew >=1.0", False, False),
        ("brew (1.0)", False, False),
        ("brew green 1.0", False, False),
        ("brew", False, False),
    ],
)
def test_what_a_program_is_given(words: str, *, shell: bool, plain: bool) -> None:
    for within, given_ in ((True, shell), (False, plain)):
        assert gives_arguments(words.split(), shell=within) is given_
