"""Shell text read without running it: commands in order, each with its words, folder, variables and loops.

`parse` understands scripts and single command lines alike. Words that name the program that is really run (behind
`python -u`, `torchrun --nproc_per_node 2`, ...) are found by `run_target`; prompts and output of a console block are
dropped by `strip_prompts`.
"""

from ml_agent.repo.shell.launchers import Target, command_word, gives_rank, run_target
from ml_agent.repo.shell.parsing import parse, syntax_tree
from ml_agent.repo.shell.prompts import strip_prompts
from ml_agent.repo.shell.script import Redirect, Script, ShellCommand
from ml_agent.repo.shell.words import Word

__all__ = [
    "Redirect",
    "Script",
    "ShellCommand",
    "Target",
    "Word",
    "command_word",
    "gives_rank",
    "parse",
    "run_target",
    "strip_prompts",
    "syntax_tree",
]
