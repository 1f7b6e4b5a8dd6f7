"""The agent behind the SDK's server: each message goes to the agent's role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types.a2a_pb2 import Message, TaskState

from travel_agent.fields import Fields, Refused, fields_of
from travel_agent.outlet import Outlet, OutletClosed
from travel_agent.peers import Trouble


@dataclass(frozen=True)
class Turn:
    """One message, and where to answer it."""

    message: Message
    fields: Fields
    follow_up: bool
    outlet: Outlet


class Role(Protocol):
    """What an agent does for whoever calls it."""

    async def act(self, turn: Turn) -> None: ...

    async def give_up(self, task_id: str) -> None:
        """Takes back what was begun for a task that is cancelled."""


class TravelExecutor(AgentExecutor):
    """Keeps apart who talks about which task."""

    def __init__(self, role: Role) -> None:
        self._role = role
        self._talking: dict[str, Outlet] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        outlet = Outlet(context, event_queue)
        message = context.message or Message()
        self._talking[outlet.task_id] = outlet
        try:
            follow_up = context.current_task is not None
            await self._role.act(Turn(message, fields_of(message.parts), follow_up, outlet))
        except Refused as refusal:
            await self._role.give_up(outlet.task_id)
            await outlet.status(TaskState.TASK_STATE_REJECTED, str(refusal))
        except Trouble as trouble:
            await self._role.give_up(outlet.task_id)
            text = f'another agent did not do its part: {type(trouble).__name__} {trouble}'
            await outlet.status(TaskState.TASK_STATE_FAILED, text.strip())
        except OutletClosed:
            pass  # Cancelled: the last word is said.
        finally:
            if self._talking.get(outlet.task_id) is outlet:
                del self._talking[outlet.task_id]

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id = context.task_id or ''
        outlet = self._talking.get(task_id) or Outlet(context, event_queue)
        outlet.close()
        await self._role.give_up(task_id)
        await outlet.canceled()
