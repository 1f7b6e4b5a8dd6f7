"""Carrying out an ITK instruction: answering, and calling other agents on the way."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from a2a.client import Client
from a2a.types.a2a_pb2 import (
    CancelTaskRequest,
    SendMessageRequest,
    StreamResponse,
    SubscribeToTaskRequest,
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
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_REJECTED,
    TaskState.TASK_STATE_CANCELED,
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
    request = SendMessageRequest(message=user_message([instruction_part(call.instruction)]))
    async with open_peer(call.agent_card_uri) as peer:
        behaviour = call.WhichOneof('behavior')
        if behaviour == 'resubscribe':
            return await _resubscribe(peer.client(binding), request)
        if behaviour == 'push_notification':
            push = request.configuration.task_push_notification_config
            push.url = f'{call.push_notification.url}/notifications'
            push.token = 'itk-token'
        reply = Reply()
        async for response in peer.client(binding, streaming=call.streaming).send_message(request):
            reply.add(response)
        return reply.text()


async def _resubscribe(client: Client, request: SendMessageRequest) -> str:
    task_id = await _start_and_drop(client, request)
    async with aclosing(client.subscribe(SubscribeToTaskRequest(id=task_id))) as stream:
        reply = Reply()
        async for response in stream:
            reply.add(response)
            if FINISHED in reply.text():
                break
        else:
            raise StepFailed(f'the stream ended without {FINISHED!r}')
    await client.cancel_task(CancelTaskRequest(id=task_id))
    return reply.text().removesuffix(FINISHED).rstrip('\n')


async def _start_and_drop(client: Client, request: SendMessageRequest) -> str:
    async with aclosing(client.send_message(request)) as stream:
        async for response in stream:
            task_id = response.task.id or response.status_update.task_id or response.artifact_update.task_id
            if not task_id:
                raise StepFailed('the first event names no task to subscribe to')
            return task_id
    raise StepFailed('the stream had no event')


class Reply:
    """Gathers what a peer said: the text of its last status or message that had one, else its artifacts."""

    def __init__(self) -> None:
        self._said = ''
        self._artifacts = ''

    def add(self, response: StreamResponse) -> None:
        """Takes one event in; raises `StepFailed` when the peer's task ended badly."""
        kind = response.WhichOneof('payload')
        if kind == 'message':
            self._said = joined_text(response.message.parts)
        elif kind == 'artifact_update':
            self._artifacts += joined_text(response.artifact_update.artifact.parts)
        elif kind in ('task', 'status_update'):
            holder = response.task if kind == 'task' else response.status_update
            text = joined_text(holder.status.message.parts)
            if holder.status.state in _UNHAPPY:
                raise StepFailed(f'the peer ended with {TaskState.Name(holder.status.state)}: {text}')
            self._said = text or self._said
            if kind == 'task':
                self._artifacts = ''.join(joined_text(artifact.parts) for artifact in holder.artifacts)

    def text(self) -> str:
        return self._said or self._artifacts
