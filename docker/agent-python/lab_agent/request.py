"""Requests for the SDK's client, from the members of a drive call."""

from __future__ import annotations

import base64
import uuid
from typing import Any

from a2a.helpers.proto_helpers import new_data_part, new_text_part
from a2a.types.a2a_pb2 import (
    AuthenticationInfo,
    Message,
    Part,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    TaskPushNotificationConfig,
)


def send_request(call: dict[str, Any]) -> SendMessageRequest:
    """A request from the members `message` and `configuration`."""
    request = SendMessageRequest(message=_message(call.get('message') or {}))
    given = call.get('configuration')
    if given is not None:
        request.configuration.CopyFrom(_configuration(given))
    return request


def user_message(parts: list[Part]) -> Message:
    """A new message from this agent to a peer."""
    return Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=parts)


def push_config(given: dict[str, Any] | None) -> TaskPushNotificationConfig:
    """A push configuration from the member `push`."""
    given = given or {}
    config = TaskPushNotificationConfig(
        url=given.get('url', ''), id=given.get('id', ''), token=given.get('token', '')
    )
    authentication = given.get('authentication')
    if authentication is not None:
        config.authentication.CopyFrom(
            AuthenticationInfo(
                scheme=authentication.get('scheme', ''), credentials=authentication.get('credentials', '')
            )
        )
    return config


def _message(given: dict[str, Any]) -> Message:
    parts: list[Part] = []
    if given.get('text') is not None:
        parts.append(new_text_part(given['text']))
    if 'data' in given:
        parts.append(new_data_part(given['data']))
    parts.extend(map(_part, given.get('parts') or []))
    message = user_message(parts)
    if given.get('messageId'):
        message.message_id = given['messageId']
    message.task_id = given.get('taskId') or ''
    message.context_id = given.get('contextId') or ''
    message.reference_task_ids.extend(given.get('referenceTaskIds') or [])
    return message


def _part(given: dict[str, Any]) -> Part:
    if 'raw' in given:
        part = Part(raw=base64.b64decode(given['raw'], validate=True))
    elif 'url' in given:
        part = Part(url=given['url'])
    elif 'data' in given:
        part = new_data_part(given['data'])
    else:
        part = new_text_part(given.get('text') or '')
    part.media_type = given.get('mediaType') or ''
    part.filename = given.get('filename') or ''
    return part


def _configuration(given: dict[str, Any]) -> SendMessageConfiguration:
    configuration = SendMessageConfiguration(
        return_immediately=bool(given.get('returnImmediately')),
        accepted_output_modes=given.get('acceptedOutputModes') or [],
    )
    if given.get('historyLength') is not None:
        configuration.history_length = int(given['historyLength'])
    if given.get('push') is not None:
        configuration.task_push_notification_config.CopyFrom(push_config(given['push']))
    return configuration
