"""Repositories of several programs, asked for whole commands."""

import random
from collections.abc import Iterator
from typing import Any

from ml_agent.benchmarks.phrasings.asking import Form
from ml_agent.benchmarks.phrasings.catalogues import Repository, repositories
from ml_agent.benchmarks.phrasings.command_lines import CommandLine, Syntax, WholeCommand, read


def commands(tasks: int, seed: int) -> Iterator[Repository]:
    """Of the repositories in turn."""
    return repositories("repositories", tasks, seed, _requests)


def _requests(name: str, data: dict[str, Any], tasks: int, chance: random.Random) -> Iterator[tuple[str, tuple[WholeCommand, ...]]]:
    """Of each form in turn."""
    syntax = Syntax.read(data.get("syntax", {}))
    forms = [(Form.read(each), each) for each in data["requests"]]
    for number in range(tasks):
        form, known = forms[number % len(forms)]
        asked = form.ask(chance)
        values = {key: said.value for key, said in asked.named.items()}
        program, arguments = known["program"].format(**values), known.get("arguments", "")
        settings = {said.name: said.value for said in asked.settings}
        wanted = tuple(
            _command(f"{program} {each.format(**values)}", syntax).setting(settings)
            for each in (arguments if isinstance(arguments, list) else [arguments])
        )
        yield asked.text, (WholeCommand(name, wanted, len(_command(program, syntax).words), syntax),)


def _command(line: str, syntax: Syntax) -> CommandLine:
    command = read(line, ".", syntax)
    assert command is not None, line
    return command
