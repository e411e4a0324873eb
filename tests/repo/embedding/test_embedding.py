import subprocess
import sys

import pytest

from ml_agent.errors import UsageError
from ml_agent.repo.embedding import DEFAULT, load_embedder


@pytest.mark.parametrize("name", [DEFAULT, "openai:text-embedding-3-small", "st:sentence-transformers/all-MiniLM-L6-v2"])
def test_an_embedder_bears_the_name_it_was_asked_for(name: str) -> None:
    assert load_embedder(name).name == name


@pytest.mark.parametrize("name", ["", "minilm ", "openai:", "st:", "word2vec", "MINILM"])
def test_unknown_names_say_what_there_is(name: str) -> None:
    with pytest.raises(UsageError, match=r"^unknown embedder .*take minilm, openai:MODEL or st:MODEL$"):
        load_embedder(name)


def test_naming_an_embedder_loads_no_library() -> None:
    code = """if True:
        import sys
        from ml_agent.repo.embedding import load_embedder
        from ml_agent.repo.vectors import VectorStore
        from pathlib import Path
        for name in ("minilm", "openai:m", "st:m"):
            VectorStore(Path("/nowhere"), load_embedder(name))
        heavy = "onnxruntime tokenizers httpx torch chromadb sentence_transformers filelock numpy".split()
        print([name for name in heavy if name in sys.modules])
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout.strip() == "[]", done.stderr
