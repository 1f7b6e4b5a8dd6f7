"""Drive calls: one call as a client, on order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from typing import Any

from a2a.client import Client
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    DeleteTaskPushNotificationConfigRequest,
    GetTaskPushNotificationConfigRequest,
    GetTaskRequest,
    ListTaskPushNotificationConfigsRequest,
    Part,
    StreamResponse,
    SubscribeToTaskRequest,
)

from lab_agent import observed
from lab_agent.outlet import Outlet
from lab_agent.parts import data_objects
from lab_agent.peer import CALL_LIMIT_S, open_peer
from lab_agent.request import push_config, send_request

Call = dict[str, Any]
Events = list[observed.Event]


class BadDriveCall(Exception):
    """The drive object does not follow the contract."""


def find_call(parts: Iterable[Part]) -> Call | None:
    """The first drive object among the parts."""
    return next((data for data in data_objects(parts) if data.get('plugfest') == 'drive/1'), None)


async def answer(drive: Call, outlet: Outlet) -> None:
    """Makes the call and completes the task with what came of it, a refusal included."""
    await outlet.working()
    result = await make_call(drive)
    await outlet.artifact_data(result, 'drive-result')
    await outlet.complete()


async def make_call(drive: Call) -> dict[str, Any]:
    """The drive result. Never raises for what the peer does or fails to do."""
    events: Events = []
    call = drive.get('call')
    op = str(call.get('op', '')) if isinstance(call, dict) else ''
    try:
        await asyncio.wait_for(_run(drive, events), CALL_LIMIT_S)
    except asyncio.TimeoutError:
        error: dict[str, Any] = {'name': 'TimeoutError', 'message': f'no end after {CALL_LIMIT_S:.0f} s'}
    except Exception as problem:  # whatever went wrong is the answer
        error = observed.error_object(problem, str(drive.get('binding', '')))
    else:
        return {'plugfest': 'drive-result/1', 'op': op, 'ok': True, 'events': events}
    return {'plugfest': 'drive-result/1', 'op': op, 'ok': False, 'error': error, 'events': events}


async def _run(drive: Call, events: Events) -> None:
    card_url, binding, version = (_text(drive, key) for key in ('card', 'binding', 'version'))
    call = drive.get('call')
    if not isinstance(call, dict):
        raise BadDriveCall('"call" must be an object')
    op = _text(call, 'op')
    if op != 'GetAgentCard' and op not in _OPERATIONS:
        raise BadDriveCall(f'unknown op {op!r}')
    async with open_peer(card_url) as peer:
        if op == 'GetAgentCard':
            events.append(observed.card_event(peer.card))
            return
        client = peer.client(binding, version, streaming=op in _STREAMS)
        await _OPERATIONS[op](client, call, events)


async def _send(client: Client, call: Call, events: Events) -> None:
    async for response in client.send_message(send_request(call)):
        events.append(observed.stream_event(response))


async def _send_stream(client: Client, call: Call, events: Events) -> None:
    await _read(client.send_message(send_request(call)), call, events)


async def _subscribe(client: Client, call: Call, events: Events) -> None:
    await _read(client.subscribe(SubscribeToTaskRequest(id=_text(call, 'taskId'))), call, events)


async def _get(client: Client, call: Call, events: Events) -> None:
    request = GetTaskRequest(id=_text(call, 'taskId'))
    if call.get('historyLength') is not None:
        request.history_length = int(call['historyLength'])
    events.append(observed.task_event(await client.get_task(request)))


async def _cancel(client: Client, call: Call, events: Events) -> None:
    task = await client.cancel_task(CancelTaskRequest(id=_text(call, 'taskId')))
    events.append(observed.task_event(task))


async def _create_push(client: Client, call: Call, events: Events) -> None:
    config = push_config(call.get('push'))
    config.task_id = _text(call, 'taskId')
    created = await client.create_task_push_notification_config(config)
    events.append(observed.push_config_event(created))


async def _get_push(client: Client, call: Call, events: Events) -> None:
    request = GetTaskPushNotificationConfigRequest(task_id=_text(call, 'taskId'), id=_text(call, 'configId'))
    events.append(observed.push_config_event(await client.get_task_push_notification_config(request)))


async def _list_push(client: Client, call: Call, events: Events) -> None:
    request = ListTaskPushNotificationConfigsRequest(task_id=_text(call, 'taskId'))
    listed = await client.list_task_push_notification_configs(request)
    events.extend(observed.push_config_event(config) for config in listed.configs)


async def _delete_push(client: Client, call: Call, events: Events) -> None:
    del events  # A deletion has nothing to show.
    request = DeleteTaskPushNotificationConfigRequest(
        task_id=_text(call, 'taskId'), id=_text(call, 'configId')
    )
    await client.delete_task_push_notification_config(request)


_OPERATIONS: dict[str, Callable[[Client, Call, Events], Awaitable[None]]] = {
    'SendMessage': _send,
    'SendStreamingMessage': _send_stream,
    'GetTask': _get,
    'CancelTask': _cancel,
    'SubscribeToTask': _subscribe,
    'CreateTaskPushNotificationConfig': _create_push,
    'GetTaskPushNotificationConfig': _get_push,
    'ListTaskPushNotificationConfigs': _list_push,
    'DeleteTaskPushNotificationConfig': _delete_push,
}
_STREAMS = ('SendStreamingMessage', 'SubscribeToTask')


async def _read(stream: AsyncIterator[StreamResponse], call: Call, events: Events) -> None:
    stop_after = call.get('stopAfterEvents')
    async with aclosing(stream):
        async for response in stream:
            events.append(observed.stream_event(response))
            if stop_after is not None and len(events) >= stop_after:
                events.append(observed.closed_event('client'))
                return
    events.append(observed.closed_event('server'))


def _text(holder: Call, key: str) -> str:
    value = holder.get(key)
    if not isinstance(value, str):
        raise BadDriveCall(f'{key!r} must be a string')
    return value
