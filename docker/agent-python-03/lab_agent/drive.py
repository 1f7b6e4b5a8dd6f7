"""Drive calls: one call as a client, on order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from a2a.client import Client
from a2a.client.client import ClientEvent
from a2a.client.middleware import ClientCallContext
from a2a.types import (
    GetTaskPushNotificationConfigParams,
    Message,
    Part,
    TaskIdParams,
    TaskPushNotificationConfig,
    TaskQueryParams,
)

from lab_agent import observed
from lab_agent.outlet import Outlet
from lab_agent.parts import data_objects
from lab_agent.peer import CALL_LIMIT_S, call_context, open_peer
from lab_agent.principals import Principals
from lab_agent.request import configuration_from, inline_push, message_from, push_config

Call = dict[str, Any]
Events = list[observed.Event]


@dataclass(frozen=True)
class Ask:
    """One call to make: by which client, with which context, and what came back so far."""

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
        error = observed.error_object(problem)
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
    async with open_peer(card_url) as peer:
        if op == 'GetAgentCard':
            events.append(observed.card_event(peer.card))
            return
        client = peer.client(
            binding,
            version,
            streaming=op in _STREAMS,
            token=token,
            extensions=extensions,
            push=inline_push(call),
        )
        await _OPERATIONS[op](Ask(client, call, call_context(token), events))


def _token(drive: Call, principals: Principals) -> str | None:
    if drive.get('as') is None:
        return None
    name = _text(drive, 'as')
    token = principals.token_of(name)
    if token is None:
        raise BadDriveCall(f'"as": LAB_AGENT_TOKENS names no {name!r}')
    return token


def _answers(ask: Ask) -> AsyncIterator[ClientEvent | Message]:
    return ask.client.send_message(
        message_from(ask.call), configuration=configuration_from(ask.call), context=ask.context
    )


async def _send(ask: Ask) -> None:
    async for event in _answers(ask):
        ask.events.append(observed.client_event(event))


async def _send_stream(ask: Ask) -> None:
    await _read(_answers(ask), ask)


async def _subscribe(ask: Ask) -> None:
    request = TaskIdParams(id=_text(ask.call, 'taskId'))
    await _read(ask.client.resubscribe(request, context=ask.context), ask)


async def _get(ask: Ask) -> None:
    length = ask.call.get('historyLength')
    request = TaskQueryParams(
        id=_text(ask.call, 'taskId'), history_length=None if length is None else int(length)
    )
    ask.events.append(observed.task_event(await ask.client.get_task(request, context=ask.context)))


async def _cancel(ask: Ask) -> None:
    request = TaskIdParams(id=_text(ask.call, 'taskId'))
    ask.events.append(observed.task_event(await ask.client.cancel_task(request, context=ask.context)))


async def _create_push(ask: Ask) -> None:
    config = TaskPushNotificationConfig(
        task_id=_text(ask.call, 'taskId'), push_notification_config=push_config(ask.call.get('push'))
    )
    created = await ask.client.set_task_callback(config, context=ask.context)
    ask.events.append(observed.push_config_event(created))


async def _get_push(ask: Ask) -> None:
    request = GetTaskPushNotificationConfigParams(
        id=_text(ask.call, 'taskId'), push_notification_config_id=_text(ask.call, 'configId')
    )
    config = await ask.client.get_task_callback(request, context=ask.context)
    ask.events.append(observed.push_config_event(config))


async def _get_extended_card(ask: Ask) -> None:
    card = await ask.client.get_card(context=ask.context)
    ask.events.append(observed.card_event(card))


async def _unsupported(ask: Ask) -> None:
    raise observed.UnsupportedByClient(f'the client of a2a-sdk 0.3 has no {ask.call["op"]}')


_OPERATIONS: dict[str, Callable[[Ask], Awaitable[None]]] = {
    'SendMessage': _send,
    'SendStreamingMessage': _send_stream,
    'GetTask': _get,
    'ListTasks': _unsupported,
    'CancelTask': _cancel,
    'SubscribeToTask': _subscribe,
    'CreateTaskPushNotificationConfig': _create_push,
    'GetTaskPushNotificationConfig': _get_push,
    'ListTaskPushNotificationConfigs': _unsupported,
    'DeleteTaskPushNotificationConfig': _unsupported,
    'GetExtendedAgentCard': _get_extended_card,
}
_STREAMS = ('SendStreamingMessage', 'SubscribeToTask')


async def _read(stream: AsyncIterator[ClientEvent | Message], ask: Ask) -> None:
    stop_after = ask.call.get('stopAfterEvents')
    async with aclosing(stream):
        async for event in stream:
            ask.events.append(observed.client_event(event))
            if stop_after is not None and len(ask.events) >= stop_after:
                ask.events.append(observed.closed_event('client'))
                return
    ask.events.append(observed.closed_event('server'))


def _text(holder: Call, key: str) -> str:
    value = holder.get(key)
    if not isinstance(value, str):
        raise BadDriveCall(f'{key!r} must be a string')
    return value
