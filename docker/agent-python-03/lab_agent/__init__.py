"""Plugfest's lab agent on the official Python SDK of 0.3; docs/lab-agents.md is its contract."""
