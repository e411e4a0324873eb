"""ml-agent: the exact command or script for a task in a machine-learning repository, checked, run and cited."""
