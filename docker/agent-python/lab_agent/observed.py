"""What the agent's client saw, as the `events` and `error` of a drive result."""

from __future__ import annotations

import base64
from typing import Any

import httpx
from a2a.client.errors import AgentCardResolutionError
from a2a.types.a2a_pb2 import (
    AgentCard,
    Artifact,
    ListTasksResponse,
    Message,
    Part,
    Role,
    StreamResponse,
    Task,
    TaskPushNotificationConfig,
    TaskState,
    TaskStatusUpdateEvent,
)
from a2a.utils.errors import A2A_ERROR_MAPPING, JSON_RPC_ERROR_CODE_MAP, A2AError
from google.protobuf.json_format import MessageToDict

from lab_agent.flags import GRPC, HTTP_JSON
from lab_agent.parts import joined_text

Event = dict[str, Any]
_MESSAGE_LIMIT = 1000


def stream_event(response: StreamResponse) -> Event:
    """One event of a stream, or the answer to a unary send."""
    kind = response.WhichOneof('payload')
    if kind == 'task':
        return task_event(response.task)
    if kind == 'message':
        return _message_event(response.message)
    if kind == 'status_update':
        update = response.status_update
        return {'kind': 'status', 'taskId': update.task_id, 'contextId': update.context_id, **_status(update)}
    if kind == 'artifact_update':
        update = response.artifact_update
        return {
            'kind': 'artifact',
            'taskId': update.task_id,
            'contextId': update.context_id,
            'artifact': _artifact(update.artifact),
            'append': update.append,
            'lastChunk': update.last_chunk,
        }
    return {'kind': 'unknown'}


def task_event(task: Task) -> Event:
    return {
        'kind': 'task',
        'taskId': task.id,
        'contextId': task.context_id,
        **_status(task),
        'artifacts': [_artifact(artifact) for artifact in task.artifacts],
        'history': len(task.history),
    }


def page_event(page: ListTasksResponse) -> Event:
    """What a list says besides its tasks."""
    return {'kind': 'page', 'nextPageToken': page.next_page_token, 'totalSize': page.total_size}


def card_event(card: AgentCard) -> Event:
    interfaces = card.supported_interfaces
    return {
        'kind': 'card',
        'name': card.name,
        'versions': list(dict.fromkeys(interface.protocol_version for interface in interfaces)),
        'bindings': list(dict.fromkeys(interface.protocol_binding for interface in interfaces)),
        'skills': [skill.id for skill in card.skills],
    }


def push_config_event(config: TaskPushNotificationConfig) -> Event:
    return {'kind': 'pushConfig', 'taskId': config.task_id, 'id': config.id, 'url': config.url}


def closed_event(by: str) -> Event:
    return {'kind': 'closed', 'by': by}


def error_object(error: Exception, binding: str) -> dict[str, Any]:
    """An error with the code of its binding where one is known.

    The SDK's client keeps the JSON-RPC code only as the class of its exception, and the HTTP status
    only in the exception's cause. Over gRPC it has neither.
    """
    if isinstance(error, NotImplementedError):
        return {'name': 'UnsupportedByClient', 'message': str(error)[:_MESSAGE_LIMIT]}
    described: dict[str, Any] = {'name': type(error).__name__, 'message': str(error)[:_MESSAGE_LIMIT]}
    code = _http_status(error)
    if code is None and binding != GRPC and isinstance(error, A2AError):
        code = _code_of_kind(type(error), binding)
    if code is not None:
        described['code'] = code
    return described


def _code_of_kind(kind: type[A2AError], binding: str) -> int | None:
    if binding != HTTP_JSON:
        return JSON_RPC_ERROR_CODE_MAP.get(kind)
    mapping = A2A_ERROR_MAPPING.get(kind)
    return None if mapping is None else mapping.http_code


def _http_status(error: BaseException) -> int | None:
    if isinstance(error, AgentCardResolutionError):
        return error.status_code
    cause = error.__cause__
    return cause.response.status_code if isinstance(cause, httpx.HTTPStatusError) else None


def _status(holder: Task | TaskStatusUpdateEvent) -> Event:
    return {
        'state': _enum_name(TaskState, holder.status.state),
        'text': joined_text(holder.status.message.parts),
    }


def _artifact(artifact: Artifact) -> Event:
    described: Event = {'artifactId': artifact.artifact_id}
    if artifact.name:
        described['name'] = artifact.name
    contents = [_content(part) for part in artifact.parts]
    return {**described, 'text': joined_text(artifact.parts), 'contents': contents}


def _content(part: Part) -> Event:
    kind = part.WhichOneof('content') or 'unknown'
    described: Event = {'kind': kind}
    if part.media_type:
        described['mediaType'] = part.media_type
    if part.filename:
        described['filename'] = part.filename
    if kind == 'raw':
        described['content'] = base64.b64encode(part.raw).decode()
    elif kind == 'data':
        described['content'] = MessageToDict(part.data)
    elif kind != 'unknown':
        described['content'] = getattr(part, kind)
    return described


def _message_event(message: Message) -> Event:
    described: Event = {'kind': 'message', 'messageId': message.message_id}
    if message.task_id:
        described['taskId'] = message.task_id
    if message.context_id:
        described['contextId'] = message.context_id
    return {**described, 'role': _enum_name(Role, message.role), 'text': joined_text(message.parts)}


def _enum_name(enum: Any, number: int) -> str:
    try:
        return enum.Name(number)
    except ValueError:
        return str(number)
