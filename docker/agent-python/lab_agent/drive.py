"""Drive calls: one call as a client, on order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from a2a.client import Client
from a2a.client.client import ClientCallContext
from a2a.client.service_parameters import ServiceParametersFactory, with_a2a_extensions
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetExtendedAgentCardRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    ListTasksRequest,
    Part,
    StreamResponse,
    SubscribeToTaskRequest,
    TaskState,
)

from lab_agent import observed
from lab_agent.outlet import Outlet
from lab_agent.parts import data_objects
from lab_agent.peer import CALL_LIMIT_S, open_peer
from lab_agent.principals import Principals
from lab_agent.request import push_config, send_request

Call = dict[str, Any]
Events = list[observed.Event]


@dataclass(frozen=True)
class Ask:
    """One call to make: by which client, with which service parameters, and what came back so far."""

    client: Client
    call: Call
    context: ClientCallContext
    events: Events = field(default_factory=list)


class BadDriveCall(Exception):
    """The drive object does not follow the contract."""


def find_call(parts: Iterable[Part]) -> Call | None:
    """The first drive object among the parts."""
    return next((data for data in data_objects(parts) if data.get('plugfest') == 'drive/1'), None)


async def answer(drive: Call, outlet: Outlet, principals: Principals) -> None:
    """Makes the call and completes the task with what came of it, a refusal included."""
    await outlet.working()
    result = await make_call(drive, principals)
    await outlet.artifact_data(result, 'drive-result')
    await outlet.complete()


async def make_call(drive: Call, principals: Principals) -> dict[str, Any]:
    """The drive result. Never raises for what the peer does or fails to do."""
    events: Events = []
    call = drive.get('call')
    op = str(call.get('op', '')) if isinstance(call, dict) else ''
    try:
        await asyncio.wait_for(_run(drive, principals, events), CALL_LIMIT_S)
    except asyncio.TimeoutError:
        error: dict[str, Any] = {'name': 'TimeoutError', 'message': f'no end after {CALL_LIMIT_S:.0f} s'}
    except Exception as problem:  # whatever went wrong is the answer
        error = observed.error_object(problem, str(drive.get('binding', '')))
    else:
        return {'plugfest': 'drive-result/1', 'op': op, 'ok': True, 'events': events}
    return {'plugfest': 'drive-result/1', 'op': op, 'ok': False, 'error': error, 'events': events}


async def _run(drive: Call, principals: Principals, events: Events) -> None:
    card_url, binding, version = (_text(drive, key) for key in ('card', 'binding', 'version'))
    call = drive.get('call')
    if not isinstance(call, dict):
        raise BadDriveCall('"call" must be an object')
    op = _text(call, 'op')
    if op != 'GetAgentCard' and op not in _OPERATIONS:
        raise BadDriveCall(f'unknown op {op!r}')
    token = _token(drive, principals)
    extensions = [str(uri) for uri in drive.get('extensions') or []]
    parameters = ServiceParametersFactory.create([with_a2a_extensions(extensions)])
    async with open_peer(card_url) as peer:
        if op == 'GetAgentCard':
            events.append(observed.card_event(peer.card))
            return
        client = peer.client(binding, version, streaming=op in _STREAMS, token=token)
        context = ClientCallContext(service_parameters=parameters)
        await _OPERATIONS[op](Ask(client, call, context, events))


def _token(drive: Call, principals: Principals) -> str | None:
    if drive.get('as') is None:
        return None
    name = _text(drive, 'as')
    token = principals.token_of(name)
    if token is None:
        raise BadDriveCall(f'"as": LAB_AGENT_TOKENS names no {name!r}')
    return token


async def _send(ask: Ask) -> None:
    async for response in ask.client.send_message(send_request(ask.call), context=ask.context):
        ask.events.append(observed.stream_event(response))


async def _send_stream(ask: Ask) -> None:
    await _read(ask.client.send_message(send_request(ask.call), context=ask.context), ask)


async def _subscribe(ask: Ask) -> None:
    request = SubscribeToTaskRequest(id=_text(ask.call, 'taskId'))
    await _read(ask.client.subscribe(request, context=ask.context), ask)


async def _get(ask: Ask) -> None:
    request = GetTaskRequest(id=_text(ask.call, 'taskId'))
    _set_history_length(request, ask.call)
    ask.events.append(observed.task_event(await ask.client.get_task(request, context=ask.context)))


async def _list(ask: Ask) -> None:
    call = ask.call
    request = ListTasksRequest(
        context_id=call.get('contextId') or '',
        status=_state(call.get('status')),
        page_token=call.get('pageToken') or '',
    )
    if call.get('pageSize') is not None:
        request.page_size = int(call['pageSize'])
    if call.get('includeArtifacts') is not None:
        request.include_artifacts = bool(call['includeArtifacts'])
    _set_history_length(request, call)
    page = await ask.client.list_tasks(request, context=ask.context)
    ask.events.extend(map(observed.task_event, page.tasks))
    ask.events.append(observed.page_event(page))


async def _cancel(ask: Ask) -> None:
    request = CancelTaskRequest(id=_text(ask.call, 'taskId'))
    ask.events.append(observed.task_event(await ask.client.cancel_task(request, context=ask.context)))


async def _create_push(ask: Ask) -> None:
    config = push_config(ask.call.get('push'))
    config.task_id = _text(ask.call, 'taskId')
    created = await ask.client.create_task_push_notification_config(config, context=ask.context)
    ask.events.append(observed.push_config_event(created))


async def _get_push(ask: Ask) -> None:
    request = GetTaskPushNotificationConfigRequest(
        task_id=_text(ask.call, 'taskId'), id=_text(ask.call, 'configId')
    )
    config = await ask.client.get_task_push_notification_config(request, context=ask.context)
    ask.events.append(observed.push_config_event(config))


async def _list_push(ask: Ask) -> None:
    request = ListTaskPushNotificationConfigsRequest(task_id=_text(ask.call, 'taskId'))
    listed = await ask.client.list_task_push_notification_configs(request, context=ask.context)
    ask.events.extend(observed.push_config_event(config) for config in listed.configs)


async def _delete_push(ask: Ask) -> None:
    request = DeleteTaskPushNotificationConfigRequest(
        task_id=_text(ask.call, 'taskId'), id=_text(ask.call, 'configId')
    )
    await ask.client.delete_task_push_notification_config(request, context=ask.context)


async def _get_extended_card(ask: Ask) -> None:
    card = await ask.client.get_extended_agent_card(GetExtendedAgentCardRequest(), context=ask.context)
    ask.events.append(observed.card_event(card))


_OPERATIONS: dict[str, Callable[[Ask], Awaitable[None]]] = {
    'SendMessage': _send,
    'SendStreamingMessage': _send_stream,
    'GetTask': _get,
    'ListTasks': _list,
    'CancelTask': _cancel,
    'SubscribeToTask': _subscribe,
    'CreateTaskPushNotificationConfig': _create_push,
    'GetTaskPushNotificationConfig': _get_push,
    'ListTaskPushNotificationConfigs': _list_push,
    'DeleteTaskPushNotificationConfig': _delete_push,
    'GetExtendedAgentCard': _get_extended_card,
}
_STREAMS = ('SendStreamingMessage', 'SubscribeToTask')


async def _read(stream: AsyncIterator[StreamResponse], ask: Ask) -> None:
    stop_after = ask.call.get('stopAfterEvents')
    async with aclosing(stream):
        async for response in stream:
            ask.events.append(observed.stream_event(response))
            if stop_after is not None and len(ask.events) >= stop_after:
                ask.events.append(observed.closed_event('client'))
                return
    ask.events.append(observed.closed_event('server'))


def _set_history_length(request: GetTaskRequest | ListTasksRequest, call: Call) -> None:
    if call.get('historyLength') is not None:
        request.history_length = int(call['historyLength'])


def _state(name: Any) -> TaskState:
    if name is None:
        return TaskState.TASK_STATE_UNSPECIFIED
    if name not in TaskState.keys():
        raise BadDriveCall(f'"status": {name!r} is no state')
    return TaskState.Value(name)


def _text(holder: Call, key: str) -> str:
    value = holder.get(key)
    if not isinstance(value, str):
        raise BadDriveCall(f'{key!r} must be a string')
    return value
