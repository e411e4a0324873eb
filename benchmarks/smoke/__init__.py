"""The example that is shipped: a small machine-learning repository on the standard library, and tasks for it."""
