"""What a chat model wrote, as code to hand in; and texts cut to what it can hold."""

import re

from ml_agent.inputs import guess_language
from ml_agent.models.messages import ChatModel, Message
from ml_agent.task import Answer, Language

_SHELL = {"bash", "sh", "shell", "zsh", "console", "terminal", "shell-session", "shellsession", "cmd"}
_PYTHON = {"python", "python3", "py", "pycon"}
_PROMPT = re.compile(r"^(?:\$|>>>|\.\.\.|(?:\([\w.-]+\)\s*)?\w+@[\w.-]+[:~\w/.-]*[$#])(?: |$)")
_THOUGHT = re.compile(r"^\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)|^(?!\s*(?:```|~~~)).*</think>", re.DOTALL)
"""Some chat templates open the tag themselves: then only its end is in the reply."""
_COMMAND = re.compile(r"\s*(?:cd|python[\d.]*|bash|sh|\./|torchrun|accelerate|deepspeed|[A-Z_]+=\S+)(?:\s|$|\w)")
_IMPORT = re.compile(r"\s*(?:import|from)\s+\w")


def code_in(text: str) -> Answer | None:
    """The code of a reply: its first fenced block that names a language, else its first block, else all of it if it reads as code.

    Prompts of a copied session are taken off, and what it printed; what a model thinks aloud in front (`<think>`) is no answer. None if
    there is no code.
    """
    text = _THOUGHT.sub("", text)
    blocks = _fences(text)
    if blocks:
        named = [block for block in blocks if block[0] in _SHELL | _PYTHON]
        info, code = (named or blocks)[0]
        return _code(info, code)
    return _code("", text) if _reads_as_code(text) else None


def _fences(text: str) -> list[tuple[str, str]]:
    """Language, in lower case, and content of each fenced block that is not empty; one that is never closed goes to the end."""
    from markdown_it import MarkdownIt

    parsed = MarkdownIt("commonmark").parse(text.replace("\r\n", "\n"))
    found = [(token.info.strip().lower().partition(" ")[0].strip("{}."), token.content) for token in parsed if token.type == "fence"]
    return [(info, content) for info, content in found if content.strip()]


def _code(info: str, code: str) -> Answer | None:
    code = _without_prompts(code).strip()
    if not code:
        return None
    language: Language = "bash" if info in _SHELL else "python" if info in _PYTHON else guess_language(code)
    if language == "python" and _COMMAND.match(code) and guess_language(code) == "bash":  # a command line in a block that says python
        language = "bash"
    elif language == "bash" and _IMPORT.match(code) and guess_language(code) == "python":
        language = "python"
    return Answer(language, code)


def _without_prompts(code: str) -> str:
    """Of a copied session the lines behind a prompt, without it; all of any other code."""
    lines = code.splitlines()
    first = next((line for line in lines if line.strip()), "")
    if not _PROMPT.match(first):
        return code
    return "\n".join(_PROMPT.sub("", line) for line in lines if _PROMPT.match(line))


def _reads_as_code(text: str) -> bool:
    """One line that starts like a command, or Python that compiles."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    if not lines:
        return False
    return bool(_COMMAND.match(lines[0])) or guess_language(text) == "python"


def cut(text: str, tokens: int, model: ChatModel) -> str:
    """The beginning of a text that has at most so many tokens for the model; that something is left out is said."""
    count = model.count([Message("user", text)])
    if count <= tokens:
        return text
    kept = len(text)
    while count > tokens and kept:
        kept = min(kept - 1, int(kept * tokens / count * 0.98))
        count = model.count([Message("user", text[:kept])])
    shown = text[: max(0, kept)]
    shown = shown.rsplit("\n", 1)[0] if "\n" in shown else shown
    return f"{shown}\n[the rest, {len(text) - len(shown)} characters, is left out]"
