"""The tool `show_usage`: a program's help, without running it."""

from pydantic import Field

from ml_agent.errors import ToolError
from ml_agent.repo.programs import NoSuchProgram
from ml_agent.tools.arguments import Arguments, Text
from ml_agent.tools.base import Context, Tool
from ml_agent.tools.facts import usage_data
from ml_agent.tools.text import cap
from ml_agent.trajectory import Observation


class ShowUsageArguments(Arguments):
    program: Text = Field(min_length=1, description="A program: its path, the name of its file, its module, or its installed command.")
    command: Text | None = Field(None, description="A sub-command of it: 'train', or 'remote add' for one of another.")


class ShowUsage(Tool[ShowUsageArguments]):
    """Show how a program of the repository is used, as its own --help would print it, without running it.

    entry_points finds programs, and gives the file and line of each option.
    """

    name = "show_usage"
    arguments = ShowUsageArguments

    def call(self, arguments: ShowUsageArguments, context: Context) -> Observation:
        try:
            data = usage_data(context.workspace.index, arguments.program, arguments.command)
        except NoSuchProgram as error:
            raise ToolError(str(error)) from None
        return Observation(cap(data["usage"]), data)
