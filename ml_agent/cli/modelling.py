"""The options about the chat model, for the commands that can use one."""

import argparse
from typing import Any

_NAMES = ("model", "base_url", "tool_mode", "context_tokens", "cache")


def add_options(parser: "argparse.ArgumentParser | argparse._ArgumentGroup") -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="provider:model, such as openai:gpt-4o; gguf:PATH serves a file itself")
    parser.add_argument("--base-url", metavar="URL", help="of an OpenAI-compatible service: vLLM, Ollama, llama.cpp, ...")
    parser.add_argument(
        "--tool-mode", default="auto", choices=("auto", "native", "json"), help="how a model calls tools: its own way, or as JSON objects"
    )
    parser.add_argument("--context-tokens", type=int, metavar="N", help="what the model can hold: longer conversations are condensed")
    parser.add_argument("--cache", metavar="FILE", help="keep the model's replies here, and answer the same request from it")


def options_of(args: argparse.Namespace) -> dict[str, Any]:
    """What was given for them, by name."""
    return {name: getattr(args, name) for name in _NAMES}
