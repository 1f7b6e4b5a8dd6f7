"""Agents in processes of their own, a webhook receiver, and a caller that shares no code with the SDK."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).resolve().parent.parent
DRIVEN = ('JSONRPC 0.3', 'HTTP+JSON 0.3', 'GRPC 0.3')
"""Those that the agent's client speaks."""


class Agent:
    """One lab agent in a process of its own."""

    def __init__(self, *flags: str, stderr: int | None = None, **environment: str) -> None:
        # A file, because nobody reads a pipe in time: the SDK logs much.
        self._log = tempfile.TemporaryFile('w+')
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'lab_agent', '--httpPort', '0', *flags],
            cwd=HERE,
            env={**os.environ, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log if stderr is None else stderr,
            text=True,
        )
        assert self.process.stdout is not None
        self.ready = json.loads(self.process.stdout.readline())
        self.url: str = self.ready['card'].removesuffix('/.well-known/agent-card.json')
        self.grpc: str = self.ready.get('origins', [''])[0].removeprefix('http://')

    def end(self) -> str:
        """Ends the agent; returns what it wrote to stdout after the ready line. Once more: nothing."""
        if self.process.poll() is not None:
            return ''
        self.process.terminate()
        stdout, _ = self.process.communicate(timeout=5)
        self._log.close()
        return stdout

    def log(self) -> str:
        """What it wrote to stderr so far."""
        self._log.seek(0)
        return self._log.read()

    def card(self) -> dict[str, Any]:
        return httpx.get(self.ready['card']).json()


class Caller:
    """Calls an agent over JSON-RPC."""

    def __init__(self, agent: Agent, token: str | None = None) -> None:
        self._agent = agent
        headers = {} if token is None else {'Authorization': f'Bearer {token}'}
        self._http = httpx.Client(timeout=15, headers=headers)

    def close(self) -> None:
        self._http.close()

    def send(self, text: str = '', **options: Any) -> dict[str, Any]:
        """The `Task` or `Message` that a unary send answers with, or `{'error': …}`."""
        return self._rpc('message/send', self._params(text, **options))

    def stream(self, text: str = '', **options: Any) -> Iterator[dict[str, Any]]:
        """The events of a streaming send."""
        return self._events('message/stream', self._params(text, **options))

    def subscribe(self, task_id: str) -> Iterator[dict[str, Any]]:
        return self._events('tasks/resubscribe', {'id': task_id})

    def cancel(self, task_id: str) -> dict[str, Any]:
        return self._rpc('tasks/cancel', {'id': task_id})

    def get(self, task_id: str) -> dict[str, Any]:
        return self._rpc('tasks/get', {'id': task_id})

    def drive(self, target: str, dialect: str, call: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Has the agent make a call; returns the drive result."""
        binding, version = dialect.split()
        order = {'plugfest': 'drive/1', 'card': target, 'binding': binding, 'version': version, 'call': call}
        order.update(more)
        task = self.send(data=order)
        assert state(task) == 'COMPLETED', task
        (artifact,) = task['artifacts']
        assert artifact['name'] == 'drive-result', artifact
        return artifact['parts'][0]['data']

    def _params(
        self,
        text: str,
        *,
        message_id: str = '',
        task_id: str = '',
        data: Any = None,
        raw: tuple[str, str, str] | None = None,
    ) -> dict[str, Any]:
        if raw is not None:
            encoded, media_type, name = raw
            part = {'kind': 'file', 'file': {'bytes': encoded, 'mimeType': media_type, 'name': name}}
        elif data is not None:
            part = {'kind': 'data', 'data': data}
        else:
            part = {'kind': 'text', 'text': text}
        message: dict[str, Any] = {
            'kind': 'message',
            'messageId': message_id or str(uuid.uuid4()),
            'role': 'user',
            'parts': [part],
        }
        if task_id:
            message['taskId'] = task_id
        return {'message': message}

    def _rpc(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(f'{self._agent.url}/jsonrpc', json=_request(method, params)).json()
        return answer.get('result', answer)

    def _events(self, method: str, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        url = f'{self._agent.url}/jsonrpc'
        with self._http.stream('POST', url, json=_request(method, params)) as response:
            for line in response.iter_lines():
                if line.startswith('data:'):
                    event = json.loads(line[5:])
                    yield event.get('result', event)


def _request(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}


def state(holder: dict[str, Any]) -> str:
    """A state as 1.0 spells it, without its prefix."""
    return holder['status']['state'].replace('-', '_').upper()


def status_text(holder: dict[str, Any]) -> str:
    return text_of(holder['status'].get('message', {}))


def text_of(holder: dict[str, Any]) -> str:
    return ''.join(part.get('text', '') for part in holder.get('parts', []))


def payload(event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of a stream event, and the event."""
    return event.get('kind', 'error'), event


def said(events: list[dict[str, Any]]) -> list[str]:
    """A stream in short: states, and the texts of artifacts in quotes."""
    short = []
    for kind, value in map(payload, events):
        if kind in ('task', 'status-update'):
            short.append(state(value))
        elif kind == 'artifact-update':
            short.append(f"'{text_of(value['artifact'])}'")
        else:
            short.append(kind)
    return short


class Webhook:
    """Keeps what it is sent."""

    def __init__(self, server: ThreadingHTTPServer, calls: list[dict[str, Any]]) -> None:
        self.origin = f'http://127.0.0.1:{server.server_port}'
        self.url = f'{self.origin}/hook'
        self.calls = calls
        self._server = server

    def serve_card(self, card: dict[str, Any]) -> None:
        """Answers GET with this card."""
        self._server.card = card


@contextmanager
def webhook() -> Iterator[Webhook]:
    calls: list[dict[str, Any]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers['Content-Length']))
            headers = {name.lower(): value for name, value in self.headers.items()}
            calls.append({'path': self.path, 'headers': headers, 'body': json.loads(body)})
            self.send_response(200)
            self.send_header('Content-Length', '0')
            self.end_headers()

        def do_GET(self) -> None:
            body = json.dumps(self.server.card).encode()
            self.send_response(200)
            self.send_header('Content-Type', 'application/json')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(('127.0.0.1', 0), Receiver)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Webhook(server, calls)
    finally:
        server.shutdown()
        server.server_close()
