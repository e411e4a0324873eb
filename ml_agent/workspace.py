"""Workspace: one task's private copy of the repository, with its index, environment and sandbox."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import TYPE_CHECKING, Self

from ml_agent.errors import InfrastructureError, ToolError, UsageError
from ml_agent.sandbox import open_sandbox, setups
from ml_agent.sandbox.base import Mount, Sandbox
from ml_agent.sandbox.data import find_data, make_places
from ml_agent.sandbox.environment import Environment, find_environment
from ml_agent.sandbox.holdings import Holdings
from ml_agent.sandbox.options import Options
from ml_agent.sandbox.outcome import ExecutionRecord, not_run, record
from ml_agent.sandbox.private_copy import Snapshot, changed, copy_repository, snapshot, take_out
from ml_agent.sandbox.scratch import Scratch
from ml_agent.sandbox.survey import Survey, survey
from ml_agent.task import Answer

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex

_ANSWER = ".ml_agent_answer"


class Workspace:
    """A context manager: leaving it ends all runs and removes the copy. The repository itself is never written to.

    `.git` is not copied: history, hooks and configuration are no part of what is run. Links that leave the repository
    are left out. What is too large to copy is shown to runs read-only, at its place, and so is the user's own data.
    With a setup command the copy is one of the repository as that command has left it. `mounts` are shown to runs besides, outside it.

    Raises UsageError if `repository` is no folder, or for options that cannot be.
    """

    def __init__(
        self,
        repository: Path,
        options: Options | None = None,
        *,
        index: "RepoIndex | None" = None,
        mounts: Sequence[Mount] = (),
    ) -> None:
        self.repository = Path(os.path.realpath(repository))
        if not self.repository.is_dir():
            raise UsageError(f"{str(repository)!r} is not a folder: give the root of a repository")
        if self.repository == Path(self.repository.anchor):
            raise UsageError("the root of the file system is no repository: give the folder of one")
        self._options = options or Options()
        self._options.check()
        self._data = find_data(self._options.data, self.repository)
        if index is not None:
            self.index = index
        self._scratch: Scratch | None = None
        self._copy: Path | None = None
        self._extra = tuple(mounts)
        self._shown: dict[str, Path] = {data.name: data.source for data in self._data}
        self._copied: Snapshot = {}
        self._sandbox: Sandbox | None = None
        self._environment: Environment | None = None
        self.notes: tuple[str, ...] = ()
        """What is not as a user might expect, one line each; grows with the copy and the sandbox."""

    @cached_property
    def index(self) -> "RepoIndex":
        """The index of the user's repository, as it was given."""
        from ml_agent.repo.index import RepoIndex

        return RepoIndex(self.repository)

    @property
    def environment(self) -> Environment:
        """The interpreter and packages that runs see. Raises UsageError if `python` is none."""
        if self._environment is None:
            self._environment = find_environment(self.repository, self._options.python)
        return self._environment

    @property
    def root(self) -> Path:
        """The private copy, made at first use. Raises InfrastructureError if there is no room for it, and what a setup raises."""
        if self._copy is None:
            if self._scratch is None:
                self._scratch = Scratch()
            target = self._scratch.place() / "repository"
            try:
                target.mkdir()
                found, source = self._survey, self.repository
                if (setup := self._setup) is not None:
                    source = setup.repository
                    found = survey(source)
                notes = copy_repository(source, found, target)
                make_places(self._data, target)
            except OSError as error:
                raise InfrastructureError(f"cannot make {target}: {error.strerror}") from error
            self._shown.update({path: source / path for path in found.shown})
            self._copied = snapshot(target)
            self.notes += (*found.notes, *notes)
            self._copy = target
        return self._copy

    @cached_property
    def _survey(self) -> Survey:
        """Of the user's repository."""
        found = survey(self.repository, leave_out=self._scratch.folder if self._scratch else None)
        self._shown.update({path: self.repository / path for path in found.shown})
        return found

    @cached_property
    def _setup(self) -> setups.Setup | None:
        """What the setup command has made of it; its Environment is then the one that runs see."""
        command, network = self._options.setup, self._options.network != "off"
        if command is None:
            return None
        base, found = self.environment, self._survey
        shown = [Mount(self.repository / path, f"{self.repository}/{path}") for path in found.shown]

        def opened(folder: Path, more: Sequence[Mount]) -> Sandbox:
            return open_sandbox(self._options.sandbox, folder, base, [*shown, *more], inside=str(self.repository), network=network)

        made = setups.provide(command, self.repository, found, base, opened, network=network)
        self._environment = made.environment
        return made

    def set_up(self) -> None:
        """Run the setup command now, if there is one that is not done: it may take long. Raises UsageError if it fails."""
        if self._options.setup is not None:
            assert self._setup is not None

    def _mounts(self) -> list[Mount]:
        return [Mount(source, f"{self.repository}/{name}") for name, source in self._shown.items()]

    def resolve(self, path: str) -> Path:
        """Where `path`, relative to the root, is to be read now: in the private copy, if there is one already, else in the repository.

        Large data that is not copied is read at its own place. Raises ToolError for a path that leaves either.
        """
        clean = os.path.normpath(path or ".")
        if "\0" in path or os.path.isabs(clean) or clean == ".." or clean.startswith("../"):
            raise ToolError(f"{path!r} leads out of the repository: give a path relative to its root")
        top, start = self._copy or self.repository, (self._copy or self.repository) / clean
        for name, source in self._shown.items():
            if clean == name or clean.startswith(name + "/"):
                top = self.repository if source.is_relative_to(self.repository) else source
                start = source / os.path.relpath(clean, name)
        try:
            place = Path(os.path.realpath(start))
            with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
                place.stat()
        except (OSError, ValueError) as error:
            raise ToolError(f"{path[:200]!r} is no path: {error.__class__.__name__}") from error
        if not place.is_relative_to(top):
            raise ToolError(f"{path!r} leads out of the repository")
        return place

    def run(self, command: Sequence[str], *, workdir: str = ".", timeout: float, env: Mapping[str, str] | None = None) -> ExecutionRecord:
        """Run an argument vector in `workdir` for `timeout` seconds at most. `not_run` if there is no sandbox.

        Raises what Sandbox does: ToolError, SandboxUnavailable, InfrastructureError.
        """
        sandbox = self.started()
        if sandbox.name == "none":
            return not_run(sandbox.notes[0] if sandbox.notes else "nothing is run: the sandbox is `none`")
        before = snapshot(self.root)
        result = sandbox.exec(command, workdir=workdir, timeout=timeout, env=env)
        made = self._without_answers(changed(before, snapshot(self.root)))
        return record(result, made, holds_module=self._holdings.holds_module, holds_file=self._holdings.holds_file)

    def run_answer(
        self, answer: Answer, timeout: float, *, launcher: Sequence[str] = (), env: Mapping[str, str] | None = None
    ) -> ExecutionRecord:
        """Run an answer: a command line by bash in its folder, a program as a file in its folder, so that imports work from there.

        `launcher`: words in front of the command.
        """
        workdir = answer.workdir or "."
        if answer.language == "bash":
            return self.run([*launcher, "bash", "-c", answer.code], workdir=workdir, timeout=timeout, env=env)
        sandbox = self.started()
        if sandbox.name == "none":
            return self.run([], timeout=timeout)
        with self._answer_file(answer) as name:
            return self.run([*launcher, self.environment.python, name], workdir=workdir, timeout=timeout, env=env)

    def made(self) -> tuple[str, ...]:
        """Files that are new or changed since the copy was made, relative to the root, sorted."""
        if self._copy is None:
            return ()
        return self._without_answers(changed(self._copied, snapshot(self._copy)))

    def keep(self, folder: Path) -> None:
        """Copy what `made` lists to `folder`, which is made if need be. Links are not followed.

        Raises UsageError if `folder` is a file or stands in the repository, InfrastructureError if there is no room.
        """
        place = Path(os.path.realpath(folder))
        if place.exists() and not place.is_dir():
            raise UsageError(f"{str(folder)!r} is a file: give a folder for what the run makes")
        if place.is_relative_to(self.repository):
            raise UsageError(f"{str(folder)!r} stands in the repository, which is never written to: give another folder")
        if self._copy is not None:
            take_out(self._copy, self.made(), place)

    def close(self) -> None:
        """End all runs and remove the copy; safe to call twice."""
        sandbox, self._sandbox = self._sandbox, None
        scratch, self._scratch, self._copy = self._scratch, None, None
        try:
            if sandbox is not None:
                sandbox.close()
        finally:
            if scratch is not None:
                self.notes += tuple(f"not removed: {line}" for line in scratch.remove())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def started(self) -> Sandbox:
        if self._sandbox is None:
            options = self._options
            if options.sandbox == "none":
                # Neither a copy nor an interpreter is needed to run nothing.
                self._sandbox = open_sandbox("none", self.repository, Environment("", ""))
                return self._sandbox
            copy = self.root  # what is shown is known with it, and the Environment
            place, network = str(self.repository), options.network == "on"
            # Kept first, so that it is closed whatever comes of starting it.
            self._sandbox = open_sandbox(
                options.sandbox,
                copy,
                self.environment,
                [*self._mounts(), *self._extra],
                inside=place,
                network=network,
                image=options.image,
                gpus=options.gpus,
            )
            self._sandbox.start()
            self.notes += self._sandbox.notes
        return self._sandbox

    @contextmanager
    def _answer_file(self, answer: Answer) -> Iterator[str]:
        """A file with the code in the answer's folder; its name. It is removed again."""
        folder = self.resolve(answer.workdir)
        if not folder.is_dir() or not folder.is_relative_to(self.root):
            raise ToolError(f"no such folder in the repository, or one that is read-only: {answer.workdir!r}")
        for number in range(1000):
            path = folder / f"{_ANSWER}{number or ''}.py"
            try:
                # "x": never over a file, or through a link, that is there.
                with path.open("x", encoding="utf-8", errors="strict") as file:
                    file.write(answer.code)
                break
            except FileExistsError:
                continue
            except UnicodeEncodeError as error:
                path.unlink()
                raise ToolError(f"the code holds what is no text: {error}") from error
            except OSError as error:
                raise InfrastructureError(f"cannot write to the workspace: {error.strerror}") from error
        try:
            yield path.name
        finally:
            with suppress(FileNotFoundError):
                path.unlink()

    def _without_answers(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(path for path in paths if not PurePosixPath(path).name.startswith(_ANSWER))

    @cached_property
    def _holdings(self) -> Holdings:
        return Holdings(self._survey.files, (self.repository, self.root))
