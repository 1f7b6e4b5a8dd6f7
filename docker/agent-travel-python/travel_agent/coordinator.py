"""The coordinator: plans a trip with other agents, and books what its user picks."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import datetime, timezone

from a2a.types.a2a_pb2 import TaskState

from travel_agent import peers
from travel_agent.executor import Turn
from travel_agent.fields import Fields, Refused, number, object_in, text
from travel_agent.notifications import Notifications, Subscription
from travel_agent.outlet import Outlet, OutletClosed
from travel_agent.peers import Answer, Remote
from travel_agent.search import Search

_log = logging.getLogger(__name__)
_APPROVAL_LIMIT_S = 90.0
_OVER = (
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
)


@dataclass
class _Pending:
    """A peer's task on which one of ours depends."""

    remote: Remote
    task_id: str
    subscription: Subscription | None = None


class Coordinator:
    """One task searches, another one books; both are in the user's context."""

    def __init__(self, base_url: str, notifications: Notifications) -> None:
        self._base_url = base_url
        self._notifications = notifications
        self._searches: dict[str, Search] = {}
        self._pending: dict[str, _Pending] = {}

    async def act(self, turn: Turn) -> None:
        if turn.follow_up:
            await self._go_on(turn)
        elif 'option' in turn.fields:
            await self._book(turn)
        else:
            await self._search(turn)

    async def give_up(self, task_id: str) -> None:
        """What a peer works on for a task of ours is cancelled with it."""
        pending = self._pending.pop(task_id, None)
        if pending is None:
            return
        try:
            await peers.cancel(pending.remote, pending.task_id)
        except peers.Trouble as trouble:
            # It may be over already; ours is given up all the same.
            _log.warning('%s does not cancel %s: %s', pending.remote.name, pending.task_id, trouble)
        if pending.subscription is not None:
            pending.subscription.received.put_nowait(None)

    async def _search(self, turn: Turn) -> None:
        outlet = turn.outlet
        search = self._searches[outlet.task_id] = await Search.of(turn.fields, outlet.context_id)
        try:
            await search.begin(outlet)
        finally:
            if search.waits and search.hotel is not None:
                self._pending[outlet.task_id] = _Pending(search.remotes['hotel-search'], search.hotel.task_id)
        if search.waits and search.hotel is not None:
            asked = search.hotel
            await outlet.status(TaskState.TASK_STATE_INPUT_REQUIRED, asked.text, asked.asked)
            return
        await self._present(search, outlet)

    async def _go_on(self, turn: Turn) -> None:
        search = self._searches.get(turn.outlet.task_id)
        if search is None or not search.waits:
            raise Refused('this task waits for nothing')
        await turn.outlet.working('going on with the answer')
        await search.answer(turn.fields)
        self._pending.pop(turn.outlet.task_id, None)
        await self._present(search, turn.outlet)

    async def _present(self, search: Search, outlet: Outlet) -> None:
        await outlet.artifact('itinerary-options.json', search.merge())
        await outlet.completed()

    async def _book(self, turn: Turn) -> None:
        search, option = self._picked(turn)
        booking: Fields = {'currency': search.policy['currency'], **option}
        if option['approvalRequired']:
            booking['approval'] = await self._approved(search, option, turn.outlet)
        await turn.outlet.artifact('booking.json', {**booking, 'status': 'booked'})
        await turn.outlet.completed()

    def _picked(self, turn: Turn) -> tuple[Search, Fields]:
        for task_id in turn.message.reference_task_ids:
            search = self._searches.get(task_id)
            if search is None or search.context_id != turn.outlet.context_id:
                continue
            option = search.options.get(text(turn.fields, 'option'))
            if option is None:
                raise Refused('option is none of those that were offered')
            return search, option
        raise Refused('referenceTaskIds names no search in this context')

    async def _approved(self, search: Search, option: Fields, outlet: Outlet) -> Fields:
        """Asks for approval and waits until the expense agent tells of its end, then looks for itself."""
        remote = search.remotes['expense-approval']
        cost_centre = object_in(search.request, 'employee')['costCentre']
        asked = {'costCentre': cost_centre, 'amount': option['total'], 'currency': search.policy['currency']}
        subscription = self._notifications.subscribe(self._base_url)
        try:
            begun = await peers.send(remote, asked, push=subscription.config())
            self._pending[outlet.task_id] = _Pending(remote, begun.task_id, subscription)
            if outlet.closed:
                await self.give_up(outlet.task_id)
                raise OutletClosed
            await outlet.artifact('approval-request.json', {'agent': remote.name, 'taskId': begun.task_id})
            await outlet.working('waiting for approval')
            told = await asyncio.wait_for(_end_of(begun, subscription), _APPROVAL_LIMIT_S)
        finally:
            self._notifications.end(subscription)
        self._pending.pop(outlet.task_id, None)
        approval = (await peers.get(remote, begun.task_id)).artifact(remote, 'expense-approval.json')
        _check(approval, asked)
        heard = {'notifications': told, 'refused': subscription.refused}
        return {'taskId': begun.task_id, 'expiresAt': approval['expiresAt'], **heard}


async def _end_of(begun: Answer, subscription: Subscription) -> int:
    """How many notifications of this very task there were when one said that it is over."""
    count = 0
    while True:
        notification = await subscription.received.get()
        if notification is None:
            raise OutletClosed
        if notification.task_id != begun.task_id:
            subscription.refused += 1
            continue
        count += 1
        if notification.state in _OVER:
            return count


def _check(approval: Fields, asked: Fields) -> None:
    if approval.get('approved') is not True:
        raise Refused('the trip is not approved')
    if number(approval, 'amount') != asked['amount'] or approval.get('currency') != asked['currency']:
        raise Refused('the approval is for another amount')
    if datetime.fromisoformat(text(approval, 'expiresAt')) <= datetime.now(timezone.utc):
        raise Refused('the approval has expired')
