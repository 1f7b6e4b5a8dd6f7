"""Agents in processes of their own, a webhook receiver, and a caller.

The caller shares no code with the SDK, but for the generated messages and stubs of gRPC.
"""

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

import grpc
import httpx
from a2a.types import a2a_pb2, a2a_pb2_grpc
from google.protobuf import json_format

HERE = Path(__file__).resolve().parent.parent
DIALECTS = ('JSONRPC 1.0', 'HTTP+JSON 1.0', 'GRPC 1.0', 'JSONRPC 0.3')
"""Those that `Caller` speaks itself."""
DRIVEN = (*DIALECTS, 'HTTP+JSON 0.3', 'GRPC 0.3')
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
    """Calls an agent in one dialect and shows answers in one form."""

    def __init__(self, agent: Agent, dialect: str, token: str | None = None) -> None:
        self.binding, self.version = dialect.split()
        self._agent = agent
        headers = {'A2A-Version': self.version}
        if token is not None:
            headers['Authorization'] = f'Bearer {token}'
        self._http = httpx.Client(timeout=15, headers=headers)
        self._metadata = [(name.lower(), value) for name, value in headers.items()]
        self._channel = grpc.insecure_channel(agent.grpc) if self.binding == 'GRPC' else None

    def close(self) -> None:
        self._http.close()
        if self._channel is not None:
            self._channel.close()

    def send(self, text: str = '', **options: Any) -> dict[str, Any]:
        """The `Task` or `Message` that a unary send answers with, or `{'error': …}`."""
        params = self._params(text, **options)
        if self._channel is not None:
            return _unwrapped(self._grpc('SendMessage', a2a_pb2.SendMessageRequest, params))
        if self.binding == 'HTTP+JSON':
            return _unwrapped(self._http.post(f'{self._agent.url}/rest/message:send', json=params).json())
        return self._rpc('SendMessage', 'message/send', params)

    def stream(self, text: str = '', **options: Any) -> Iterator[dict[str, Any]]:
        """The events of a streaming send."""
        params = self._params(text, **options)
        if self._channel is not None:
            return self._grpc_events('SendStreamingMessage', a2a_pb2.SendMessageRequest, params)
        if self.binding == 'HTTP+JSON':
            return self._events('/rest/message:stream', params)
        return self._rpc_events('SendStreamingMessage', 'message/stream', params)

    def subscribe(self, task_id: str) -> Iterator[dict[str, Any]]:
        if self._channel is not None:
            return self._grpc_events('SubscribeToTask', a2a_pb2.SubscribeToTaskRequest, {'id': task_id})
        if self.binding == 'HTTP+JSON':
            return self._events(f'/rest/tasks/{task_id}:subscribe', None)
        return self._rpc_events('SubscribeToTask', 'tasks/resubscribe', {'id': task_id})

    def cancel(self, task_id: str) -> dict[str, Any]:
        if self._channel is not None:
            return self._grpc('CancelTask', a2a_pb2.CancelTaskRequest, {'id': task_id})
        if self.binding == 'HTTP+JSON':
            return self._http.post(f'{self._agent.url}/rest/tasks/{task_id}:cancel').json()
        return self._rpc('CancelTask', 'tasks/cancel', {'id': task_id})

    def get(self, task_id: str) -> dict[str, Any]:
        if self._channel is not None:
            return self._grpc('GetTask', a2a_pb2.GetTaskRequest, {'id': task_id})
        if self.binding == 'HTTP+JSON':
            return self._http.get(f'{self._agent.url}/rest/tasks/{task_id}').json()
        return self._rpc('GetTask', 'tasks/get', {'id': task_id})

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
        configuration: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        old = self.version == '0.3'
        if raw is not None:
            encoded, media_type, name = raw
            file = {'bytes': encoded, 'mimeType': media_type, 'name': name}
            new_part = {'raw': encoded, 'mediaType': media_type, 'filename': name}
            part = {'kind': 'file', 'file': file} if old else new_part
        elif data is not None:
            part = {'kind': 'data', 'data': data} if old else {'data': data}
        else:
            part = {'kind': 'text', 'text': text} if old else {'text': text}
        message: dict[str, Any] = {
            'messageId': message_id or str(uuid.uuid4()),
            'role': 'user' if old else 'ROLE_USER',
            'parts': [part],
        }
        if old:
            message['kind'] = 'message'
        if task_id:
            message['taskId'] = task_id
        return {'message': message, **({'configuration': configuration} if configuration else {})}

    def _request(self, new: str, old: str, params: dict[str, Any]) -> dict[str, Any]:
        method = old if self.version == '0.3' else new
        return {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}

    def _rpc(self, new: str, old: str, params: dict[str, Any]) -> dict[str, Any]:
        answer = self._http.post(f'{self._agent.url}/jsonrpc', json=self._request(new, old, params)).json()
        return _unwrapped(answer['result']) if 'result' in answer else answer

    def _rpc_events(self, new: str, old: str, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for event in self._events('/jsonrpc', self._request(new, old, params)):
            yield event.get('result', event)

    def _grpc(self, method: str, kind: Any, request: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = getattr(self._stub(), method)(
                json_format.ParseDict(request, kind()), metadata=self._metadata, timeout=15
            )
        except grpc.RpcError as refusal:
            return _grpc_error(refusal)
        return json_format.MessageToDict(answer)

    def _grpc_events(self, method: str, kind: Any, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        call = getattr(self._stub(), method)
        try:
            stream = call(json_format.ParseDict(request, kind()), metadata=self._metadata, timeout=15)
            for event in stream:
                yield json_format.MessageToDict(event)
        except grpc.RpcError as refusal:
            yield _grpc_error(refusal)

    def _stub(self) -> a2a_pb2_grpc.A2AServiceStub:
        return a2a_pb2_grpc.A2AServiceStub(self._channel)

    def _events(self, path: str, body: Any) -> Iterator[dict[str, Any]]:
        with self._http.stream('POST', self._agent.url + path, json=body) as response:
            for line in response.iter_lines():
                if line.startswith('data:'):
                    yield json.loads(line[5:])
                elif line.startswith('{'):  # an error instead of a stream
                    yield json.loads(line)


def _grpc_error(refusal: Any) -> dict[str, Any]:
    return {'error': {'code': refusal.code().name, 'message': refusal.details()}}


def _unwrapped(result: dict[str, Any]) -> dict[str, Any]:
    return result.get('task') or result.get('message') or result


def state(holder: dict[str, Any]) -> str:
    """A state without its version's spelling, as in `INPUT_REQUIRED`."""
    return holder['status']['state'].removeprefix('TASK_STATE_').replace('-', '_').upper()


def status_text(holder: dict[str, Any]) -> str:
    return text_of(holder['status'].get('message', {}))


def text_of(holder: dict[str, Any]) -> str:
    return ''.join(part.get('text', '') for part in holder.get('parts', []))


def payload(event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of a stream event in 0.3's words, and its payload, for both versions."""
    names = {
        'task': 'task',
        'message': 'message',
        'statusUpdate': 'status-update',
        'artifactUpdate': 'artifact-update',
    }
    for key, kind in names.items():
        if key in event and 'kind' not in event:
            return kind, event[key]
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
