"""What the agent's client saw, as the `events` and `error` of a drive result."""

from __future__ import annotations

from typing import Any, get_args

import grpc
from a2a.client.client import ClientEvent
from a2a.client.errors import A2AClientHTTPError, A2AClientJSONRPCError
from a2a.types import (
    A2AError,
    AgentCard,
    Artifact,
    DataPart,
    FilePart,
    FileWithBytes,
    Message,
    Part,
    Task,
    TaskArtifactUpdateEvent,
    TaskPushNotificationConfig,
    TaskStatus,
    TaskStatusUpdateEvent,
    TextPart,
)

from lab_agent.parts import joined_text

Event = dict[str, Any]
_MESSAGE_LIMIT = 1000
_NAMES: dict[int, str] = {
    kind.model_fields['code'].default: kind.__name__
    for kind in get_args(A2AError.model_fields['root'].annotation)
}


class UnsupportedByClient(Exception):
    """The SDK's client has no such call."""


def client_event(event: ClientEvent | Message) -> Event:
    """One event of a stream, or the answer to a unary send."""
    if isinstance(event, Message):
        return _message_event(event)
    task, update = event
    if isinstance(update, TaskStatusUpdateEvent):
        return {
            'kind': 'status',
            'taskId': update.task_id,
            'contextId': update.context_id,
            **_status(update.status),
        }
    if isinstance(update, TaskArtifactUpdateEvent):
        return {
            'kind': 'artifact',
            'taskId': update.task_id,
            'contextId': update.context_id,
            'artifact': _artifact(update.artifact),
            'append': bool(update.append),
            'lastChunk': bool(update.last_chunk),
        }
    return task_event(task)


def task_event(task: Task) -> Event:
    return {
        'kind': 'task',
        'taskId': task.id,
        'contextId': task.context_id,
        **_status(task.status),
        'artifacts': [_artifact(artifact) for artifact in task.artifacts or []],
        'history': len(task.history or []),
    }


def card_event(card: AgentCard) -> Event:
    others = [interface.transport for interface in card.additional_interfaces or []]
    return {
        'kind': 'card',
        'name': card.name,
        'versions': [card.protocol_version or ''],
        'bindings': list(dict.fromkeys([card.preferred_transport or 'JSONRPC', *others])),
        'skills': [skill.id for skill in card.skills],
    }


def push_config_event(config: TaskPushNotificationConfig) -> Event:
    pushed = config.push_notification_config
    return {'kind': 'pushConfig', 'taskId': config.task_id, 'id': pushed.id or '', 'url': pushed.url}


def closed_event(by: str) -> Event:
    return {'kind': 'closed', 'by': by}


def error_object(error: Exception) -> dict[str, Any]:
    """An error by the name and with the code that the SDK's client kept of it."""
    described: dict[str, Any] = {'name': type(error).__name__, 'message': str(error)[:_MESSAGE_LIMIT]}
    if isinstance(error, A2AClientJSONRPCError):
        # The SDK parses every error as the general one, and has the names by code.
        code = error.error.code
        return {**described, 'name': _NAMES.get(code, type(error.error).__name__), 'code': code}
    if isinstance(error, A2AClientHTTPError):
        described['code'] = error.status_code
    if isinstance(error, grpc.aio.AioRpcError):
        described['message'] = f'{error.code().name}: {error.details()}'[:_MESSAGE_LIMIT]
    return described


def _status(status: TaskStatus) -> Event:
    name = status.state.value.replace('-', '_').upper()
    text = joined_text(status.message.parts) if status.message else ''
    return {'state': 'TASK_STATE_UNSPECIFIED' if name == 'UNKNOWN' else f'TASK_STATE_{name}', 'text': text}


def _artifact(artifact: Artifact) -> Event:
    described: Event = {'artifactId': artifact.artifact_id}
    if artifact.name:
        described['name'] = artifact.name
    contents = [_content(part) for part in artifact.parts]
    return {**described, 'text': joined_text(artifact.parts), 'contents': contents}


def _content(part: Part) -> Event:
    match part.root:
        case TextPart(text=text):
            return {'kind': 'text', 'content': text}
        case DataPart(data=data):
            return {'kind': 'data', 'content': data}
        case FilePart(file=file):
            raw = isinstance(file, FileWithBytes)
            described: Event = {'kind': 'raw' if raw else 'url', 'content': file.bytes if raw else file.uri}
            if file.mime_type:
                described['mediaType'] = file.mime_type
            if file.name:
                described['filename'] = file.name
            return described
    return {'kind': 'unknown'}


def _message_event(message: Message) -> Event:
    described: Event = {'kind': 'message', 'messageId': message.message_id}
    if message.task_id:
        described['taskId'] = message.task_id
    if message.context_id:
        described['contextId'] = message.context_id
    return {**described, 'role': f'ROLE_{message.role.value.upper()}', 'text': joined_text(message.parts)}
