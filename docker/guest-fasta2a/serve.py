"""FastA2A with storage and broker in memory, and a worker that says what it was told."""

import json
import socket
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fasta2a import FastA2A, Worker
from fasta2a.broker import InMemoryBroker
from fasta2a.schema import Artifact, Message, Part, Skill, TaskIdParams, TaskSendParams
from fasta2a.storage import InMemoryStorage


class Echo(Worker[list[Message]]):
    async def run_task(self, params: TaskSendParams) -> None:
        await self.storage.update_task(params['id'], state='working')
        text = ''.join(part.get('text', '') for part in params['message']['parts'])
        said = Message(role='agent', message_id=str(uuid.uuid4()), parts=[Part(text=text)])
        await self.storage.update_task(
            params['id'], state='completed', new_messages=[said], new_artifacts=self.build_artifacts(text)
        )

    async def cancel_task(self, params: TaskIdParams) -> None:
        # A worker that fails for a task that is not there ends the server.
        if await self.storage.load_task(params['id']):
            await self.storage.update_task(params['id'], state='canceled')

    def build_message_history(self, history: list[Message]) -> list[Any]:
        return list(history)

    def build_artifacts(self, result: Any) -> list[Artifact]:
        return [Artifact(artifact_id=str(uuid.uuid4()), name='echo', parts=[Part(text=result)])]


storage, broker = InMemoryStorage(), InMemoryBroker()
worker = Echo(storage=storage, broker=broker)


@asynccontextmanager
async def lifespan(app: FastA2A) -> AsyncIterator[None]:
    async with app.task_manager, worker.run():
        print(json.dumps({'ready': True, 'card': f'{url}/.well-known/agent-card.json'}), flush=True)
        yield


listener = socket.create_server(('127.0.0.1', 0))
url = f'http://127.0.0.1:{listener.getsockname()[1]}'
# What an application has to say for itself; the defaults are no skill, and JSON as the only input.
echo = Skill(
    id='echo',
    name='Echo',
    description='Says what it was told.',
    tags=['echo'],
    input_modes=['text/plain'],
    output_modes=['text/plain'],
)
app = FastA2A(
    storage=storage,
    broker=broker,
    lifespan=lifespan,
    name='fasta2a',
    url=url,
    skills=[echo],
    default_input_modes=['text/plain'],
    default_output_modes=['text/plain'],
)
uvicorn.Server(uvicorn.Config(app, log_level='warning')).run(sockets=[listener])
