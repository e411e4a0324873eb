"""The policy `ml-agent`: the baseline of the paper (Tang et al., arXiv 2311.09835), as published or with its defects mended."""

from ml_agent.policies.ml_agent.defects import DEFECTS
from ml_agent.policies.ml_agent.policy import MlAgent

__all__ = ["DEFECTS", "MlAgent"]
