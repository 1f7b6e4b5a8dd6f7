"""Other agents, called with the SDK's own client."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.helpers.proto_helpers import new_data_part
from a2a.types.a2a_pb2 import (
    AgentCard,
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Role,
    SendMessageConfiguration,
    SendMessageRequest,
    StreamResponse,
    Task,
    TaskPushNotificationConfig,
    TaskState,
)
from a2a.utils.errors import A2AError

from travel_agent.fields import Fields, Refused, fields_of

_CALL_LIMIT_S = 20.0

Trouble = (A2AError, httpx.HTTPError, grpc.aio.AioRpcError, asyncio.TimeoutError)
"""What a call to a peer may end in, where the peer refuses it or is not there."""


@dataclass(frozen=True)
class Remote:
    """Where an agent with a skill is, and how it is spoken to."""

    card_url: str
    name: str
    binding: str


@dataclass
class Answer:
    """What a peer's task has come to."""

    task_id: str = ''
    context_id: str = ''
    state: TaskState = TaskState.TASK_STATE_UNSPECIFIED
    text: str = ''
    asked: Fields = field(default_factory=dict)
    artifacts: dict[str, Fields] = field(default_factory=dict)

    def add(self, response: StreamResponse) -> None:
        """Takes in one event, or a whole task."""
        if response.HasField('task'):
            self.take(response.task)
        elif response.HasField('status_update'):
            self.task_id, self.context_id = response.status_update.task_id, response.status_update.context_id
            self._status(response.status_update.status)
        elif response.HasField('artifact_update'):
            artifact = response.artifact_update.artifact
            self.artifacts[artifact.name] = fields_of(artifact.parts)

    def take(self, task: Task) -> Answer:
        self.task_id, self.context_id = task.id, task.context_id
        self._status(task.status)
        for artifact in task.artifacts:
            self.artifacts[artifact.name] = fields_of(artifact.parts)
        return self

    def _status(self, status) -> None:  # noqa: ANN001: the SDK's TaskStatus
        self.state = status.state
        self.text = ''.join(part.text for part in status.message.parts if part.HasField('text'))
        self.asked = fields_of(status.message.parts)

    def artifact(self, remote: Remote, name: str) -> Fields:
        """An artifact of a task that has to be completed."""
        if self.state != TaskState.TASK_STATE_COMPLETED:
            raise Refused(f'{remote.name} ended in {TaskState.Name(self.state)}: {self.text}')
        if name not in self.artifacts:
            raise Refused(f'{remote.name} completed without the artifact {name}')
        return self.artifacts[name]


async def find_remotes(card_urls: list[str], binding: str) -> dict[str, Remote]:
    """The agents by their skills."""
    async with httpx.AsyncClient(timeout=_CALL_LIMIT_S) as http:
        cards = await asyncio.gather(*(_card(http, url) for url in card_urls))
    return {
        skill.id: Remote(url, card.name, binding)
        for url, card in zip(card_urls, cards)
        for skill in card.skills
    }


@asynccontextmanager
async def client_of(remote: Remote, *, streaming: bool = False) -> AsyncIterator[Client]:
    """The SDK's client for a peer; its card is resolved anew, as a proxy may show each caller another."""
    async with httpx.AsyncClient(timeout=_CALL_LIMIT_S) as http:
        factory = ClientFactory(
            ClientConfig(
                httpx_client=http,
                grpc_channel_factory=grpc.aio.insecure_channel,
                streaming=streaming,
                supported_protocol_bindings=[remote.binding],
                use_client_preference=True,
            )
        )
        client = factory.create(await _card(http, remote.card_url))
        try:
            yield client
        finally:
            if remote.binding == 'GRPC':
                await client.close()


async def send(
    remote: Remote,
    fields: Fields,
    *,
    task: Answer | None = None,
    push: TaskPushNotificationConfig | None = None,
    on_working: Callable[[str], Awaitable[None]] | None = None,
) -> Answer:
    """Sends data: a new task, or the answer to what `task` asked for. With `on_working` it streams."""
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[new_data_part(fields)])
    if task is not None:
        message.task_id, message.context_id = task.task_id, task.context_id
    request = SendMessageRequest(message=message)
    request.configuration.CopyFrom(SendMessageConfiguration(accepted_output_modes=['application/json']))
    if push is not None:
        request.configuration.return_immediately = True
        request.configuration.task_push_notification_config.CopyFrom(push)
    answer = Answer()
    async with client_of(remote, streaming=on_working is not None) as client:
        async for response in client.send_message(request):
            answer.add(response)
            if on_working and response.HasField('status_update') and answer.text:
                await on_working(answer.text)
    return answer


async def get(remote: Remote, task_id: str) -> Answer:
    async with client_of(remote) as client:
        return Answer().take(await client.get_task(GetTaskRequest(id=task_id)))


async def cancel(remote: Remote, task_id: str) -> None:
    async with client_of(remote) as client:
        await client.cancel_task(CancelTaskRequest(id=task_id))


async def _card(http: httpx.AsyncClient, url: str) -> AgentCard:
    return await A2ACardResolver(http, url).get_agent_card()
