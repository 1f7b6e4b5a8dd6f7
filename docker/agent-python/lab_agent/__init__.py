"""Plugfest's lab agent on the official Python SDK; docs/lab-agents.md is its contract."""
