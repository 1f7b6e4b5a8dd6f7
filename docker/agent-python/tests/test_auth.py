"""Bearer tokens, tasks of principals and the extended card."""

import unittest

import grpc
import httpx
from a2a.types import a2a_pb2, a2a_pb2_grpc

from tests.lab import DIALECTS, DRIVEN, Agent, Caller, state, webhook

TOKENS = {'alice': 'token-of-alice', 'bob': 'token-of-bob'}
VARIABLE = ','.join(f'{name}={token}' for name, token in TOKENS.items())


class Auth(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        flags = ('--protocol', 'both', '--auth', 'bearer', '--extendedCard', '--signCard')
        cls.agent = Agent('--name', 'guarded', *flags, LAB_AGENT_TOKENS=VARIABLE)
        cls.addClassCleanup(cls.agent.end)
        cls.teller = Agent('--name', 'teller', LAB_AGENT_TOKENS=VARIABLE)
        cls.addClassCleanup(cls.teller.end)

    def caller(self, dialect: str, name: str) -> Caller:
        caller = Caller(self.agent, dialect, TOKENS[name])
        self.addCleanup(caller.close)
        return caller

    def drive(self, dialect: str, call: dict, **more: object) -> dict:
        caller = Caller(self.teller, 'JSONRPC 1.0')
        self.addCleanup(caller.close)
        return caller.drive(self.agent.url, dialect, call, **more)

    def test_the_card_is_public_and_says_what_it_takes(self) -> None:
        card = self.agent.card()
        self.assertEqual(card['securitySchemes']['bearer']['httpAuthSecurityScheme'], {'scheme': 'bearer'})
        self.assertEqual(card['securityRequirements'][0]['schemes'], {'bearer': {}})
        self.assertTrue(card['capabilities']['extendedAgentCard'])
        self.assertEqual(len(card['signatures']), 1)
        self.assertEqual(httpx.get(f'{self.agent.url}/.well-known/jwks.json').status_code, 200)

    def test_http_calls_without_a_known_token_are_refused(self) -> None:
        for headers in (
            {},
            {'Authorization': 'Basic YTpi'},
            {'Authorization': 'Bearer wrong'},
            {'Authorization': TOKENS['alice']},
        ):
            for method, path in (('POST', '/jsonrpc'), ('GET', '/rest/tasks'), ('GET', '/rest/v1/card')):
                with self.subTest(path=path, headers=headers):
                    answer = httpx.request(method, self.agent.url + path, headers=headers)
                    self.assertEqual(answer.status_code, 401)
                    self.assertTrue(answer.headers['www-authenticate'].startswith('Bearer'))

    def test_grpc_calls_without_a_known_token_are_refused(self) -> None:
        for metadata in ([], [('authorization', 'Basic YTpi')], [('authorization', 'Bearer wrong')]):
            with grpc.insecure_channel(self.agent.grpc) as channel:
                stub = a2a_pb2_grpc.A2AServiceStub(channel)
                with self.assertRaises(grpc.RpcError) as unary:
                    stub.GetTask(a2a_pb2.GetTaskRequest(id='t'), metadata=metadata, timeout=5)
                request = a2a_pb2.SubscribeToTaskRequest(id='t')
                with self.assertRaises(grpc.RpcError) as stream:
                    next(stub.SubscribeToTask(request, metadata=metadata, timeout=5))
                for refusal in (unary, stream):
                    self.assertEqual(refusal.exception.code(), grpc.StatusCode.UNAUTHENTICATED)

    def test_tasks_belong_to_who_made_them(self) -> None:
        for dialect in DIALECTS:
            with self.subTest(dialect):
                task = self.caller(dialect, 'alice').send('plugfest-ask n')
                self.assertEqual(state(task), 'INPUT_REQUIRED')
                self.assertEqual(self.caller(dialect, 'alice').get(task['id'])['id'], task['id'])
                bob = self.caller(dialect, 'bob')
                self.assertIn('error', bob.get(task['id']))
                self.assertIn('error', bob.cancel(task['id']))
                self.assertEqual(state(self.caller(dialect, 'alice').get(task['id'])), 'INPUT_REQUIRED')

    def test_the_client_calls_as_whom_it_is_told(self) -> None:
        call = {'op': 'SendMessage', 'message': {'messageId': 'm', 'text': 'plugfest-ask n'}}
        for dialect in DRIVEN:
            with self.subTest(dialect):
                (event,) = self.drive(dialect, call, **{'as': 'alice'})['events']
                get = {'op': 'GetTask', 'taskId': event['taskId']}
                self.assertTrue(self.drive(dialect, get, **{'as': 'alice'})['ok'])
                self.assertFalse(self.drive(dialect, get, **{'as': 'bob'})['ok'])
                refused = self.drive(dialect, get)
                self.assertFalse(refused['ok'])
                self.assertRegex(refused['error']['message'], '401|UNAUTHENTICATED')

    def test_a_principal_that_nobody_knows_is_said(self) -> None:
        result = self.drive('JSONRPC 1.0', {'op': 'GetTask', 'taskId': 't'}, **{'as': 'mallory'})
        self.assertEqual(result['error']['name'], 'BadDriveCall')

    def test_the_extended_card_names_the_principal(self) -> None:
        for dialect in DRIVEN:
            with self.subTest(dialect):
                result = self.drive(dialect, {'op': 'GetExtendedAgentCard'}, **{'as': 'bob'})
                self.assertEqual(result['events'][0]['skills'], ['lab', 'lab-extended'])
        card = httpx.get(
            f'{self.agent.url}/rest/extendedAgentCard',
            headers={'Authorization': f'Bearer {TOKENS["bob"]}', 'A2A-Version': '1.0'},
        ).json()
        self.assertIn('bob', card['skills'][1]['description'])
        self.assertNotIn('lab-extended', str(self.agent.card()))


class Extensions(unittest.TestCase):
    def test_the_client_asks_for_extensions(self) -> None:
        # Seen by a server that keeps what it is sent; the answer does not matter.
        agent = Agent()
        self.addCleanup(agent.end)
        caller = Caller(agent, 'JSONRPC 1.0')
        self.addCleanup(caller.close)
        with webhook() as peer:
            card = agent.card()
            card['supportedInterfaces'] = [
                {'url': peer.url, 'protocolBinding': 'JSONRPC', 'protocolVersion': '1.0'}
            ]
            peer.serve_card(card)
            uri = 'https://example.com/ext/v1'
            call = {'op': 'GetTask', 'taskId': 't'}
            caller.drive(peer.origin, 'JSONRPC 1.0', call, extensions=[uri])
            self.assertEqual(peer.calls[-1]['headers']['a2a-extensions'], uri)
