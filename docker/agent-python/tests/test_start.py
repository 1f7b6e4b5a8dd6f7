"""Starting, offering and ending."""

import os
import subprocess
import sys
import time
import unittest

import grpc
import httpx
from a2a.types import a2a_pb2, a2a_pb2_grpc

from tests.lab import DIALECTS, HERE, Agent, Caller


class Start(unittest.TestCase):
    def started(self, *flags: str, **environment: str) -> Agent:
        agent = Agent(*flags, **environment)
        self.addCleanup(agent.end)
        return agent

    def test_stdout_holds_the_ready_line_alone(self) -> None:
        agent = Agent('--name', 'amber', LAB_AGENT_LOG='INFO')
        Caller(agent, 'JSONRPC 1.0').send('hello')
        self.assertEqual(agent.card()['name'], 'amber')
        self.assertEqual((agent.ready['ready'], agent.ready['name']), (True, 'amber'))
        self.assertIn('INFO', agent.log())
        self.assertEqual(agent.end(), '')

    def test_a_card_lists_one_interface_per_binding_and_version(self) -> None:
        expected = {
            ('1.0', 'JSONRPC,HTTP+JSON'): ['JSONRPC 1.0', 'HTTP+JSON 1.0'],
            ('both', 'JSONRPC,GRPC'): ['JSONRPC 1.0', 'GRPC 1.0', 'JSONRPC 0.3', 'GRPC 0.3'],
            ('both', 'HTTP+JSON'): ['HTTP+JSON 1.0', 'HTTP+JSON 0.3'],
            ('1.0', 'JSONRPC'): ['JSONRPC 1.0'],
        }
        for (protocol, bindings), interfaces in expected.items():
            with self.subTest(protocol=protocol, bindings=bindings):
                card = self.started('--protocol', protocol, '--bindings', bindings).card()
                listed = card['supportedInterfaces']
                self.assertEqual(
                    [f'{i["protocolBinding"]} {i["protocolVersion"]}' for i in listed], interfaces
                )

    def test_an_agent_for_03_knows_03_alone(self) -> None:
        agent = self.started('--protocol', '0.3')
        card = agent.card()
        self.assertEqual((card['protocolVersion'], card['preferredTransport']), ('0.3.0', 'JSONRPC'))
        self.assertEqual(card['url'], f'{agent.url}/jsonrpc')
        self.assertNotIn('supportedInterfaces', card)
        self.assertEqual(Caller(agent, 'JSONRPC 1.0').send('hello')['error']['code'], -32601)
        self.assertEqual(httpx.post(f'{agent.url}/rest/message:send', json={}).status_code, 404)
        with self.assertRaises(grpc.RpcError) as refusal, grpc.insecure_channel(agent.grpc) as channel:
            a2a_pb2_grpc.A2AServiceStub(channel).GetTask(a2a_pb2.GetTaskRequest(id='t'), timeout=5)
        self.assertEqual(refusal.exception.code(), grpc.StatusCode.UNIMPLEMENTED)

    def test_an_agent_for_10_refuses_03(self) -> None:
        agent = self.started('--protocol', '1.0')
        self.assertEqual(Caller(agent, 'JSONRPC 0.3').send('hello')['error']['code'], -32601)

    def test_a_bad_flag_is_one_line_and_exit_code_2(self) -> None:
        for flags in (
            ['--httpPort', '70000'],
            ['--protocol', '0.2'],
            ['--bindings', 'SOAP'],
            ['--grpcPort', 'x'],
            ['--auth', 'basic'],
            ['--auth', 'bearer'],  # nobody is named in the environment
            ['--extendedCard'],
            ['--fault', 'any'],
            ['--nonsense'],
        ):
            with self.subTest(flags=flags):
                run = subprocess.run(
                    [sys.executable, '-m', 'lab_agent', *flags], cwd=HERE, capture_output=True, text=True
                )
                self.assertEqual((run.returncode, run.stdout, run.stderr.count('\n')), (2, '', 1), run.stderr)

    def test_a_variable_that_cannot_be_read_is_one_line_without_its_tokens(self) -> None:
        for tokens in ('alice', 'alice=secret-a,bob=secret-a', 'alice=secret-a,alice=secret-b'):
            run = subprocess.run(
                [sys.executable, '-m', 'lab_agent'],
                cwd=HERE,
                capture_output=True,
                text=True,
                env={**os.environ, 'LAB_AGENT_TOKENS': tokens},
            )
            self.assertEqual((run.returncode, run.stdout, run.stderr.count('\n')), (2, '', 1), run.stderr)
            self.assertNotIn('secret', run.stderr)

    def test_a_port_that_is_taken_is_said(self) -> None:
        agent = self.started()
        taken = agent.grpc.rpartition(':')[2]
        run = subprocess.run(
            [sys.executable, '-m', 'lab_agent', '--grpcPort', taken],
            cwd=HERE,
            capture_output=True,
            text=True,
        )
        self.assertEqual((run.returncode, run.stdout), (1, ''))
        self.assertIn(f'cannot bind 127.0.0.1:{taken} for gRPC', run.stderr)

    def test_sigterm_ends_it_in_time_with_a_stream_open(self) -> None:
        for dialect in DIALECTS:
            with self.subTest(dialect):
                agent = Agent('--protocol', 'both')
                caller = Caller(agent, dialect)
                stream = caller.stream('tck-long-running')
                next(stream)
                started = time.monotonic()
                agent.process.terminate()
                self.assertEqual(agent.process.wait(5), 0)
                self.assertLess(time.monotonic() - started, 2)
                agent.process.communicate()
                stream.close()
                caller.close()

    def test_a_stderr_that_nobody_reads_stops_nothing(self) -> None:
        agent = Agent('--protocol', '1.0', stderr=subprocess.PIPE)
        caller = Caller(agent, 'JSONRPC 1.0')
        self.addCleanup(caller.close)
        for _ in range(40):  # the SDK logs a stack trace for each refusal; a pipe holds about 20
            done = caller.send('hello')
            self.assertEqual(caller.send('again', task_id=done['id'])['error']['code'], -32004)
        agent.process.terminate()
        self.assertEqual(agent.process.wait(2), 0)
        agent.process.communicate()

    def test_it_ends_with_its_parent_when_asked_to(self) -> None:
        agent = Agent(PLUGFEST_PARENT='stdin')
        agent.process.communicate(timeout=5)  # closes stdin
        self.assertEqual(agent.process.returncode, 0)
