"""The policy `grounded+`: grounded proposes, a chat model chooses and fills in."""

from ml_agent.policies.grounded_plus.policy import GroundedPlus

__all__ = ["GroundedPlus"]
