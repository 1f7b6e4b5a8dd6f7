"""Plugfest's lab agent on the official Python SDK; docs/lab-agents.md is its contract."""

# Before any other module of the SDK: where the 0.3 gRPC server is imported first, the client swallows a
# circular import and from then on speaks 1.0 gRPC to 0.3 interfaces (a2a-sdk 1.3.0).
import a2a.client as _first  # noqa: F401
