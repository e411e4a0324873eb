"""Chat models by name: messages in, a reply with text, tool calls and usage out; one retry layer, budgets, cache, recordings.

Nothing here imports langchain, openai or tenacity before a model is loaded.
"""
