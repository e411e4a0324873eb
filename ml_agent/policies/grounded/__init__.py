"""The policy that needs no model: grounded in what the repository says about itself."""

from ml_agent.policies.grounded.policy import Grounded

__all__ = ["Grounded"]
