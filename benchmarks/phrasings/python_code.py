"""Libraries whose README has snippets, asked for Python code."""

import random
from collections.abc import Iterator
from typing import Any

from ml_agent.benchmarks.phrasings.asking import Form, Said
from ml_agent.benchmarks.phrasings.calls import Argument, Signatures, literal, signatures
from ml_agent.benchmarks.phrasings.catalogues import Repository, repositories


def code(tasks: int, seed: int) -> Iterator[Repository]:
    """Of the libraries in turn."""
    return repositories("libraries", tasks, seed, _requests)


def _requests(name: str, data: dict[str, Any], tasks: int, chance: random.Random) -> Iterator[tuple[str, tuple[Argument, ...]]]:
    """Of each form in turn."""
    sources = [text for path, text in data["files"].items() if path.endswith(".py")]
    known: Signatures = {**signatures(sources), **data.get("external", {})}
    forms = [(Form.read(each), {**each.get("named", {}), **each.get("settings", {})}) for each in data["requests"]]
    for number in range(tasks):
        form, settings = forms[number % len(forms)]
        asked = form.ask(chance)
        wanted = [
            _argument(target, said, settings[said.name].get("calls", ""), known)
            for said in (*asked.named.values(), *asked.settings)
            for target in settings[said.name].get("sets", [said.name] if "." in said.name else [])
        ]
        yield asked.text, tuple(wanted)


def _argument(target: str, said: Said, calls: str, known: Signatures) -> Argument:
    """`target` is a parameter behind the name of its function; several functions that take the same have `|` between them."""
    function, _, parameter = target.rpartition(".")
    names = tuple(each.rpartition(".")[2] for each in function.split("|"))
    return Argument(f"{target}: {said.phrase}", names, parameter, literal(said.value), tuple(known[function]), calls)
