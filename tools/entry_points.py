"""The tool `entry_points`: programs that can be run, their options, and the commands that are documented for them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.repo.commands import Command
from ml_agent.repo.entrypoints.base import EntryPoint, Option
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.paths import relative, under
from ml_agent.tools.text import cap, plain, shorten
from ml_agent.trajectory import Observation

if TYPE_CHECKING:
    from ml_agent.repo.index import RepoIndex


_TOP, _COMMANDS = 8, 3
"""Programs of which documented commands come along that do not fit by their own words, and how many of each."""
Scored = list[tuple[float, EntryPoint]]


class EntryPointsData(TypedDict):
    entry_points: list[dict[str, Any]]
    """Each the fields of `EntryPoint`, tuples as lists, and `score`: how well it fits the query, 0 without one. Best first."""
    commands: list[dict[str, Any]]
    """Each the fields of `Command` and `score`, the same way."""
    unread: list[str]
    """What could not be read of these programs, each with `path:line`."""


class EntryPointsArguments(Arguments):
    query: Text | None = Field(None, description="Words to look for: programs and documented commands that fit them best come first.")
    path: Text | None = Field(None, description="Only the program at this path, or the programs below this folder.")
    limit: int = Field(
        25,
        ge=1,
        le=500,
        description="Most programs to return that fit by themselves; documented commands: twice as many, each with its program.",
    )


class EntryPoints(Tool[EntryPointsArguments]):
    """Find the programs that can be run and each option they take: type, default, choices, whether it is required.

    The commands that READMEs and scripts give for them come along, with the file and line where they stand. Options were read
    from the code itself, so an option that is not listed here does not exist, unless the program is called open-ended.
    """

    name = "entry_points"
    arguments = EntryPointsArguments

    def call(self, arguments: EntryPointsArguments, context: Context) -> Observation:
        index, query, limit = context.workspace.index, arguments.query, arguments.limit
        path = "." if arguments.path is None else relative(arguments.path)
        if query is None:
            programs = [(0.0, e) for e in index.entry_points]
            commands = [(0.0, c) for c in index.commands]
        else:
            programs = index.search_entry_points(query, len(index.entry_points))
            commands = index.search_commands(query, len(index.commands))
        programs = [(score, e) for score, e in programs if under(e.path, path)]
        commands = [(score, c) for score, c in commands if under(c.target, path)]
        if path != "." and not programs and not commands and not index.files.is_file(path) and not index.files.is_folder(path):
            raise ToolError(f"there is no file or folder {path!r}")
        shown, documented = programs[:limit], commands[: 2 * limit]
        if query is not None:
            documented = [*documented, *_of_programs(shown[:_TOP], documented, index)]
            shown = [(score, index.with_settings_files(e)) for score, e in _with_targets(shown, documented, index)]
        data: EntryPointsData = {
            "entry_points": [plain(e) | {"score": score} for score, e in shown],
            "commands": [plain(c) | {"score": score} for score, c in documented],
            "unread": [note for _, e in shown for note in e.unread],
        }
        parts = [_program(e) for _, e in shown] or ["no program was found"]
        if len(programs) > limit:
            parts.append(f"[{len(programs) - limit} programs more; give query, path or a higher limit]")
        if documented:
            parts.append("documented commands:\n" + "\n".join(_command(c) for _, c in documented))
        return Observation(cap("\n\n".join(parts), hint="give path or a smaller limit"), data)


def _with_targets(programs: Scored, commands: Sequence[tuple[float, Command]], index: "RepoIndex") -> Scored:
    """Also the programs that the commands found run, however badly their own words fit."""
    have = {e.path for _, e in programs}
    targets = dict.fromkeys(c.target for _, c in commands if c.target not in have)
    return [*programs, *((0.0, e) for path in targets if (e := index.entry_point(path)))]


def _of_programs(
    programs: Sequence[tuple[float, EntryPoint]], commands: Sequence[tuple[float, Command]], index: "RepoIndex"
) -> list[tuple[float, Command]]:
    """The documented commands of the best programs of which none was found: their options may fit where no word of a document does."""
    have = {c.target for _, c in commands}
    return [(0.0, c) for _, e in programs if e.path not in have for c in index.commands_of.get(e.path, ())[:_COMMANDS]]


def _program(entry: EntryPoint) -> str:
    title = f"{entry.path}  run: {' '.join(entry.run)}  ({entry.kind}{', open-ended: may take more options' if entry.open_ended else ''})"
    lines = [title]
    if entry.description:
        lines.append("  " + shorten(entry.description, 200))
    for command in dict.fromkeys((None, *(o.command for o in entry.options))):
        if command is not None:
            names = [a for a, name in entry.command_aliases if name == command]
            lines.append("  " + ", ".join((f"sub-command {command}", *names)) + ":")
        indent = "  " if command is None else "    "
        lines += [indent + _option(o) for o in entry.options if o.command == command and (command is None or o.action != "help")]
    lines += [f"  not read: {note}" for note in entry.unread[:5]]
    return "\n".join(lines)


def _option(option: Option) -> str:
    parts = [", ".join((option.name, *(a for a in option.aliases if a != option.name)))]
    if option.takes_value:
        parts.append(option.type or "value")
    else:
        parts.append(option.action)
    if option.nargs is not None:
        parts.append(f"nargs={option.nargs}")
    if option.choices is not None:
        parts.append("{" + shorten(",".join(option.choices), 150) + "}")
    if option.required:
        parts.append("required")
    elif option.default is not None:
        parts.append(f"default={shorten(option.default, 60)}")
    if option.help:
        parts.append("- " + shorten(option.help, 100))
    return " ".join(parts)


def _command(command: Command) -> str:
    place = "" if command.workdir == "." else f"(in {command.workdir}) "
    text = " ".join((command.text or " ".join(command.words), *(f"{operator} {file}" for operator, file in command.redirects)))
    return f"  {place}{shorten(text, 400)}  [{command.source}]"
