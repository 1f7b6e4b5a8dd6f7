"""Every prefix."""

import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from tests.lab import Agent, Caller, payload, said, state, status_text, text_of

# prefix -> what a stream says after SUBMITTED, and the last status text.
STREAMS = {
    'anything else': (['WORKING', "'echo: anything else'", 'COMPLETED'], ''),
    'tck-complete-task': (['COMPLETED'], 'Hello from TCK'),
    'tck-delayed-complete': (['WORKING', 'COMPLETED'], 'Done after delay'),
    'tck-artifact-text': (["'Generated text content'", 'COMPLETED'], ''),
    'tck-artifact-file': (["''", 'COMPLETED'], ''),
    'tck-artifact-file-url': (["''", 'COMPLETED'], ''),
    'tck-artifact-data': (["''", 'COMPLETED'], ''),
    'tck-input-required': (['INPUT_REQUIRED'], 'What is your name?'),
    'tck-auth-required': (['AUTH_REQUIRED'], 'Authorization needed'),
    'tck-multi-turn': (['INPUT_REQUIRED'], 'Anything else? Say done to finish.'),
    'tck-reject-task': (['REJECTED'], 'rejected'),
    'tck-task-failure': (['WORKING', 'FAILED'], 'failed on request'),
    'tck-stream-001': (['WORKING', "'Stream hello from TCK'", 'COMPLETED'], ''),
    'tck-stream-002': (['COMPLETED'], ''),
    'tck-stream-003': (['WORKING', "'Stream task lifecycle'", 'COMPLETED'], ''),
    'tck-stream-ordering-001': (['WORKING', "'Ordered output'", 'COMPLETED'], ''),
    'tck-stream-basic': (['WORKING', "'Stream hello from TCK'", 'COMPLETED'], ''),
    'tck-stream-artifact-text': (['WORKING', "'Streamed text content'", 'COMPLETED'], ''),
    'tck-stream-artifact-file': (['WORKING', "''", 'COMPLETED'], ''),
    'tck-stream-artifact-chunked': (['WORKING', "'chunk-1 '", "'chunk-2'", 'COMPLETED'], ''),
    'tck-stream-chunked': (['WORKING', "'chunk-1 '", "'chunk-2'", 'COMPLETED'], ''),
    'plugfest-echo abcde': (['WORKING', "'abc'", "'de'", 'COMPLETED'], 'abcde'),
    'plugfest-slow 150 n1': (['WORKING', 'WORKING', "'n1'", 'COMPLETED'], 'n1'),
    'plugfest-slow soon n1': (['FAILED'], "plugfest-slow wants milliseconds before the nonce, not 'soon'"),
    'plugfest-ask n2': (['INPUT_REQUIRED'], 'ask n2'),
}


class Behaviours(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.agent = Agent()
        cls.addClassCleanup(cls.agent.end)
        cls.caller = Caller(cls.agent)
        cls.addClassCleanup(cls.caller.close)

    def test_a_prefix_of_the_text_selects_the_stream(self) -> None:
        for text, (expected, last_text) in STREAMS.items():
            with self.subTest(text):
                events = list(self.caller.stream(text))
                self.assertEqual(said(events), ['SUBMITTED', *expected])
                self.assertEqual(status_text(payload(events[-1])[1]), last_text)

    def test_a_unary_send_answers_with_the_same_end(self) -> None:
        for text, (expected, last_text) in STREAMS.items():
            with self.subTest(text):
                task = self.caller.send(text)
                self.assertEqual((state(task), status_text(task)), (expected[-1], last_text))

    def test_the_message_id_selects_before_the_text(self) -> None:
        task = self.caller.send('tck-reject-task', message_id='tck-artifact-file-url-7a-jsonrpc')
        self.assertEqual(state(task), 'COMPLETED')
        self.assertIn('https://example.com/output.txt', str(task['artifacts']))

    def test_our_own_prefixes_are_no_message_ids(self) -> None:
        task = self.caller.send('hello', message_id='plugfest-ask x')
        self.assertEqual(text_of(task['artifacts'][0]), 'echo: hello')

    def test_files_and_data_arrive_whole(self) -> None:
        self.assertIn('dGNr', str(self.caller.send('tck-artifact-file')['artifacts']))
        data = self.caller.send('tck-artifact-data')['artifacts'][0]['parts'][0]['data']
        self.assertEqual(data, {'key': 'value', 'count': 42})

    def test_a_message_answers_without_a_task(self) -> None:
        message = self.caller.send('tck-message-response')
        self.assertEqual(text_of(message), 'Direct message response')
        self.assertNotIn('taskId', message)
        self.assertEqual(said(list(self.caller.stream('tck-message-response'))), ['message'])

    def test_a_follow_up_resumes_the_task(self) -> None:
        for text, expected in {
            'tck-input-required': [],
            'tck-auth-required': [],
            'plugfest-ask n': ['resumed: yes'],
        }.items():
            with self.subTest(text):
                task = self.caller.send(text)
                task = self.caller.send('yes', task_id=task['id'])
                self.assertEqual((state(task), status_text(task)), ('COMPLETED', 'resumed: yes'))
                self.assertEqual([text_of(artifact) for artifact in task.get('artifacts', [])], expected)

    def test_a_multi_turn_task_ends_with_done_and_keeps_its_context(self) -> None:
        first = self.caller.send('tck-multi-turn')
        for text, expected in {
            'more': 'INPUT_REQUIRED',
            'tck-complete-task': 'INPUT_REQUIRED',
            'done': 'COMPLETED',
        }.items():
            task = self.caller.send(text, task_id=first['id'])
            self.assertEqual((state(task), task['contextId']), (expected, first['contextId']))
            self.assertEqual(task['status']['message']['contextId'], first['contextId'])

    def test_cancel_ends_a_running_task_and_its_stream(self) -> None:
        for text in ('tck-long-running', 'tck-cancel', 'plugfest-slow 9000 n'):
            with self.subTest(text):
                stream = self.caller.stream(text)
                task_id = payload(next(stream))[1]['id']
                next(stream)
                self.assertEqual(state(self.caller.cancel(task_id)), 'CANCELED')
                self.assertEqual(state(payload(list(stream)[-1])[1]), 'CANCELED')
                time.sleep(0.6)  # longer than any tick
                self.assertEqual(state(self.caller.get(task_id)), 'CANCELED')

    def test_cancel_ends_a_waiting_task(self) -> None:
        task = self.caller.send('plugfest-ask n')
        self.assertEqual(state(self.caller.cancel(task['id'])), 'CANCELED')

    def test_a_dropped_stream_can_be_taken_up_again(self) -> None:
        stream = self.caller.stream('plugfest-slow 800 n')
        task_id = payload(next(stream))[1]['id']
        stream.close()
        events = list(self.caller.subscribe(task_id))
        self.assertEqual(said(events[:1]), ['WORKING'])
        self.assertEqual(said(events[-2:]), ["'n'", 'COMPLETED'])

    def test_concurrent_calls_do_not_cross(self) -> None:
        nonces = [f'nonce-{number}' for number in range(16)]
        with ThreadPoolExecutor(16) as pool:
            tasks = list(pool.map(lambda nonce: self.caller.send(f'plugfest-echo {nonce}'), nonces))
        self.assertEqual([text_of(task['artifacts'][0]) for task in tasks], nonces)
        self.assertEqual(len({task['id'] for task in tasks}), 16)
