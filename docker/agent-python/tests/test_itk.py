"""ITK instructions."""

import base64
import unittest

from lab_agent.itk import Instruction

from tests.lab import DIALECTS, Agent, Caller, payload, said, state, status_text, webhook

MEDIA_TYPE = 'application/x-protobuf'


class Itk(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.agents = []
        for name in ('amber', 'birch'):
            cls.agents.append(Agent('--name', name, '--protocol', 'both'))
            cls.addClassCleanup(cls.agents[-1].end)
        cls.callers = {dialect: Caller(cls.agents[0], dialect) for dialect in DIALECTS}
        cls.peer = cls.agents[1].url

    def carry(self, instruction, dialect='JSONRPC 1.0'):
        encoded = base64.b64encode(instruction.SerializeToString()).decode()
        return self.callers[dialect].send(raw=(encoded, MEDIA_TYPE, 'instruction.bin'))

    def call(self, response='pong', **members):
        members = {'transport': 'jsonrpc', 'agent_card_uri': self.peer, 'send_message': {}, **members}
        return Instruction(call_agent={'instruction': {'return_response': {'response': response}}, **members})

    def test_the_bytes_on_the_wire_are_those_of_the_test_kit(self) -> None:
        # Instruction{steps{return_response{"a"}, generator CONCAT}}, encoded by hand.
        self.assertEqual(
            Instruction.FromString(bytes.fromhex('1a090a0512030a01611001')),
            Instruction(
                steps={'instructions': [{'return_response': {'response': 'a'}}], 'response_generator': 1}
            ),
        )

    def test_steps_are_joined(self) -> None:
        steps = [{'return_response': {'response': text}} for text in ('one', 'two')]
        for dialect in DIALECTS:
            with self.subTest(dialect=dialect):
                task = self.carry(Instruction(steps={'instructions': steps}), dialect)
                self.assertEqual((state(task), status_text(task)), ('COMPLETED', 'one\ntwo'))

    def test_base64_in_a_text_counts(self) -> None:
        encoded = base64.b64encode(
            Instruction(return_response={'response': 'hi'}).SerializeToString()
        ).decode()
        self.assertEqual(status_text(self.callers['JSONRPC 1.0'].send(encoded)), 'hi')

    def test_other_agents_are_called(self) -> None:
        for transport in ('jsonrpc', 'http_json', 'rest', 'HTTP+JSON', 'grpc'):
            for streaming in (False, True):
                with self.subTest(transport=transport, streaming=streaming):
                    task = self.carry(self.call(transport=transport, streaming=streaming))
                    self.assertEqual((state(task), status_text(task)), ('COMPLETED', 'pong'))

    def test_a_transport_that_is_not_spoken_fails_the_task(self) -> None:
        task = self.carry(self.call(transport='soap'))
        self.assertEqual(state(task), 'FAILED')
        self.assertIn("not 'soap'", status_text(task))

    def test_a_failure_of_a_peer_carries_its_cause(self) -> None:
        inner = self.call(transport='soap').call_agent
        task = self.carry(self.call(instruction=Instruction(call_agent=inner)))
        self.assertEqual(state(task), 'FAILED')
        self.assertIn("not 'soap'", status_text(task))

    def test_bytes_that_are_no_instruction_fail_the_task(self) -> None:
        task = self.callers['JSONRPC 1.0'].send(raw=('////', MEDIA_TYPE, 'instruction.bin'))
        self.assertEqual(state(task), 'FAILED')

    def test_push_is_registered_with_the_token_of_the_test_kit(self) -> None:
        with webhook() as hook:
            task = self.carry(self.call(push_notification={'url': hook.url}))
            self.assertEqual(status_text(task), 'pong')
            self.assertEqual(hook.calls[-1]['path'], '/hook/notifications')
            self.assertEqual(hook.calls[-1]['headers']['x-a2a-notification-token'], 'itk-token')

    def test_a_held_task_is_taken_up_again_and_cancelled(self) -> None:
        held = {'return_response': {'response': 'pong', 'hold_task': True}}
        for transport in ('jsonrpc', 'http_json', 'grpc'):
            with self.subTest(transport):
                task = self.carry(self.call(transport=transport, instruction=held, resubscribe={}))
                self.assertEqual((state(task), status_text(task)), ('COMPLETED', 'pong'))

    def test_a_held_task_ticks_and_completes(self) -> None:
        instruction = Instruction(return_response={'response': 'pong', 'hold_task': True})
        encoded = base64.b64encode(instruction.SerializeToString()).decode()
        events = list(self.callers['JSONRPC 1.0'].stream(encoded))
        self.assertEqual(said(events), ['SUBMITTED', *['WORKING'] * 6, 'COMPLETED'])
        self.assertEqual(status_text(payload(events[1])[1]), 'pong\ntask-finished')
