"""FastA2A of the days of `tasks/send`: storage and broker in memory, and a worker that says what it heard."""

import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fasta2a import FastA2A, Worker
from fasta2a.broker import InMemoryBroker
from fasta2a.schema import Artifact, Message, TaskIdParams, TaskSendParams, TextPart
from fasta2a.storage import InMemoryStorage


class Echo(Worker):
    async def run_task(self, params: TaskSendParams) -> None:
        await self.storage.update_task(params['id'], state='working')
        text = ''.join(part.get('text', '') for part in params['message']['parts'])
        await self.storage.update_task(params['id'], state='completed', artifacts=self.build_artifacts(text))

    async def cancel_task(self, params: TaskIdParams) -> None:
        # A worker that fails for a task that is not there ends the server.
        if await self.storage.load_task(params['id']):
            await self.storage.update_task(params['id'], state='canceled')

    def build_message_history(self, task_history: list[Message]) -> list[Any]:
        return list(task_history)

    def build_artifacts(self, result: Any) -> list[Artifact]:
        return [Artifact(name='echo', parts=[TextPart(type='text', text=result)], index=0)]


storage = InMemoryStorage()
broker = InMemoryBroker()
worker = Echo(storage=storage, broker=broker)


@asynccontextmanager
async def lifespan(app: FastA2A) -> AsyncIterator[None]:
    async with app.task_manager, worker.run():
        print(json.dumps({'ready': True, 'card': f'{url}/.well-known/agent.json'}), flush=True)
        yield


listener = socket.create_server(('127.0.0.1', 0))
url = f'http://127.0.0.1:{listener.getsockname()[1]}'
app = FastA2A(storage=storage, broker=broker, lifespan=lifespan, name='fasta2a-01', url=url)
uvicorn.Server(uvicorn.Config(app, log_level='warning')).run(sockets=[listener])
