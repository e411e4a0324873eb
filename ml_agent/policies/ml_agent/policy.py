"""The steps of the policy, in the order of the paper (Tang et al., arXiv 2311.09835), and its refinement."""

import posixpath
from collections.abc import Generator, Mapping
from typing import Any, TypeVar

from ml_agent.errors import NoAnswer
from ml_agent.inputs import guess_language
from ml_agent.models.messages import ChatModel, Message
from ml_agent.policies.ml_agent.asking import Asking
from ml_agent.policies.ml_agent.defects import MlAgentSettings
from ml_agent.policies.ml_agent.documents import Document
from ml_agent.policies.ml_agent.names import nearest, nearest_first, readmes_of, resolve
from ml_agent.policies.ml_agent.schemas import Decided, Feasibility, Final, Parameters, Refined, StepReply
from ml_agent.policies.replies import code_in
from ml_agent.policies.stepwise import Move, Plan, Seen, Stepwise, arguments_of, title
from ml_agent.task import Answer
from ml_agent.trajectory import Observation

RUN_SECONDS = 60.0
"""A run is a proof that the program starts and works, not the whole training."""
_PAGE, _PAGES = 5_000, 20
"""Lines that read_file gives at once, and how many such pieces are read of one file."""
_ERROR_CHARACTERS = 4_000
"""Of what went wrong: its end, where the error stands."""

_Documents = dict[str, Document]
_Found = tuple[Answer, _Documents]
"""Code for the task, and what it was written from."""
_NAME = 300
"""Characters of a wrong name that are told back."""
K = TypeVar("K", bound=StepReply)


