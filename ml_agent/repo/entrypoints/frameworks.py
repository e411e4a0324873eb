"""Programs that take their command line with a framework whose objects a walk of the program makes: one walk for all of them."""

from types import ModuleType

from ml_agent.repo.entrypoints import (
    click_reader,
    dataclass_clis,
    docopt_reader,
    fire_reader,
    hf_reader,
    hydra_reader,
    jsonargparse_reader,
    omegaconf_reader,
    optparse_reader,
    typer_reader,
)
from ml_agent.repo.entrypoints.base import EntryPoint
from ml_agent.repo.entrypoints.program import Program
from ml_agent.repo.entrypoints.relevance import FrameworkRelevance
from ml_agent.repo.entrypoints.walk import Maker, Walk

_FRAMEWORKS: tuple[ModuleType, ...] = (
    hydra_reader,
    jsonargparse_reader,
    hf_reader,
    dataclass_clis,
    typer_reader,
    click_reader,
    docopt_reader,
    fire_reader,
    omegaconf_reader,
    optparse_reader,
)
"""Each has MAKERS, what its functions and classes make, and `entry(walk)`, the entry point if the walk found that it reads the
command line. They are asked in this order; another framework is another file and a line here."""
_MAKERS: dict[str, Maker] = {name: maker for framework in _FRAMEWORKS for name, maker in framework.MAKERS.items()}


def read(program: Program) -> EntryPoint | None:
    if not FrameworkRelevance.of(program.sources, program.module.folder).module(program.module):
        return None
    walk = Walk(program, _MAKERS, jsonargparse_reader.OF_CLASSES)
    walk.run()
    for framework in _FRAMEWORKS:
        found: EntryPoint | None = framework.entry(walk)
        if found is not None:
            return found
    return None
