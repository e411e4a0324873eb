"""The tool `repo_map`: an outline of what matters most to a task."""

from pydantic import Field

from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import TEXT_LIMIT, Context, Tool
from ml_agent.tools.facts import map_data
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation

_CHARACTERS_A_TOKEN = 4
_NOTE = 100
"""Characters for what is said at the end."""


class RepoMapArguments(Arguments):
    task: Text | None = Field(None, description="What the map is for, in words; by default the task of this run.")
    tokens: int = Field(1500, ge=50, le=(TEXT_LIMIT - _NOTE) // _CHARACTERS_A_TOKEN, description="Size of the map, in tokens, about.")


class RepoMap(Tool[RepoMapArguments]):
    """Show an outline of the repository: the functions and classes that matter most to the task, with signatures and line numbers.

    They are chosen by the words of the task and by what refers to what, and grouped by file, the most important file first.
    """

    name = "repo_map"
    arguments = RepoMapArguments

    def call(self, arguments: RepoMapArguments, context: Context) -> Observation:
        task = context.trajectory.task.instruction if arguments.task is None else arguments.task
        found = context.workspace.index.map(task, arguments.tokens)
        note = f"\n[{found.left_out} definitions more; raise tokens, or name in task what you look for]" if found.left_out else ""
        text = found.text or ("no definition fits into so few tokens" if found.left_out else "there are no definitions")
        return Observation(cap(text + note), map_data(found))
