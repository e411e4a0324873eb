"""The repository's Python modules: what each defines and exports, and where an import would find it. Nothing is imported."""

from ml_agent.repo.modules.definitions import Definition, Misfit, Parameter, Signature
from ml_agent.repo.modules.lookup import Module, PythonModules, nearest_names

__all__ = ["Definition", "Misfit", "Module", "Parameter", "PythonModules", "Signature", "nearest_names"]
