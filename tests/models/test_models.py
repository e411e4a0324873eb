"""Nothing heavy is imported before a model is loaded."""

import subprocess
import sys


def test_importing_is_cheap() -> None:
    modules = "load failures messages retry langchain_model budget cache recording tokens prices redaction local patience".split()
    code = (
        f"import importlib, sys\nfor name in {modules}: importlib.import_module('ml_agent.models.' + name)\n"
        "heavy = {'langchain', 'langchain_core', 'openai', 'tenacity', 'langsmith', 'pydantic', 'xllamacpp', 'bpe_openai', 'httpx'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "[]"
