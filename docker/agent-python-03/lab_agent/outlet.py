"""What an agent says about one task, until the task is over or cancelled."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types import Message, Part, Role, Task, TaskState, TaskStatus

from lab_agent.parts import data_part, text_part

_WAITING = (TaskState.input_required, TaskState.auth_required)


class OutletClosed(Exception):
    """The task was cancelled while a behaviour was still talking."""


class Outlet:
    """Publishes one task's events, in order.

    The SDK wants the task itself before any update of it, so the first update of a new task is
    preceded by the task in state SUBMITTED. After `cancel` every other call raises `OutletClosed`:
    nothing follows CANCELED.
    """

    def __init__(self, context: RequestContext, queue: EventQueue) -> None:
        self._queue = queue
        self._message = context.message
        self._has_task = context.current_task is not None
        self.task_id = context.task_id or ''
        # For a follow-up without contextId the SDK's request context may have another one than the task.
        self.context_id = (context.current_task or context).context_id or ''
        self._updater = TaskUpdater(queue, self.task_id, self.context_id)
        self._turn = asyncio.Lock()
        self._closed = False

    async def open(self) -> None:
        """Publishes the new task, if it is new."""
        async with self._turn:
            await self._open()

    async def status(self, state: TaskState, text: str | None = None) -> None:
        """Moves the task to a state, with a status message when there is a text."""
        async with self._turn:
            await self._open()
            message = None if text is None else self._agent_message(text)
            # The SDK finishes a stream at a status that says that it is final, and adds that to ends alone.
            await self._updater.update_status(state, message, final=state in _WAITING)

    async def working(self, text: str | None = None) -> None:
        await self.status(TaskState.working, text)

    async def complete(self, text: str | None = None) -> None:
        await self.status(TaskState.completed, text)

    async def fail(self, text: str) -> None:
        await self.status(TaskState.failed, text)

    async def artifact(self, parts: Sequence[Part], name: str | None = None) -> None:
        """Publishes a whole artifact."""
        await self._chunk(parts, str(uuid.uuid4()), name, append=False, last=True)

    async def artifact_text(self, text: str, name: str | None = None) -> None:
        await self.artifact([text_part(text)], name)

    async def artifact_data(self, data: dict[str, Any], name: str | None = None) -> None:
        await self.artifact([data_part(data)], name)

    async def artifact_chunks(self, texts: Sequence[str], name: str | None = None) -> None:
        """Publishes one artifact in as many chunks as there are texts."""
        artifact_id = str(uuid.uuid4())
        for index, text in enumerate(texts):
            last = index == len(texts) - 1
            await self._chunk([text_part(text)], artifact_id, name, append=index > 0, last=last)

    async def reply(self, text: str) -> None:
        """Answers with a message instead of a task."""
        async with self._turn:
            message = self._agent_message(text)
            message.task_id = None
            await self._queue.enqueue_event(message)

    async def cancel(self) -> None:
        """Publishes CANCELED as the last word."""
        self._closed = True
        async with self._turn:
            await self._updater.cancel()

    async def _open(self) -> None:
        if self._closed:
            raise OutletClosed
        if self._has_task:
            return
        self._has_task = True
        task = Task(
            id=self.task_id,
            context_id=self.context_id,
            status=TaskStatus(state=TaskState.submitted, timestamp=datetime.now(timezone.utc).isoformat()),
            history=[] if self._message is None else [self._message],
        )
        await self._queue.enqueue_event(task)

    async def _chunk(
        self, parts: Sequence[Part], artifact_id: str, name: str | None, *, append: bool, last: bool
    ) -> None:
        async with self._turn:
            await self._open()
            await self._updater.add_artifact(list(parts), artifact_id, name, append=append, last_chunk=last)

    def _agent_message(self, text: str) -> Message:
        return Message(
            message_id=str(uuid.uuid4()),
            role=Role.agent,
            task_id=self.task_id,
            context_id=self.context_id,
            parts=[text_part(text)],
        )
