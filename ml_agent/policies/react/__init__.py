"""The policy `react`: a chat model that reasons, acts through the tools and observes, with a short plan (Yao et al., arXiv 2210.03629)."""

from ml_agent.policies.react.policy import React, ReactSettings

__all__ = ["React", "ReactSettings"]
