"""Where in a file something is written. TOML and INI readers do not say; the words are looked for."""

import re
from collections.abc import Callable


class Lines:
    def __init__(self, lines: tuple[str, ...]) -> None:
        self._lines = lines

    def header(self, name: str) -> int:
        """Number of the line `[name]`, spaces and quotes aside; 1 if there is none."""
        wanted = re.sub(r"[\s\"']", "", name)
        for number, line in enumerate(self._lines, 1):
            if line.lstrip().startswith("[") and re.sub(r"[\s\"']", "", line.split("#")[0]).strip("[]") == wanted:
                return number
        return 1

    def key(self, name: str, after: int = 1) -> int:
        """Number of the first line from `after` on that gives this key a value; `after` if there is none."""
        wanted = re.compile(rf"\s*(?:[\w.\-]+\.)?[\"']?{re.escape(name)}[\"']?\s*[=:{{]")
        return self._first(lambda line: wanted.match(line) is not None, after)

    def text(self, written: str, after: int = 1) -> int:
        """Number of the first line from `after` on that holds these words; `after` if there is none."""
        return self._first(lambda line: written in line or written in line.replace('\\"', '"'), after)

    def _first(self, is_it: Callable[[str], bool], after: int) -> int:
        return next((n for n in range(after, len(self._lines) + 1) if is_it(self._lines[n - 1])), after)
