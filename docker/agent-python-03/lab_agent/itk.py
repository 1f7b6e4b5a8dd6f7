"""The interop test kit's `Instruction`: its message type, and where it hides in a message.

The type is built at start from the numbers below; no generated code is needed.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable
from typing import Any

from a2a.types import FilePart, FileWithBytes, Part, TextPart
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

MEDIA_TYPE = 'application/x-protobuf'
FILE_NAME = 'instruction.bin'

_Field = descriptor_pb2.FieldDescriptorProto
# message -> (name, number, kind[, oneof]); a kind is a scalar, '=Message', '*Message' (repeated) or '#Enum'.
_MESSAGES: dict[str, list[tuple[str, int, str] | tuple[str, int, str, str]]] = {
    'Instruction': [
        ('call_agent', 1, '=CallAgent', 'step'),
        ('return_response', 2, '=ReturnResponse', 'step'),
        ('steps', 3, '=SeriesOfSteps', 'step'),
    ],
    'CallAgent': [
        ('transport', 1, 'string'),
        ('agent_card_uri', 2, 'string'),
        ('instruction', 3, '=Instruction'),
        ('streaming', 4, 'bool'),
        ('send_message', 5, '=SendMessageBehavior', 'behavior'),
        ('push_notification', 6, '=PushNotificationBehavior', 'behavior'),
        ('resubscribe', 7, '=ResubscribeBehavior', 'behavior'),
    ],
    'SendMessageBehavior': [],
    'PushNotificationBehavior': [('url', 1, 'string')],
    'ResubscribeBehavior': [],
    'ReturnResponse': [('response', 1, 'string'), ('hold_task', 2, 'bool')],
    'SeriesOfSteps': [('instructions', 1, '*Instruction'), ('response_generator', 2, '#ResponseGenerator')],
}
_SCALARS = {'string': _Field.TYPE_STRING, 'bool': _Field.TYPE_BOOL}


def _message_class() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name='plugfest/itk.proto', package='itk', syntax='proto3')
    generator = file.enum_type.add(name='ResponseGenerator')
    for number, name in enumerate(('RESPONSE_GENERATOR_UNSPECIFIED', 'RESPONSE_GENERATOR_CONCAT')):
        generator.value.add(name=name, number=number)
    for message_name, fields in _MESSAGES.items():
        message = file.message_type.add(name=message_name)
        for name, number, kind, *oneof in fields:
            field = message.field.add(name=name, number=number)
            field.label = _Field.LABEL_REPEATED if kind[0] == '*' else _Field.LABEL_OPTIONAL
            if kind in _SCALARS:
                field.type = _SCALARS[kind]
            else:
                field.type = _Field.TYPE_ENUM if kind[0] == '#' else _Field.TYPE_MESSAGE
                field.type_name = f'.itk.{kind[1:]}'
            if oneof:
                if not message.oneof_decl:
                    message.oneof_decl.add(name=oneof[0])
                field.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName('itk.Instruction'))


Instruction = _message_class()


class BadInstruction(Exception):
    """A part says that it is an instruction, and it is none."""


def instruction_part(instruction: Any) -> Part:
    """The part that carries an instruction to another agent."""
    encoded = base64.b64encode(instruction.SerializeToString()).decode()
    return Part(root=FilePart(file=FileWithBytes(bytes=encoded, mime_type=MEDIA_TYPE, name=FILE_NAME)))


def find_instruction(parts: Iterable[Part]) -> Any | None:
    """The first instruction among the parts: raw bytes that say so, or base64 in a text.

    Returns a `BadInstruction` (not raised) for raw bytes that say so and do not parse.
    """
    for part in parts:
        match part.root:
            case FilePart(file=FileWithBytes() as file) if (
                MEDIA_TYPE == file.mime_type or FILE_NAME == file.name
            ):
                parsed = _parse(_decoded(file.bytes))
                return (
                    parsed
                    if parsed is not None
                    else BadInstruction('the part is no itk.Instruction with a step')
                )
            case TextPart(text=text):
                parsed = _parse_base64(text)
                if parsed is not None:
                    return parsed
    return None


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None


def _parse(encoded: bytes | None) -> Any | None:
    if encoded is None:
        return None
    instruction = Instruction()
    try:
        instruction.ParseFromString(encoded)
    except DecodeError:
        return None
    return instruction if instruction.WhichOneof('step') else None


def _parse_base64(text: str) -> Any | None:
    encoded = _decoded(text)
    instruction = _parse(encoded)
    # Plain words can be base64 too; only an exact image of the message counts.
    if instruction is None or instruction.SerializeToString(deterministic=True) != encoded:
        return None
    return instruction
