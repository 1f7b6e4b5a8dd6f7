"""Reading the parts of messages and artifacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from a2a.types import DataPart, Part, TextPart


def texts(parts: Iterable[Part]) -> list[str]:
    return [part.root.text for part in parts if isinstance(part.root, TextPart)]


def first_text(parts: Iterable[Part]) -> str:
    """The first text part's text, or the empty string."""
    return next(iter(texts(parts)), '')


def joined_text(parts: Iterable[Part]) -> str:
    """All text parts' text, one after the other."""
    return ''.join(texts(parts))


def data_objects(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """The data parts' objects."""
    return [part.root.data for part in parts if isinstance(part.root, DataPart)]


def text_part(text: str) -> Part:
    return Part(root=TextPart(text=text))


def data_part(data: dict[str, Any]) -> Part:
    return Part(root=DataPart(data=data))
