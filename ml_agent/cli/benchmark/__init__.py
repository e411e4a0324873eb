"""The sub-commands of `ml-agent bench`."""
