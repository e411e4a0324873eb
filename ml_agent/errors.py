"""Every error that ml-agent raises on purpose.

The classes say who has to act: the caller (`UsageError`), the policy (`ToolError`), or the surroundings
(`InfrastructureError`). `LimitReached` and `Cancelled` end a run as what they are.
"""


class MlAgentError(Exception):
    """Base of all errors that a caller may want to catch together."""


class UsageError(MlAgentError):
    """Bad input. The message is one line that says what to do; the command line exits with code 2."""


class Departed(UsageError):
    """A run that is taken up or replayed does something else than the recorded one did: its code, prompts or files are others."""


class ToolError(MlAgentError):
    """A tool cannot do what was asked of it. The loop turns it into an Observation for the policy."""


class NoAnswer(MlAgentError):
    """A policy gives up: it has nothing to offer for this task. The run ends without an answer."""


class InfrastructureError(MlAgentError):
    """The surroundings failed: no sandbox, no daemon, a full disk, a dead model. Exit code 3."""


class SandboxUnavailable(InfrastructureError):
    """The sandbox that was asked for cannot be used on this machine.

    `why`, and what to do about it, `remedy`; the message is both. Without a remedy it is `why` alone.
    """

    def __init__(self, why: str, remedy: str = "") -> None:
        super().__init__(f"{why}: {remedy}, or choose another --sandbox" if remedy else why)
        self.why, self.remedy = why, remedy


class LimitReached(MlAgentError):
    """A limit of the run (steps, seconds, tokens, money) is spent.

    `limit` names which one, in the words of `Limits`.
    """

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class Cancelled(BaseException):
    """The user or the system asked the run to stop (SIGINT, SIGTERM).

    Not an `Exception`, for the same reason as KeyboardInterrupt: a handler for failures must not swallow it.
    """
