"""Reading the parts of messages and artifacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from a2a.types.a2a_pb2 import Part
from google.protobuf.json_format import MessageToDict


def first_text(parts: Iterable[Part]) -> str:
    """The first text part's text, or the empty string."""
    return next((part.text for part in parts if part.HasField('text')), '')


def joined_text(parts: Iterable[Part]) -> str:
    """All text parts' text, one after the other."""
    return ''.join(part.text for part in parts if part.HasField('text'))


def data_objects(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """The data parts that hold an object."""
    values = [MessageToDict(part.data) for part in parts if part.HasField('data')]
    return [value for value in values if isinstance(value, dict)]
