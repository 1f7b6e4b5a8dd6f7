"""An extension that the card requires."""

import subprocess
import sys
import unittest

import httpx

from tests.lab import Agent

URI = 'https://plugfest.example/extensions/lab/v1'


class OfferedExtension(unittest.TestCase):
    def test_the_card_declares_it_as_one_that_may_be_asked_for(self) -> None:
        agent = Agent('--protocol', 'both', '--offerExtension', URI)
        self.addCleanup(agent.end)
        (extension,) = agent.card()['capabilities']['extensions']
        self.assertEqual((extension['uri'], extension.get('required', False)), (URI, False))


class RequiredExtension(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.agent = Agent('--protocol', 'both', '--requireExtension', URI)
        cls.addClassCleanup(cls.agent.end)

    def send(self, headers: dict[str, str]) -> dict:
        message = {'messageId': 'm', 'role': 'ROLE_USER', 'parts': [{'text': 'plugfest-echo word'}]}
        body = {'jsonrpc': '2.0', 'id': 1, 'method': 'SendMessage', 'params': {'message': message}}
        answer = httpx.post(
            f'{self.agent.url}/jsonrpc', json=body, headers={'A2A-Version': '1.0', **headers}, timeout=10
        )
        return answer.json()

    def test_the_card_declares_it_as_required(self) -> None:
        (extension,) = self.agent.card()['capabilities']['extensions']
        self.assertEqual((extension['uri'], extension['required']), (URI, True))

    def test_a_message_is_refused_without_it_and_served_with_it(self) -> None:
        for headers in ({}, {'A2A-Extensions': URI.replace('v1', 'v2')}):
            self.assertEqual(self.send(headers)['error']['code'], -32008)
        served = self.send({'A2A-Extensions': f'https://plugfest.example/other, {URI}'})
        self.assertEqual(served['result']['task']['status']['state'], 'TASK_STATE_COMPLETED')

    def test_what_is_no_uri_is_refused(self) -> None:
        ended = subprocess.run(
            [sys.executable, '-m', 'lab_agent', '--requireExtension', 'lab v1'], capture_output=True, text=True
        )
        self.assertEqual(ended.returncode, 2)
        self.assertIn("'lab v1' is no absolute URI", ended.stderr)
