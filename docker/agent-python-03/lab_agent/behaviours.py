"""What a prefix makes the agent do: the table of docs/lab-agents.md.

A behaviour is a coroutine over a `Turn`. To add one, write it and give it its prefixes with
`@on_text` (text alone) or `@on_text_or_id` (text, or the message id as the TCK does it).
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from a2a.types import (
    ContentTypeNotSupportedError,
    FilePart,
    FileWithBytes,
    FileWithUri,
    Part,
    TaskState,
    TextPart,
)
from a2a.utils.errors import ServerError

from lab_agent.outlet import Outlet
from lab_agent.parts import data_part, text_part


@dataclass(frozen=True)
class Turn:
    """One message to the agent."""

    out: Outlet
    text: str
    """The text of the first text part."""
    rest: str
    """What follows the prefix in the text, trimmed; empty when the message id held the prefix."""
    parts: Sequence[Part]
    """All parts of the message."""
    accepted: Sequence[str]
    """Media types that the caller takes; none: any."""
    wait: Callable[[Behaviour], None]
    """Names the behaviour that the next message to this task resumes."""


Behaviour = Callable[[Turn], Awaitable[None]]
_by_text: dict[str, Behaviour] = {}
_by_message_id: dict[str, Behaviour] = {}


def on_text(*prefixes: str) -> Callable[[Behaviour], Behaviour]:
    """Registers a behaviour for prefixes of the text."""

    def register(behaviour: Behaviour) -> Behaviour:
        _by_text.update(dict.fromkeys(prefixes, behaviour))
        return behaviour

    return register


def on_text_or_id(*prefixes: str) -> Callable[[Behaviour], Behaviour]:
    """Registers a behaviour for prefixes of the text and of the message id."""

    def register(behaviour: Behaviour) -> Behaviour:
        _by_message_id.update(dict.fromkeys(prefixes, behaviour))
        return on_text(*prefixes)(behaviour)

    return register


def choose(message_id: str, text: str) -> tuple[Behaviour, str]:
    """The behaviour for a message, and what follows the prefix in the text.

    The message id is looked at before the text, and the longest prefix wins.
    """
    prefix = _longest(_by_message_id, message_id)
    if prefix is not None:
        return _by_message_id[prefix], ''
    prefix = _longest(_by_text, text)
    if prefix is not None:
        return _by_text[prefix], text[len(prefix) :].strip()
    return echo_anything, text


def _longest(table: dict[str, Behaviour], subject: str) -> str | None:
    return max((prefix for prefix in table if subject.startswith(prefix)), key=len, default=None)


async def echo_anything(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.artifact_text(f'echo: {turn.text}')
    await turn.out.complete()


async def resume(turn: Turn) -> None:
    """A follow-up to a task that waits."""
    await turn.out.working()
    await turn.out.complete(f'resumed: {turn.text}')


# TCK and ACTS


@on_text_or_id('tck-complete-task')
async def complete_task(turn: Turn) -> None:
    await turn.out.complete('Hello from TCK')


@on_text_or_id('tck-delayed-complete')
async def delayed_complete(turn: Turn) -> None:
    await turn.out.working()
    await asyncio.sleep(1)
    await turn.out.complete('Done after delay')


@on_text_or_id('tck-message-response')
async def message_response(turn: Turn) -> None:
    await turn.out.reply('Direct message response')


@on_text_or_id('tck-input-required')
async def input_required(turn: Turn) -> None:
    turn.wait(resume)
    await turn.out.status(TaskState.input_required, 'What is your name?')


@on_text_or_id('tck-auth-required')
async def auth_required(turn: Turn) -> None:
    turn.wait(resume)
    await turn.out.status(TaskState.auth_required, 'Authorization needed')


@on_text_or_id('tck-multi-turn')
async def multi_turn(turn: Turn) -> None:
    turn.wait(next_turn)
    await turn.out.status(TaskState.input_required, 'Anything else? Say done to finish.')


async def next_turn(turn: Turn) -> None:
    if turn.text.startswith('done'):
        await turn.out.complete(turn.text)
    else:
        await multi_turn(turn)


@on_text_or_id('tck-reject-task')
async def reject_task(turn: Turn) -> None:
    await turn.out.status(TaskState.rejected, 'rejected')


@on_text_or_id('tck-task-failure')
async def task_failure(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.fail('failed on request')


@on_text_or_id('tck-long-running', 'tck-cancel')
async def long_running(turn: Turn) -> None:
    for tick in range(40):
        await turn.out.working(f'progress {tick + 1}')
        await asyncio.sleep(0.5)
    await turn.out.complete('finished by itself')


@on_text_or_id('test-resubscribe-message-id')
async def resubscribe(turn: Turn) -> None:
    await turn.out.working()
    await asyncio.sleep(4)
    await turn.out.complete()


@on_text_or_id('tck-stream-002')
async def completed_only(turn: Turn) -> None:
    await turn.out.complete()


@on_text_or_id('tck-stream-artifact-chunked', 'tck-stream-chunked')
async def stream_chunks(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.artifact_chunks(['chunk-1 ', 'chunk-2'])
    await turn.out.complete()


@on_text_or_id('tck-artifact-text')
async def artifact_text(turn: Turn) -> None:
    await turn.out.artifact_text('Generated text content')
    await turn.out.complete()


@on_text_or_id('tck-artifact-data')
async def artifact_data(turn: Turn) -> None:
    await turn.out.artifact_data({'key': 'value', 'count': 42})
    await turn.out.complete()


@on_text_or_id('tck-artifact-file')
async def artifact_file(turn: Turn) -> None:
    await turn.out.artifact([_tck_file()])
    await turn.out.complete()


@on_text_or_id('tck-artifact-file-url')
async def artifact_file_url(turn: Turn) -> None:
    await turn.out.artifact([_tck_url()])
    await turn.out.complete()


@on_text_or_id('tck-stream-artifact-file')
async def stream_file(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.artifact([_tck_file()])
    await turn.out.complete()


def _tck_file() -> Part:
    file = FileWithBytes(bytes='dGNr', mime_type='text/plain', name='output.txt')
    return Part(root=FilePart(file=file))


def _tck_url() -> Part:
    file = FileWithUri(uri='https://example.com/output.txt', mime_type='text/plain', name='output.txt')
    return Part(root=FilePart(file=file))


def _stream_text(text: str) -> Behaviour:
    async def stream_text(turn: Turn) -> None:
        await turn.out.working()
        await turn.out.artifact_text(text)
        await turn.out.complete()

    return stream_text


on_text_or_id('tck-stream-001', 'tck-stream-basic')(_stream_text('Stream hello from TCK'))
on_text_or_id('tck-stream-003')(_stream_text('Stream task lifecycle'))
on_text_or_id('tck-stream-ordering-001')(_stream_text('Ordered output'))
on_text_or_id('tck-stream-artifact-text')(_stream_text('Streamed text content'))


# Plugfest


@on_text('plugfest-echo')
async def echo(turn: Turn) -> None:
    nonce = turn.rest
    half = (len(nonce) + 1) // 2
    await turn.out.working()
    await turn.out.artifact_chunks([nonce[:half], nonce[half:]], 'echo')
    await turn.out.complete(nonce)


@on_text('plugfest-slow')
async def slow(turn: Turn) -> None:
    number, _, nonce = turn.rest.partition(' ')
    nonce = nonce.strip()
    if not (number.isascii() and number.isdigit()):
        await turn.out.fail(f'plugfest-slow wants milliseconds before the nonce, not {number!r}')
        return
    left_ms = int(number)
    for tick in range(1, math.ceil(left_ms / 100) + 1):
        await turn.out.working(f'tick {tick} {nonce}')
        await asyncio.sleep(min(left_ms, 100) / 1000)
        left_ms -= 100
    await turn.out.artifact_text(nonce, 'echo')
    await turn.out.complete(nonce)


@on_text('plugfest-parts')
async def return_parts(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.artifact([part for part in turn.parts if not isinstance(part.root, TextPart)], 'parts')
    await turn.out.complete(turn.rest)


@on_text('plugfest-modes')
async def accepted_modes(turn: Turn) -> None:
    # Raised before anything is said, so that the SDK can refuse the call itself.
    mode = next((mode for mode in turn.accepted or ('text/plain',) if mode in _MODES), None)
    if mode is None:
        message = f'the lab answers in {" or ".join(_MODES)}, not in {", ".join(turn.accepted)}'
        raise ServerError(error=ContentTypeNotSupportedError(message=message))
    await turn.out.artifact([_MODES[mode](turn.rest)], 'modes')
    await turn.out.complete(turn.rest)


_MODES: dict[str, Callable[[str], Part]] = {
    'text/plain': lambda nonce: text_part(nonce),
    'application/json': lambda nonce: data_part({'nonce': nonce}),
}


@on_text('plugfest-ask')
async def ask(turn: Turn) -> None:
    turn.wait(answered)
    await turn.out.status(TaskState.input_required, f'ask {turn.rest}')


async def answered(turn: Turn) -> None:
    await turn.out.working()
    await turn.out.artifact_text(f'resumed: {turn.text}', 'echo')
    await turn.out.complete(f'resumed: {turn.text}')
