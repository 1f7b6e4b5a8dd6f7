"""Agents in processes of their own, played peers, and a caller that looks at the wire."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).resolve().parent.parent


class Agent:
    """One agent in a process of its own."""

    def __init__(self, role: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, '-m', 'travel_agent', '--role', role],
            cwd=HERE,
            env={**os.environ, 'LAB_AGENT_LOG': 'CRITICAL'},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        self.ready = json.loads(self.process.stdout.readline())
        self.url: str = self.ready['card'].removesuffix('/.well-known/agent-card.json')

    def end(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=5)

    def call(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        body = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': params}
        answer = httpx.post(f'{self.url}/jsonrpc', json=body, headers={'A2A-Version': '1.0'}, timeout=20)
        return answer.json()['result']

    def send(
        self, data: dict[str, Any], configuration: dict[str, Any] | None = None, **ids: Any
    ) -> dict[str, Any]:
        """The task that a message with data comes to."""
        message = {'messageId': str(uuid.uuid4()), 'role': 'ROLE_USER', 'parts': [{'data': data}], **ids}
        settings = {} if configuration is None else {'configuration': configuration}
        return self.call('SendMessage', {'message': message, **settings})['task']

    def task(self, task_id: str) -> dict[str, Any]:
        return self.call('GetTask', {'id': task_id})

    def until(self, task_id: str, state: str) -> dict[str, Any]:
        """The task once it is in this state, or as it is after a while."""
        for _ in range(60):
            task = self.task(task_id)
            if task['status']['state'] == state:
                break
            time.sleep(0.1)
        return task


def run_to_end(*flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-m', 'travel_agent', *flags], cwd=HERE, capture_output=True, text=True, timeout=20
    )
