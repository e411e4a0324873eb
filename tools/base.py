"""What a tool is: a name, a typed argument schema, a docstring that a model can read, and one method."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from pydantic import BaseModel

from ml_agent.limits import Limits
from ml_agent.trajectory import Observation, Trajectory

if TYPE_CHECKING:
    from ml_agent.workspace import Workspace

A = TypeVar("A", bound=BaseModel)

TEXT_LIMIT = 12_000
"""Characters of an Observation's text; what is cut is said at its end."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a tool call may use."""

    workspace: "Workspace"
    limits: Limits
    trajectory: Trajectory


class Tool(ABC, Generic[A]):
    """A tool that a policy can call. Its docstring is what a model reads to choose it."""

    name: ClassVar[str]
    arguments: ClassVar[type[BaseModel]]
    restores: ClassVar[bool] = False
    """It changes the workspace and nothing else, in a moment: when a run is taken up in a new workspace, it is called again."""

    @abstractmethod
    def call(self, arguments: A, context: Context) -> Observation:
        """Do it. Raises ToolError if it cannot be done, InfrastructureError if the surroundings failed."""
