"""What the coordinator believes of what is posted to it, and of what an approval says."""

from __future__ import annotations

import asyncio
import unittest
from datetime import datetime, timedelta, timezone

from a2a.types.a2a_pb2 import TaskState
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient

from travel_agent.coordinator import _check, _end_of
from travel_agent.fields import Refused
from travel_agent.notifications import PATH, Notification, Notifications
from travel_agent.peers import Answer

BODY = {'statusUpdate': {'taskId': 'T1', 'contextId': 'C1', 'status': {'state': 'TASK_STATE_COMPLETED'}}}


class ReceiveTest(unittest.TestCase):
    def setUp(self) -> None:
        self.notifications = Notifications()
        route = Route(f'{PATH}/{{key}}', self.notifications.receive, methods=['POST'])
        self.client = TestClient(Starlette(routes=[route]))
        self.subscription = self.notifications.subscribe('http://127.0.0.1:1')
        config = self.subscription.config()
        self.path = config.url.removeprefix('http://127.0.0.1:1')
        self.good = {
            'X-A2A-Notification-Token': config.token,
            'Authorization': f'{config.authentication.scheme} {config.authentication.credentials}',
        }

    def post(self, path: str | None = None, **headers: str | None) -> int:
        given = {**self.good, **{name.replace('_', '-'): value for name, value in headers.items()}}
        sent = {name: value for name, value in given.items() if value is not None}
        return self.client.post(path or self.path, json=BODY, headers=sent).status_code

    def test_a_verified_notification_is_taken(self) -> None:
        self.assertEqual(self.post(), 204)
        self.assertEqual(
            self.subscription.received.get_nowait(), Notification('T1', TaskState.TASK_STATE_COMPLETED)
        )

    def test_others_are_refused_unread(self) -> None:
        wrong = ({'X_A2A_Notification_Token': 'no'}, {'X_A2A_Notification_Token': None})
        more = ({'Authorization': 'Bearer no'}, {'Authorization': None})
        for headers in (*wrong, *more):
            self.assertEqual(self.post(**headers), 401, headers)
        self.assertTrue(self.subscription.received.empty())
        self.assertEqual(self.subscription.refused, 4)

    def test_of_another_subscription_its_token_is_worth_nothing(self) -> None:
        other = self.notifications.subscribe('http://127.0.0.1:1')
        self.assertEqual(self.post(path=f'{PATH}/{other.key}'), 401)

    def test_after_the_end_nobody_is_there(self) -> None:
        self.notifications.end(self.subscription)
        self.assertEqual(self.post(), 404)

    def test_what_is_no_notification_is_refused(self) -> None:
        for content in (b'', b'[]', b'{}', b'{"statusUpdate": 1}'):
            answer = self.client.post(self.path, content=content, headers=self.good)
            self.assertEqual(answer.status_code, 400, content)


class EndTest(unittest.TestCase):
    def test_only_the_very_task_counts(self) -> None:
        async def told() -> tuple[int, int]:
            subscription = Notifications().subscribe('http://127.0.0.1:1')
            for task_id, state in (
                ('T2', TaskState.TASK_STATE_COMPLETED),
                ('T1', TaskState.TASK_STATE_WORKING),
                ('T1', TaskState.TASK_STATE_COMPLETED),
            ):
                subscription.received.put_nowait(Notification(task_id, state))
            count = await _end_of(Answer(task_id='T1'), subscription)
            return count, subscription.refused

        self.assertEqual(asyncio.run(told()), (2, 1))


class ApprovalTest(unittest.TestCase):
    def setUp(self) -> None:
        self.asked = {'costCentre': 'CC-1', 'amount': 1920, 'currency': 'EUR'}
        expires = datetime.now(timezone.utc) + timedelta(hours=1)
        self.good = {'approved': True, 'amount': 1920, 'currency': 'EUR', 'expiresAt': expires.isoformat()}

    def test_what_was_asked_for_is_good(self) -> None:
        _check(self.good, self.asked)

    def test_another_amount_an_end_in_the_past_or_no_approval_is_not(self) -> None:
        past = (datetime.now(timezone.utc) - timedelta(seconds=1)).isoformat()
        for wrong in ({'amount': 1900}, {'currency': 'USD'}, {'expiresAt': past}, {'approved': False}):
            with self.assertRaises(Refused, msg=str(wrong)):
                _check({**self.good, **wrong}, self.asked)


if __name__ == '__main__':
    unittest.main()