class MlAgent(Stepwise):
    """Ranks the READMEs and judges the task, then decides README by README: it has the code, a file has to be read for it, or neither.

    Of a file the parameters are read, and the code is written from them and the README. The arrow of refinement is in the paper's figure
    and not in its code: here the code is run, and an error is read and corrected. `defects.py` lists what differs from the published code.
    """

    name = "ml-agent"
    Settings = MlAgentSettings

    def __init__(self, settings: MlAgentSettings | None = None) -> None:
        self._settings = settings or MlAgentSettings()
        self.model: ChatModel | None = None

    def plan(self) -> Plan:
        if not {"file_tree", "read_file"} <= self.tools:
            raise NoAnswer("the policy ml-agent reads the repository itself: its setting of the benchmark is `agent`")
        assert self.model is not None
        self._asking = Asking(self.model, self._settings, attempt=self.attempt, seed=self.seed)
        (tree,) = yield "List all files.", [("file_tree", {"depth": 50})]
        self._paths = [str(file["path"]) for file in tree.data.get("files", ())]
        self._folders = frozenset((".", *map(str, tree.data.get("folders", ()))))
        readmes = readmes_of(self._paths, md_only=self._has("readme-md-only"))
        if not readmes:
            raise NoAnswer("the repository has no README, which the policy ml-agent begins with")
        texts = {readmes[0]: (yield from self._read(readmes[0], "the README with the shortest path"))}
        ranked = self._ranked(readmes, texts[readmes[0]] or "")
        for path in ranked:
            if path not in texts:
                texts[path] = yield from self._read(path, "the next README of the model's order")
            text = texts[path]
            found = None if text is None else (yield from self._decided(path, text))
            if found is not None:
                yield from self._hand_in(*found)
        raise NoAnswer(f"none of {len(ranked)} READMEs led to code for the task")

    def _ranked(self, readmes: list[str], first: str) -> list[str]:
        """Step 3: READMEs in the order in which the model wants them read. If it names none that is there, those with the shortest path."""
        most = None if self._has("all-readmes") else self._settings.readmes
        documents = {"readme": Document("readme", first), "readmes": Document("readmes", "\n".join(readmes))}
        values: dict[str, Any] = {"repository": _line(self.task.repository.name), "task": self.task.instruction, "most": most}
        judged, said = self._asking.ask(Feasibility, documents, **values)
        names = self._known_readmes(judged, readmes)
        if judged.task_flag == "Yes" and not names and not self._has("unchecked-files"):
            named = ", ".join(judged.ranked_readmefiles) or "none"
            judged, _ = self._asking.ask(Feasibility, documents, (*said, self._missing("README", named, readmes)), **values)
            names = self._known_readmes(judged, readmes) or readmes
        if judged.task_flag == "No":
            raise NoAnswer("the model holds that the repository cannot do the task")
        return names[:most]

    def _known_readmes(self, judged: Feasibility, readmes: list[str]) -> list[str]:
        """Those that are there, or all as they are named."""
        if self._has("unchecked-files"):
            return list(dict.fromkeys(judged.ranked_readmefiles))
        known = (resolve(name, readmes, repository=self.task.repository.name) for name in judged.ranked_readmefiles)
        return list(dict.fromkeys(path for path in known if path is not None))

    def _decided(self, path: str, text: str) -> Generator[Move, Seen, _Found | None]:
        """Step 4 for one README: its code, that of the file that it leads to, or None."""
        documents = {"readme": Document("readme", text), "index": Document("files", "\n".join(nearest_first(self._paths, path)))}
        values: dict[str, Any] = {"task": self.task.instruction, "path": _line(path)}
        decided, said = self._ask(Decided, documents, **values)
        asked_again = False
        while decided.flag == "FILE":
            target = self._file(decided.file_path, path)
            file = None if target is None else (yield from self._read(target, f"{path} leads to it"))
            if target is not None and file is not None:
                return self._from_file(path, text, target, file)
            if asked_again:
                return None
            asked_again = True
            decided, said = self._ask(Decided, documents, (*said, self._missing("file", decided.file_path, self._paths)), **values)
        return None if decided.flag == "No" else (self._answer(decided.written, decided.folder), {"readme": documents["readme"]})

    def _from_file(self, path: str, readme: str, target: str, file: str) -> _Found | None:
        """Steps 5a and 5b: the file's parameters, and the code written from them; None if the model finds that it cannot be."""
        found, _ = self._asking.ask(Parameters, {"file": Document("file", file, ends=True)}, path=_line(target))
        documents = {
            "readme": Document("readme", path if self._has("readme-path") else readme),
            "parameters": Document("parameters", found.args_code),
        }
        written, _ = self._ask(Final, documents, path=_line(target), task=self.task.instruction)
        return None if written.flag == "No" else (self._answer(written.written, written.folder), documents)

    def _hand_in(self, answer: Answer, documents: _Documents) -> Plan:
        """Run the code and submit it; what is wrong with it is shown to the model, as often as refinements are left."""
        left = self._settings.refinements
        while True:
            seconds = min(RUN_SECONDS, self.remaining.seconds - 1.0, self.remaining.sandbox_seconds)
            seen: Observation | None = None
            if left and "run" in self.tools and seconds >= 1.0:
                (seen,) = yield f"Run: {title(answer)}", [("run", {**arguments_of(answer), "timeout": seconds})]
            if seen is None or seen.data.get("outcome") != "failed":
                (seen,) = yield f"Submit: {title(answer)}", [("submit", arguments_of(answer))]
                if not left and seen.error is not None:
                    raise NoAnswer(f"the code cannot be handed in: {seen.text}")
            if left:
                try:
                    answer, left = self._refined(answer, documents, seen), left - 1
                except NoAnswer:  # what there is may still be right
                    left = 0

    def _refined(self, answer: Answer, documents: _Documents, seen: Observation) -> Answer:
        """The code as the model corrects it."""
        tried = {"code": Document("code", answer.code), "error": Document("error", seen.text[-_ERROR_CHARACTERS:])}
        mended, _ = self._ask(Refined, {**documents, **tried}, folder=_line(answer.workdir), task=self.task.instruction)
        return self._answer(mended.written, mended.folder or answer.workdir)

    def _ask(
        self, kind: type[K], documents: Mapping[str, Document], more: tuple[Message, ...] = (), **values: Any
    ) -> tuple[K, tuple[Message, ...]]:
        """As Asking.ask; a folder that is not there is told, and asked for again once."""
        reply, said = self._asking.ask(kind, documents, more, **values)
        folder = str(getattr(reply, "folder", ""))
        if not reply.written or self._has("no-folder") or self._has("unchecked-files") or self._folder(folder) is not None:
            return reply, said
        return self._asking.ask(kind, documents, (*said, self._missing("folder", folder, self._folders)), **values)

    def _read(self, path: str, why: str) -> Generator[Move, Seen, str | None]:
        """The text of a file; None if it cannot be read, which ends the task if files are not checked."""
        (seen,) = yield f"Read {path}: {why}.", [("read_file", {"path": path, "lines": _PAGE})]
        if seen.error is not None:
            if self._has("unchecked-files"):
                raise NoAnswer(f"a file that was named cannot be read: {seen.text}")
            return None
        text, total = str(seen.data.get("text", "")), int(seen.data.get("total_lines", 0))
        starts = range(_PAGE + 1, min(total, _PAGE * _PAGES) + 1, _PAGE)
        if starts:
            rest = yield f"Read the rest of {path}.", [("read_file", {"path": path, "start": n, "lines": _PAGE}) for n in starts]
            text = "\n".join([text, *(str(o.data.get("text", "")) for o in rest)])
        return text if total <= _PAGE * _PAGES else f"{text}\n[{total - _PAGE * _PAGES} lines more are not read]"

    def _file(self, named: str, readme: str) -> str | None:
        if self._has("unchecked-files"):
            return named
        return resolve(named, self._paths, beside=posixpath.dirname(readme), repository=self.task.repository.name)

    def _folder(self, named: str) -> str | None:
        return resolve(named, self._folders, repository=self.task.repository.name)

    def _missing(self, kind: str, named: str, known: "list[str] | frozenset[str]") -> Message:
        named = named[:_NAME]
        return self._asking.words("missing", kind=kind, named=_line(named), nearest=[_line(path) for path in nearest(named, known)])

    def _answer(self, written: str, folder: str) -> Answer:
        """Code as it was written into a reply, fences and prompts taken off; from the root if its folder is not there."""
        code = code_in(written) or code_in(f"~~~~~~~~~\n{written}\n~~~~~~~~~")  # it is code, whatever it looks like
        text, language = (code.code, code.language) if code else (written.strip(), guess_language(written))
        if self._has("no-folder"):
            return Answer(language, text)
        return Answer(language, text, (folder.strip() or "." if self._has("unchecked-files") else self._folder(folder)) or ".")

    def _has(self, defect: str) -> bool:
        return self._settings.has(defect)


def _line(name: str) -> str:
    """A name on one line: those of files may hold any character."""
    return " ".join(name.split())
