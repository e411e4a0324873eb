"""How docopt would take the words: its usage text is a pattern that the whole command line must fit."""

from collections.abc import Sequence

from ml_agent.repo.entrypoints import EntryPoint
from ml_agent.repo.entrypoints.docopt_grammar import Flag, Matcher, UsageError, Word, parse_usage
from ml_agent.verify.findings import Finding
from ml_agent.verify.reading import Argument, finding


def check_docopt(entry: EntryPoint, arguments: Sequence[Argument]) -> list[Finding]:
    if not entry.usage or any(a.several for a in arguments):
        return []
    try:
        usage = parse_usage(entry.usage)
        reader = _Reader(entry, usage.flags)
        words = reader.read([a.text for a in arguments])
        if reader.findings or reader.answers:
            return reader.findings
        left = Matcher().left(usage.pattern, words)
    except UsageError:
        return []
    place = " ".join(a.text for a in arguments)[:80] or entry.path
    if left is None:
        return [finding(entry, "missing", f"`{entry.path}` cannot be called so: its usage text has no such form", place)]
    if left:
        text = left[0].text
        message = f"`{entry.path}` takes {text!r} in no form of its usage together with the other words"
        return [finding(entry, "positional", message, text)]
    return []


class _Reader:
    """Takes options with their values out of the words."""

    def __init__(self, entry: EntryPoint, flags: Sequence[Flag]) -> None:
        self._entry, self._flags = entry, flags
        self.findings: list[Finding] = []
        self.answers = False
        """`--help` or `--version`: the program answers and exits."""

    def read(self, texts: list[str]) -> list[Word]:
        words: list[Word] = []
        rest = list(texts)
        while rest:
            text = rest.pop(0)
            if text == "--":
                words += [Word(t) for t in (text, *rest)]
                break
            if text.startswith("--"):
                self._long(text, rest, words)
            elif text.startswith("-") and text != "-":
                self._shorts(text, rest, words)
            else:
                words.append(Word(text))
        return words

    def _long(self, text: str, rest: list[str], words: list[Word]) -> None:
        name, equals, _ = text.partition("=")
        found = [f for f in self._flags if f.long == name] or [f for f in self._flags if f.long and f.long.startswith(name)]
        if len(found) != 1:
            self._unknown(text, name, "could be any of " + ", ".join(f.name for f in found) if found else "")
            return
        flag = found[0]
        if flag.takes and not equals:
            if not rest or rest[0] == "--":
                self.findings.append(finding(self._entry, "value", f"`{flag.name}` needs a value", text))
                return
            rest.pop(0)
        elif equals and not flag.takes:
            self.findings.append(finding(self._entry, "value", f"`{flag.name}` takes no value", text, None, flag.name))
            return
        self._note(flag, text, words)

    def _shorts(self, text: str, rest: list[str], words: list[Word]) -> None:
        letters = text[1:]
        while letters:
            name, letters = f"-{letters[0]}", letters[1:]
            flag = next((f for f in self._flags if f.short == name), None)
            if flag is None:
                self._unknown(text, name, "")
                return
            if flag.takes:
                if not letters:
                    if not rest or rest[0] == "--":
                        self.findings.append(finding(self._entry, "value", f"`{flag.name}` needs a value", text))
                        return
                    rest.pop(0)
                letters = ""
            self._note(flag, name, words)

    def _note(self, flag: Flag, text: str, words: list[Word]) -> None:
        self.answers = self.answers or (not flag.takes and flag.name in ("--help", "--version", "-h"))
        words.append(Word(text, flag))

    def _unknown(self, text: str, name: str, ambiguous: str) -> None:
        from rapidfuzz import fuzz, process

        best = process.extractOne(name, [f.name for f in self._flags], scorer=fuzz.ratio, score_cutoff=60)
        message = f"`{name}` {ambiguous}" if ambiguous else f"`{self._entry.path}` takes no option `{name}`"
        suggestion = text.replace(name, best[0], 1) if best else None
        self.findings.append(finding(self._entry, "option", message, text, None, suggestion, sure=not self._entry.open_ended))
