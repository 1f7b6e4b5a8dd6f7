"""Reading the data parts of messages and artifacts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from a2a.types.a2a_pb2 import Part
from google.protobuf.json_format import MessageToDict

Fields = dict[str, Any]


class Refused(Exception):
    """What a caller asks for does not fit; the text goes to the caller."""


def fields_of(parts: Iterable[Part]) -> Fields:
    """The objects of the data parts, taken together."""
    fields: Fields = {}
    for part in parts:
        value = MessageToDict(part.data) if part.HasField('data') else None
        if isinstance(value, dict):
            fields.update(value)
    return fields


def require_only(fields: Fields, names: tuple[str, ...]) -> None:
    """An agent is told what it needs to know and nothing else, so a further field is refused, too."""
    missing = [name for name in names if name not in fields]
    further = [name for name in fields if name not in names]
    if missing:
        raise Refused(f'missing: {", ".join(missing)}')
    if further:
        raise Refused(f'not needed here, so not to be sent: {", ".join(further)}')


def text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value:
        raise Refused(f'{name} is no text')
    return value


def number(fields: Fields, name: str) -> float:
    value = fields.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise Refused(f'{name} is no number')
    return value


def objects(fields: Fields, name: str) -> list[Fields]:
    value = fields.get(name)
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise Refused(f'{name} is no list of objects')
    return value


def object_in(fields: Fields, name: str) -> Fields:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise Refused(f'{name} is no object')
    return value
