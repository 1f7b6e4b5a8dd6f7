"""The coordinator's own webhook: what may be believed of what is posted there."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from dataclasses import dataclass, field

from a2a.types.a2a_pb2 import StreamResponse, TaskPushNotificationConfig, TaskState
from google.protobuf.json_format import ParseDict, ParseError
from starlette.requests import Request
from starlette.responses import Response

PATH = '/notifications'
_MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Notification:
    task_id: str
    state: TaskState


@dataclass
class Subscription:
    """One task's notifications. Token and credentials are made for it alone."""

    base_url: str
    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    credentials: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    received: asyncio.Queue[Notification | None] = field(default_factory=asyncio.Queue)
    refused: int = 0

    def config(self) -> TaskPushNotificationConfig:
        config = TaskPushNotificationConfig(url=f'{self.base_url}{PATH}/{self.key}', token=self.token)
        config.authentication.scheme = 'Bearer'
        config.authentication.credentials = self.credentials
        return config

    def trusts(self, request: Request) -> bool:
        token = request.headers.get('x-a2a-notification-token', '')
        authorization = request.headers.get('authorization', '')
        return all(
            hmac.compare_digest(given.encode(), expected.encode())
            for given, expected in ((token, self.token), (authorization, f'Bearer {self.credentials}'))
        )


class Notifications:
    """The webhook's subscriptions, by the last part of their URLs."""

    def __init__(self) -> None:
        self._open: dict[str, Subscription] = {}

    def subscribe(self, base_url: str) -> Subscription:
        subscription = Subscription(base_url)
        self._open[subscription.key] = subscription
        return subscription

    def end(self, subscription: Subscription) -> None:
        self._open.pop(subscription.key, None)

    async def receive(self, request: Request) -> Response:
        """Takes a POST. Nothing of an unverified one is looked at."""
        subscription = self._open.get(request.path_params['key'])
        if subscription is None:
            return Response(status_code=404)
        if not subscription.trusts(request):
            subscription.refused += 1
            return Response(status_code=401, headers={'WWW-Authenticate': 'Bearer'})
        try:
            body = await request.body()
            if len(body) > _MOST_BYTES:
                return Response(status_code=413)
            notification = _notification(json.loads(body))
        except (ValueError, ParseError):
            return Response(status_code=400)
        await subscription.received.put(notification)
        return Response(status_code=204)


def _notification(body: object) -> Notification:
    """@raises ValueError, ParseError where it is none"""
    if not isinstance(body, dict):
        raise ValueError('no object')
    event = ParseDict(body, StreamResponse(), ignore_unknown_fields=True)
    if event.HasField('task'):
        return Notification(event.task.id, event.task.status.state)
    if event.HasField('status_update'):
        return Notification(event.status_update.task_id, event.status_update.status.state)
    if event.HasField('artifact_update'):
        return Notification(event.artifact_update.task_id, TaskState.TASK_STATE_UNSPECIFIED)
    raise ValueError('no event of a task')
