"""What an agent says about one task, until the task is over or cancelled."""

from __future__ import annotations

import asyncio
import uuid

from a2a.helpers.proto_helpers import new_data_part, new_text_part
from a2a.server.agent_execution import RequestContext
from a2a.server.events import EventQueue
from a2a.server.tasks import TaskUpdater
from a2a.types.a2a_pb2 import Message, Role, Task, TaskState, TaskStatus


class OutletClosed(Exception):
    """The task was cancelled while its agent was still talking."""


class Outlet:
    """Publishes one task's events, in order. After `close` only `canceled` says something."""

    def __init__(self, context: RequestContext, queue: EventQueue) -> None:
        self._queue = queue
        self._message = context.message
        self._has_task = context.current_task is not None
        self.task_id = context.task_id or ''
        # For a follow-up without contextId the SDK's request context has a new one, not the task's.
        self.context_id = (context.current_task or context).context_id or ''
        self._updater = TaskUpdater(queue, self.task_id, self.context_id)
        self._turn = asyncio.Lock()
        self.closed = False

    async def working(self, text: str) -> None:
        await self.status(TaskState.TASK_STATE_WORKING, text)

    async def completed(self, text: str | None = None) -> None:
        await self.status(TaskState.TASK_STATE_COMPLETED, text)

    async def status(self, state: TaskState, text: str | None = None, data: object = None) -> None:
        """Moves the task to a state, with a status message where there is something to say."""
        parts = [*([] if text is None else [new_text_part(text)]), *([] if data is None else [new_data_part(data)])]
        message = Message(
            message_id=str(uuid.uuid4()),
            role=Role.ROLE_AGENT,
            task_id=self.task_id,
            context_id=self.context_id,
            parts=parts,
        )
        async with self._turn:
            await self._open()
            await self._updater.update_status(state, message if parts else None)

    async def artifact(self, name: str, data: object) -> None:
        async with self._turn:
            await self._open()
            part = new_data_part(data)
            part.media_type = 'application/json'
            await self._updater.add_artifact([part], str(uuid.uuid4()), name, append=False, last_chunk=True)

    def close(self) -> None:
        """From here on every other call raises `OutletClosed`."""
        self.closed = True

    async def canceled(self) -> None:
        async with self._turn:
            await self._updater.cancel()

    async def _open(self) -> None:
        if self.closed:
            raise OutletClosed
        if self._has_task:
            return
        # The SDK wants the task itself before any update of it.
        self._has_task = True
        task = Task(
            id=self.task_id,
            context_id=self.context_id,
            status=TaskStatus(state=TaskState.TASK_STATE_SUBMITTED),
            history=[] if self._message is None else [self._message],
        )
        task.status.timestamp.GetCurrentTime()
        await self._queue.enqueue_event(task)
