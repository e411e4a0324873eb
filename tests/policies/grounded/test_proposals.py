import os
import subprocess
import sys
from pathlib import Path

from ml_agent.policies.grounded.proposals import KEEP
from tests.policies.grounded.support import first, justified, proposals, write

ROOT = Path(__file__).parents[3]


def parser(*options: str) -> str:
    lines = "\n".join(f"parser.add_argument({o})" for o in options)
    return f"import argparse\n\nparser = argparse.ArgumentParser()\n{lines}\nprint(vars(parser.parse_args()))\n"


FILES = {
    "README.md": (
        "# Zoo of small models\n\n## Speech\n\nTranscribe recordings:\n\n"
        "```bash\ncd speech/ctc\npython train.py --corpus tiny --epochs 5\n```\n\n"
        "## Games\n\nPlay:\n\n"
        "```bash\npython games/play.py --env Pong-v4 --agent dqn\npython games/play.py --env Chess-v0 --agent ppo\n```\n\n"
        "## Tagging words\n\n```python\nfrom zoo import Tagger\ntagger = Tagger(language='en')\nprint(tagger.tag('the cat sleeps'))\n```\n"
    ),
    "speech/ctc/train.py": parser('"--corpus", required=True', '"--epochs", type=int', '"--lr", type=float, help="learning rate"'),
    "speech/rnnt/train.py": parser('"--corpus", required=True', '"--epochs", type=int', '"--beam", type=int'),
    "games/play.py": parser(
        '"--env", default="Pong-v4"', '"--agent", choices=["dqn", "ppo"]', '"--gamma", type=float', '"--n-steps", type=int'
    ),
    "shop/rank.py": parser('"--factors", type=int', '"--ratings"', '"--reg", type=float'),
    "tests/test_play.py": "from games import play\n",
    "zoo/__init__.py": "class Tagger:\n    def __init__(self, language):\n        pass\n    def tag(self, text):\n        return text\n",
}

TASKS = {
    "Train the CTC model on the tiny corpus for 30 epochs with a learning rate of 0.002": (
        "cd speech/ctc && python train.py --corpus tiny --epochs 30 --lr 0.002"
    ),
    "Train the rnnt model for 8 epochs with a beam of 4": "cd speech/rnnt && python train.py --epochs 8 --beam 4 --corpus YOUR_CORPUS",
    "Play Chess-v0 with PPO, gamma 0.95": "python games/play.py --env Chess-v0 --agent ppo --gamma 0.95",
    "Let dqn play pong v4 for 1,000 steps": "python games/play.py --env Pong-v4 --agent dqn --n-steps 1000",
    "Rank the items with 16 factors from the ratings in data/stars.csv": "cd shop && python rank.py --factors 16 --ratings data/stars.csv",
    "Write python code that tags the sentence 'a dog barks loudly'": (
        "from zoo import Tagger\ntagger = Tagger(language='en')\nprint(tagger.tag('a dog barks loudly'))"
    ),
}


def test_the_best_answer(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    for task, answer in TASKS.items():
        made = first(root, task)
        assert made == answer if "\n" in answer else sorted(made.split()) == sorted(answer.split()), task


def test_every_proposal_differs_and_is_justified(tmp_path: Path) -> None:
    root = write(tmp_path, FILES)
    for task in TASKS:
        found = proposals(root, task, frozenset({"zoo"}))
        assert found
        assert len({(p.answer.workdir, p.answer.code) for p in found}) == len(found) <= 2 * KEEP
        assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
        for proposal in found:
            justified(proposal.answer, task, root)
            assert all(m.words in task for m in proposal.left)
            assert (proposal.line is None) == (proposal.answer.language == "python")


def test_the_language_that_is_asked_for_comes_first(tmp_path: Path) -> None:
    root = write(tmp_path, FILES | {"tag.py": parser('"--sentence"')})
    for said, language in (("Write python code that", "python"), ("Give me the shell command that", "bash")):
        found = proposals(root, f"{said} tags the sentence 'a dog barks loudly'", frozenset({"zoo"}))
        assert {p.answer.language for p in found} == {"python", "bash"}
        assert found[0].answer.language == language


def test_nothing_to_propose(tmp_path: Path) -> None:
    root = write(tmp_path, {"README.md": "# Words\n\nOnly words.\n", "data.txt": "1 2 3\n"})
    assert proposals(root, "train it for 3 epochs") == []


PRINT = """\
import sys
from pathlib import Path
from tests.policies.grounded.support import proposals
for task in sys.stdin.read().splitlines():
    for p in proposals(Path(sys.argv[1]), task, frozenset({"zoo", "games"})):
        print(repr((p.score, p.answer, p.left, sorted(p.features.items()))))
"""


def test_the_same_whatever_the_hash_seed(tmp_path: Path) -> None:
    """Sets and dicts of text are in another order in every process."""
    twins = {f"{folder}/fly.py": parser('"--height", type=int') for folder in ("larks", "geese", "cranes", "swifts")}
    root = write(tmp_path, FILES | twins)
    outputs = []
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", PRINT, str(root)],
            input="\n".join([*TASKS, "fly high"]),
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=50,
            check=True,
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    assert outputs[0].count("\n") >= 2 * len(TASKS)
