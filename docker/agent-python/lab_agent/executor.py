"""The agent behind the SDK's server: picks what to do for each message."""

from __future__ import annotations

from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.types.a2a_pb2 import Message, TaskState
from a2a.utils.errors import ExtensionSupportRequiredError

from lab_agent import drive, itk, itk_walk
from lab_agent.behaviours import Behaviour, Turn, choose, resume
from lab_agent.outlet import Outlet, OutletClosed
from lab_agent.parts import first_text
from lab_agent.principals import Principals

_WAITING = (TaskState.TASK_STATE_INPUT_REQUIRED, TaskState.TASK_STATE_AUTH_REQUIRED)


class LabExecutor(AgentExecutor):
    """Applies the rules of docs/lab-agents.md, in their order."""

    def __init__(self, principals: Principals, required: str | None = None) -> None:
        self._principals = principals
        self._required = required
        self._talking: dict[str, Outlet] = {}
        self._resumes: dict[str, Behaviour] = {}

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        # The SDK tells which extensions were asked for, and leaves it to the application what that means.
        if self._required is not None and self._required not in context.requested_extensions:
            raise ExtensionSupportRequiredError(message=f'This agent requires the extension {self._required}')
        outlet = Outlet(context, event_queue)
        self._talking[outlet.task_id] = outlet
        try:
            await self._act(context.message or Message(), context, outlet)
        except OutletClosed:
            pass  # Cancelled: the last word is said.
        finally:
            if self._talking.get(outlet.task_id) is outlet:
                del self._talking[outlet.task_id]

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        task_id = context.task_id or ''
        self._resumes.pop(task_id, None)
        outlet = self._talking.get(task_id) or Outlet(context, event_queue)
        await outlet.cancel()

    async def _act(self, message: Message, context: RequestContext, outlet: Outlet) -> None:
        instruction = itk.find_instruction(message.parts)
        if instruction is not None:
            await itk_walk.carry_out(instruction, outlet)
            return
        call = drive.find_call(message.parts)
        if call is not None:
            await drive.answer(call, outlet, self._principals)
            return

        text = first_text(message.parts)
        task = context.current_task
        if task is not None and task.status.state in _WAITING:
            behaviour, rest = self._resumes.pop(outlet.task_id, resume), text
        else:
            behaviour, rest = choose(message.message_id, text)

        def wait(next_behaviour: Behaviour) -> None:
            self._resumes[outlet.task_id] = next_behaviour

        modes = context.configuration.accepted_output_modes if context.configuration else ()
        await behaviour(Turn(outlet, text, rest, message.parts, tuple(modes), wait))
