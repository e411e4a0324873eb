"""Values that documents show for an option beside any command: "for CIFAR we suggest `--model=owlnet`"."""

import re
from collections.abc import Iterable

from ml_agent.repo.documents import Section

_OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)=([A-Za-z][\w./+-]*\w)")
"""With an equals sign: behind a space there may as well be the next word of the sentence."""
MOST = 60
"""Values of one option that are kept."""


def shown_values(sections: Iterable[Section]) -> dict[str, tuple[str, ...]]:
    """An option as it is written, `--model` -> its values in the order of the documents, each once."""
    found: dict[str, dict[str, None]] = {}
    for section in sections:
        for name, value in _OPTION.findall(section.text):
            found.setdefault(name, {})[value] = None
    return {name: tuple(values)[:MOST] for name, values in found.items()}
