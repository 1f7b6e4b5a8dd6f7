"""The expense agent: approves what a trip costs, by a manager who takes a while."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone

from a2a.types.a2a_pb2 import TaskState

from travel_agent.executor import Turn
from travel_agent.fields import Refused, number, require_only, text

_FIELDS = ('costCentre', 'amount', 'currency')
_MANAGER_TAKES_S = 0.5
_DIRECTOR_ABOVE = 2000
"""Above this a director decides, who does not come round to it."""
_DIRECTOR_TAKES_S = 60.0
_VALID = timedelta(hours=1)


class Expense:
    """Approves by itself: the manager is a timer."""

    async def act(self, turn: Turn) -> None:
        require_only(turn.fields, _FIELDS)
        amount = number(turn.fields, 'amount')
        if text(turn.fields, 'currency') != 'EUR' or amount <= 0:
            raise Refused('amounts are in EUR, above zero')
        cost_centre = text(turn.fields, 'costCentre')
        outlet = turn.outlet
        if amount > _DIRECTOR_ABOVE:
            await outlet.working('waiting for the director')
            await asyncio.sleep(_DIRECTOR_TAKES_S)
            await outlet.status(TaskState.TASK_STATE_REJECTED, 'the director did not answer')
            return
        await outlet.working('waiting for the manager')
        await asyncio.sleep(_MANAGER_TAKES_S)
        expires = datetime.now(timezone.utc).replace(microsecond=0) + _VALID
        approval = {'approved': True, 'amount': amount, 'currency': 'EUR', 'costCentre': cost_centre}
        await outlet.artifact('expense-approval.json', {**approval, 'expiresAt': expires.isoformat()})
        await outlet.completed()

    async def give_up(self, task_id: str) -> None:
        """Nothing was begun elsewhere."""
