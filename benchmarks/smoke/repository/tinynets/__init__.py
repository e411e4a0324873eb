"""Small neural networks in plain Python."""

__version__ = "0.3.0"
