"""Starting, offering and ending."""

import os
import subprocess
import sys
import time
import unittest

import httpx

from tests.lab import HERE, Agent, Caller


class Start(unittest.TestCase):
    def started(self, *flags: str, **environment: str) -> Agent:
        agent = Agent(*flags, **environment)
        self.addCleanup(agent.end)
        return agent

    def test_stdout_holds_the_ready_line_alone(self) -> None:
        agent = Agent('--name', 'amber', LAB_AGENT_LOG='INFO')
        Caller(agent).send('hello')
        self.assertEqual(agent.card()['name'], 'amber')
        self.assertEqual((agent.ready['ready'], agent.ready['name']), (True, 'amber'))
        self.assertIn('INFO', agent.log())
        self.assertEqual(agent.end(), '')

    def test_a_card_lists_the_bindings_on_offer(self) -> None:
        for bindings in ('JSONRPC,HTTP+JSON,GRPC', 'HTTP+JSON', 'JSONRPC', 'GRPC'):
            with self.subTest(bindings):
                agent = self.started('--protocol', '0.3', '--bindings', bindings)
                card = agent.card()
                listed = [interface['transport'] for interface in card['additionalInterfaces']]
                self.assertEqual(listed, bindings.split(','))
                self.assertEqual(card['preferredTransport'], listed[0])
                self.assertEqual(card['url'], card['additionalInterfaces'][0]['url'])
                # What is not on offer is not there.
                found = httpx.post(f'{agent.url}/jsonrpc', json={}).status_code != 404
                self.assertEqual(found, 'JSONRPC' in listed)

    def test_a_bad_flag_is_one_line_and_exit_code_2(self) -> None:
        for flags in (
            ['--httpPort', '70000'],
            ['--protocol', '1.0'],
            ['--protocol', 'both'],
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
        agent = Agent()
        stream = Caller(agent).stream('tck-long-running')
        next(stream)
        started = time.monotonic()
        agent.process.terminate()
        self.assertEqual(agent.process.wait(5), 0)
        self.assertLess(time.monotonic() - started, 2)
        agent.process.communicate()

    def test_a_stderr_that_nobody_reads_stops_nothing(self) -> None:
        agent = Agent(stderr=subprocess.PIPE, LAB_AGENT_LOG='DEBUG')
        caller = Caller(agent)
        self.addCleanup(caller.close)
        for _ in range(40):  # a pipe holds 64 KiB
            self.assertEqual(caller.send('hello')['status']['state'], 'completed')
        agent.process.terminate()
        self.assertEqual(agent.process.wait(2), 0)
        agent.process.communicate()

    def test_it_ends_with_its_parent_when_asked_to(self) -> None:
        agent = Agent(PLUGFEST_PARENT='stdin')
        agent.process.communicate(timeout=5)  # closes stdin
        self.assertEqual(agent.process.returncode, 0)
