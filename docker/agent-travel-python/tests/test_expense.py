"""The expense agent on the wire."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.lab import Agent, run_to_end

ASKED = {'costCentre': 'CC-1', 'amount': 1920, 'currency': 'EUR'}


class Webhook:
    """Keeps what is posted to it."""

    def __init__(self) -> None:
        self.posts: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.over = threading.Event()
        webhook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers['content-length'])))
                webhook.posts.append(({name.lower(): value for name, value in self.headers.items()}, body))
                state = body.get('statusUpdate', {}).get('status', {}).get('state')
                self.send_response(204)
                self.end_headers()
                if state == 'TASK_STATE_COMPLETED':
                    webhook.over.set()

            def log_message(self, *_: Any) -> None: ...

        self._server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self._server.server_port}/hook'
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class ExpenseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.agent = Agent('expense')
        cls.addClassCleanup(cls.agent.end)

    def test_approves_what_was_asked_for_and_no_more(self) -> None:
        task = self.agent.send(ASKED)
        self.assertEqual(task['status']['state'], 'TASK_STATE_COMPLETED')
        [artifact] = task['artifacts']
        approval = artifact['parts'][0]['data']
        self.assertEqual({name: approval[name] for name in ASKED}, ASKED)
        self.assertEqual(set(approval), {*ASKED, 'approved', 'expiresAt'})

    def test_refuses_what_it_need_not_know(self) -> None:
        task = self.agent.send({**ASKED, 'employee': 'Mina'})
        self.assertEqual(task['status']['state'], 'TASK_STATE_REJECTED')
        self.assertIn('employee', task['status']['message']['parts'][0]['text'])

    def test_refuses_an_amount_that_is_none(self) -> None:
        for amount in (0, -1, '1920', True):
            task = self.agent.send({**ASKED, 'amount': amount})
            self.assertEqual(task['status']['state'], 'TASK_STATE_REJECTED', amount)

    def test_waits_for_a_director_above_a_limit_until_it_is_cancelled(self) -> None:
        task = self.agent.send({**ASKED, 'amount': 2080}, {'returnImmediately': True})
        waiting = self.agent.until(task['id'], 'TASK_STATE_WORKING')
        self.assertEqual(waiting['status']['state'], 'TASK_STATE_WORKING')
        canceled = self.agent.call('CancelTask', {'id': task['id']})
        self.assertEqual(canceled['status']['state'], 'TASK_STATE_CANCELED')

    def test_tells_of_the_end_with_token_and_credentials(self) -> None:
        webhook = Webhook()
        self.addCleanup(webhook.end)
        push = {
            'url': webhook.url,
            'token': 'the token',
            'authentication': {'scheme': 'Bearer', 'credentials': 'secret'},
        }
        self.agent.send(ASKED, {'returnImmediately': True, 'taskPushNotificationConfig': push})
        self.assertTrue(webhook.over.wait(10), webhook.posts)
        for headers, _ in webhook.posts:
            self.assertEqual(headers['x-a2a-notification-token'], 'the token')
            self.assertEqual(headers['authorization'], 'Bearer secret')


class StartTest(unittest.TestCase):
    def test_a_bad_flag_is_one_line_and_exit_code_2(self) -> None:
        for flags in ((), ('--role', 'pilot'), ('--role', 'expense', '--httpPort', 'x'), ('--nope',)):
            ended = run_to_end(*flags)
            self.assertEqual((ended.returncode, ended.stdout), (2, ''), flags)
            self.assertEqual(len(ended.stderr.strip().splitlines()), 1, ended.stderr)


if __name__ == '__main__':
    unittest.main()
