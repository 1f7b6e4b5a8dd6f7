"""Arguments for the SDK's client, from the members of a drive call."""

from __future__ import annotations

import uuid
from typing import Any

from a2a.types import (
    FilePart,
    FileWithBytes,
    FileWithUri,
    Message,
    MessageSendConfiguration,
    Part,
    PushNotificationAuthenticationInfo,
    PushNotificationConfig,
    Role,
)

from lab_agent.parts import data_part, text_part


def message_from(call: dict[str, Any]) -> Message:
    """The message of the member `message`."""
    given = call.get('message') or {}
    parts: list[Part] = []
    if given.get('text') is not None:
        parts.append(text_part(given['text']))
    if 'data' in given:
        parts.append(data_part(given['data']))
    parts.extend(map(_part, given.get('parts') or []))
    message = user_message(parts)
    if given.get('messageId'):
        message.message_id = given['messageId']
    message.task_id = given.get('taskId') or None
    message.context_id = given.get('contextId') or None
    message.reference_task_ids = given.get('referenceTaskIds') or None
    return message


def user_message(parts: list[Part]) -> Message:
    """A new message from this agent to a peer."""
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=parts)


def configuration_from(call: dict[str, Any]) -> MessageSendConfiguration:
    """The member `configuration` without its webhook: blocking where nothing else is said."""
    given = call.get('configuration') or {}
    members: dict[str, Any] = {'blocking': not given.get('returnImmediately')}
    # The SDK takes over only what is set.
    if given.get('acceptedOutputModes'):
        members['accepted_output_modes'] = given['acceptedOutputModes']
    if given.get('historyLength') is not None:
        members['history_length'] = int(given['historyLength'])
    return MessageSendConfiguration(**members)


def inline_push(call: dict[str, Any]) -> PushNotificationConfig | None:
    """The webhook of the member `configuration`."""
    given = (call.get('configuration') or {}).get('push')
    return None if given is None else push_config(given)


def push_config(given: dict[str, Any] | None) -> PushNotificationConfig:
    """A push configuration from the member `push`."""
    given = given or {}
    authentication = given.get('authentication')
    return PushNotificationConfig(
        url=given.get('url', ''),
        id=given.get('id') or None,
        token=given.get('token') or None,
        authentication=None
        if authentication is None
        else PushNotificationAuthenticationInfo(
            schemes=[authentication.get('scheme', '')], credentials=authentication.get('credentials')
        ),
    )


def _part(given: dict[str, Any]) -> Part:
    described = {'mime_type': given.get('mediaType'), 'name': given.get('filename')}
    if 'raw' in given:
        return Part(root=FilePart(file=FileWithBytes(bytes=given['raw'], **described)))
    if 'url' in given:
        return Part(root=FilePart(file=FileWithUri(uri=given['url'], **described)))
    if 'data' in given:
        return data_part(given['data'])
    return text_part(given.get('text') or '')
