"""A server of python-a2a, as its README makes one: a class with `handle_task`."""

import json
import socket
import threading
import time

from python_a2a import A2AServer, AgentCard, AgentSkill, TaskState, TaskStatus, run_server


class Echo(A2AServer):
    def handle_task(self, task):
        text = (task.message or {}).get('content', {}).get('text', '')
        task.artifacts = [{'parts': [{'type': 'text', 'text': text}]}]
        task.status = TaskStatus(state=TaskState.COMPLETED)
        return task


def announce() -> None:
    while socket.socket().connect_ex(('127.0.0.1', port)) != 0:
        time.sleep(0.05)
    print(json.dumps({'ready': True, 'card': f'{url}/.well-known/agent.json'}), flush=True)


# The package takes no listener, so the port is looked for first.
with socket.create_server(('127.0.0.1', 0)) as free:
    port = free.getsockname()[1]
url = f'http://127.0.0.1:{port}'
card = AgentCard(
    name='python-a2a',
    description='Says what it was told.',
    url=url,
    version='1.0.0',
    skills=[AgentSkill(name='Echo', description='Says what it was told.', tags=['echo'], examples=['hello'])],
)
threading.Thread(target=announce, daemon=True).start()
run_server(Echo(agent_card=card), host='127.0.0.1', port=port)
