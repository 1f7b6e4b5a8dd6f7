"""Step by step from a request to complete options: policy, flights and hotels, and the question of the office."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from a2a.types.a2a_pb2 import TaskState

from travel_agent.fields import Fields, Refused, number, object_in, objects, text
from travel_agent.outlet import Outlet
from travel_agent.peers import Answer, Remote, find_remotes, send

SKILLS = ('travel-policy', 'flight-search', 'hotel-search', 'expense-approval')


@dataclass
class Search:
    """What a search task has found out, for its follow-up and for bookings that refer to it."""

    context_id: str
    request: Fields
    remotes: dict[str, Remote]
    policy: Fields = field(default_factory=dict)
    flights: Fields = field(default_factory=dict)
    hotel: Answer | None = None
    options: dict[str, Fields] = field(default_factory=dict)

    @classmethod
    async def of(cls, fields: Fields, context_id: str) -> Search:
        """@raises Refused where the request does not say what is needed."""
        urls = fields.get('agents')
        if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
            raise Refused('agents is no list of the base URLs of agents that may be called')
        remotes = await find_remotes(urls, text(fields, 'binding'))
        missing = [skill for skill in SKILLS if skill not in remotes]
        if missing:
            raise Refused(f'no agent given has the skill {", ".join(missing)}')
        request = object_in(fields, 'request')
        for name in ('route', 'departure', 'return', 'arriveBy'):
            text(request, name)
        for name in ('grade', 'costCentre'):
            text(object_in(request, 'employee'), name)
        return cls(context_id, request, remotes)

    async def begin(self, outlet: Outlet) -> None:
        """Policy first, then flights and hotel at once. Each is told what it needs to know, and no more."""
        request, employee = self.request, object_in(self.request, 'employee')
        trip = {name: request[name] for name in ('route', 'departure', 'return')}
        remote = self.remotes['travel-policy']
        asked = {'grade': employee['grade'], 'costCentre': employee['costCentre'], **trip}
        await outlet.working('asking for the travel policy')
        self.policy = (await send(remote, asked)).artifact(remote, 'travel-policy.json')
        currency = text(self.policy, 'currency')
        flight, hotel = self.remotes['flight-search'], self.remotes['hotel-search']

        async def relay(words: str) -> None:
            await outlet.working(f'{flight.name}: {words}')

        cabin = text(self.policy, 'cabin')
        wish = {**trip, 'arriveBy': request['arriveBy'], 'cabin': cabin, 'currency': currency}
        stay = {
            'city': request['route'].partition('-')[2],
            'checkIn': request['departure'],
            'checkOut': request['return'],
            'maxNightlyRate': number(self.policy, 'maxNightlyHotelRate'),
            'currency': currency,
        }
        flown, self.hotel = await asyncio.gather(send(flight, wish, on_working=relay), send(hotel, stay))
        self.flights = flown.artifact(flight, 'flight-offers.json')

    @property
    def waits(self) -> bool:
        return self.hotel is not None and self.hotel.state == TaskState.TASK_STATE_INPUT_REQUIRED

    async def answer(self, fields: Fields) -> None:
        """Goes on with the hotel's own task."""
        hotel = self.remotes['hotel-search']
        self.hotel = await send(hotel, {'office': text(fields, 'office')}, task=self.hotel)

    def merge(self) -> Fields:
        """Each flight with each hotel, the cheapest first."""
        hotels = self.hotel.artifact(self.remotes['hotel-search'], 'hotel-offers.json') if self.hotel else {}
        pairs = [
            {'total': number(flight, 'price') + number(hotel, 'total'), 'flight': flight, 'hotel': hotel}
            for flight in objects(self.flights, 'offers')
            for hotel in objects(hotels, 'offers')
        ]
        pairs.sort(key=lambda pair: pair['total'])
        limit = number(self.policy, 'approvalRequiredAbove')
        options = [
            {'id': f'option-{index}', **pair, 'approvalRequired': pair['total'] > limit}
            for index, pair in enumerate(pairs, 1)
        ]
        self.options = {option['id']: option for option in options}
        return {'currency': self.policy['currency'], 'policy': self.policy, 'options': options}
