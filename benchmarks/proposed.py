"""What the policy `grounded` thinks of, the best first, before anything is checked or handed in."""

from collections.abc import Sequence

from ml_agent.agent import PlannerLoop
from ml_agent.errors import NoAnswer
from ml_agent.limits import Limits
from ml_agent.policies.grounded import Grounded
from ml_agent.policies.grounded.proposals import Proposal
from ml_agent.policies.stepwise import Plan
from ml_agent.repo.index import RepoIndex
from ml_agent.sandbox.options import Options
from ml_agent.task import Task
from ml_agent.tools import default_tools
from ml_agent.workspace import Workspace

_SECONDS = 100.0


class _Looking(Grounded):
    """Proposes, and hands nothing in."""

    proposals: Sequence[Proposal] = ()

    def plan(self) -> Plan:
        self.proposals, _ = yield from self.look()
        raise NoAnswer("it was only to look")


def proposals(instruction: str, index: RepoIndex) -> Sequence[Proposal]:
    """Without a sandbox: nothing is executed."""
    tools, looking = default_tools(), _Looking()
    del tools["run"]
    with Workspace(index.root, Options(sandbox="none"), index=index) as workspace:
        PlannerLoop(looking).run(Task(instruction, index.root), workspace, tools, Limits(seconds=_SECONDS))
    return looking.proposals
