"""Carrying out an ITK instruction: answering, and calling other agents on the way."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from a2a.client import Client
from a2a.client.client import ClientEvent
from a2a.types import (
    Message,
    PushNotificationConfig,
    TaskArtifactUpdateEvent,
    TaskIdParams,
    TaskQueryParams,
    TaskState,
)

from lab_agent.flags import GRPC, HTTP_JSON, JSONRPC
from lab_agent.itk import BadInstruction, instruction_part
from lab_agent.outlet import Outlet, OutletClosed
from lab_agent.parts import joined_text
from lab_agent.peer import open_peer
from lab_agent.request import user_message

TRANSPORTS = {
    'jsonrpc': JSONRPC,
    'http_json': HTTP_JSON,
    'rest': HTTP_JSON,
    'http+json': HTTP_JSON,
    'grpc': GRPC,
}
FINISHED = 'task-finished'
CALL_LIMIT_S = 60.0
_UNHAPPY = (
    TaskState.failed,
    TaskState.rejected,
    TaskState.canceled,
)


class StepFailed(Exception):
    """A step could not be carried out."""


@dataclass(frozen=True)
class Outcome:
    """What the steps said, and whether the task is to be held open afterwards."""

    outputs: list[str]
    hold: bool = False


async def carry_out(instruction: Any, outlet: Outlet) -> None:
    """Plays the instruction and ends the task: COMPLETED with the outputs, or FAILED with the cause."""
    await outlet.open()
    try:
        if isinstance(instruction, BadInstruction):
            raise instruction
        outcome = await _step(instruction)
    except OutletClosed:
        raise
    except asyncio.TimeoutError:
        await outlet.fail(f'TimeoutError: a peer did not answer within {CALL_LIMIT_S:.0f} s')
    except Exception as problem:  # the cause is the answer
        await outlet.fail(f'{type(problem).__name__}: {problem}')
    else:
        text = '\n'.join(outcome.outputs)
        if outcome.hold:
            await outlet.working(f'{text}\n{FINISHED}')
            for tick in range(1, 6):
                await asyncio.sleep(2)
                await outlet.working(f'tick {tick}')
        await outlet.complete(text)


async def _step(instruction: Any) -> Outcome:
    kind = instruction.WhichOneof('step')
    if kind == 'return_response':
        response = instruction.return_response
        return Outcome([response.response], response.hold_task)
    if kind == 'steps':
        outcomes = [await _step(step) for step in instruction.steps.instructions]
        outputs = [output for outcome in outcomes for output in outcome.outputs]
        return Outcome(outputs, any(outcome.hold for outcome in outcomes))
    if kind == 'call_agent':
        return Outcome([await asyncio.wait_for(_call(instruction.call_agent), CALL_LIMIT_S)])
    raise StepFailed('an instruction without a step')


async def _call(call: Any) -> str:
    binding = TRANSPORTS.get(call.transport.lower())
    if binding is None:
        raise StepFailed(f'this client speaks jsonrpc, http_json and grpc, not {call.transport!r}')
    message = user_message([instruction_part(call.instruction)])
    async with open_peer(call.agent_card_uri) as peer:
        behaviour = call.WhichOneof('behavior')
        if behaviour == 'resubscribe':
            return await _resubscribe(peer.client(binding), message)
        push = None
        if behaviour == 'push_notification':
            push = PushNotificationConfig(
                url=f'{call.push_notification.url}/notifications', token='itk-token'
            )
        reply = Reply()
        client = peer.client(binding, streaming=call.streaming, push=push)
        async for event in client.send_message(message):
            reply.add(event)
        return reply.text()


async def _resubscribe(client: Client, message: Message) -> str:
    task_id = await _start_and_drop(client, message)
    async with aclosing(client.resubscribe(TaskIdParams(id=task_id))) as stream:
        reply = Reply()
        async for event in stream:
            reply.add(event)
            said = reply.text() if FINISHED in reply.text() else await _said_before(client, task_id)
            if said is not None:
                break
        else:
            raise StepFailed(f'the stream ended without {FINISHED!r}')
    await client.cancel_task(TaskIdParams(id=task_id))
    return said.removesuffix(FINISHED).rstrip('\n')


async def _said_before(client: Client, task_id: str) -> str | None:
    """A 0.3 stream does not repeat what was said while nobody listened; the task's history has it."""
    task = await client.get_task(TaskQueryParams(id=task_id))
    texts = (joined_text(message.parts) for message in task.history or [])
    return next((text for text in texts if FINISHED in text), None)


async def _start_and_drop(client: Client, message: Message) -> str:
    async with aclosing(client.send_message(message)) as stream:
        async for event in stream:
            if isinstance(event, Message):
                raise StepFailed('the first event names no task to subscribe to')
            return event[0].id
    raise StepFailed('the stream had no event')


class Reply:
    """Gathers what a peer said: the text of its last status or message that had one, else its artifacts."""

    def __init__(self) -> None:
        self._said = ''
        self._artifacts = ''

    def add(self, event: ClientEvent | Message) -> None:
        """Takes one event in; raises `StepFailed` when the peer's task ended badly."""
        if isinstance(event, Message):
            self._said = joined_text(event.parts)
            return
        task, update = event
        # The SDK keeps the task up to date with each event.
        self._artifacts = ''.join(joined_text(artifact.parts) for artifact in task.artifacts or [])
        if isinstance(update, TaskArtifactUpdateEvent):
            return
        status = task.status if update is None else update.status
        text = joined_text(status.message.parts) if status.message else ''
        if status.state in _UNHAPPY:
            raise StepFailed(f'the peer ended with {status.state.value}: {text}')
        self._said = text or self._said

    def text(self) -> str:
        return self._said or self._artifacts
