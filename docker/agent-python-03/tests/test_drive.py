"""Drive calls and push notifications, from one agent to another."""

import time
import unittest

from tests.lab import Agent, Caller, webhook


class Agents:
    @classmethod
    def setUpClass(cls) -> None:
        cls.agents = []
        for name in ('amber', 'birch'):
            cls.agents.append(Agent('--name', name))
            cls.addClassCleanup(cls.agents[-1].end)

        cls.caller = Caller(cls.agents[0])
        cls.addClassCleanup(cls.caller.close)
        cls.target = cls.agents[1].url


class AnyDialect(Agents, unittest.TestCase):
    def test_the_card_is_shown(self) -> None:
        result = self.caller.drive(self.target, 'JSONRPC 0.3', {'op': 'GetAgentCard'})
        expected = {
            'kind': 'card',
            'name': 'birch',
            'versions': ['0.3.0'],
            'bindings': ['JSONRPC', 'HTTP+JSON', 'GRPC'],
            'skills': ['lab'],
        }
        self.assertEqual(result['events'], [expected])

    def test_what_the_card_or_the_client_lacks_is_said(self) -> None:
        call = {'op': 'GetTask', 'taskId': 't'}
        for dialect in ('JSONRPC 1.0', 'SOAP 0.3'):
            name = 'NoMatchingInterface' if dialect.startswith('JSONRPC') else 'BindingNotSpoken'
            result = self.caller.drive(self.target, dialect, call)
            self.assertEqual((result['ok'], result['error']['name']), (False, name))
        for call in ({'op': 'Nonsense'}, {'op': 'GetTask'}, {}):
            result = self.caller.drive(self.target, 'JSONRPC 0.3', call)
            self.assertEqual((result['ok'], result['error']['name']), (False, 'BadDriveCall'))


class Operations(Agents):
    dialect: str
    not_found = 'TaskNotFoundError'
    not_cancelable = 'TaskNotCancelableError'

    def drive(self, op, **members):
        return self.caller.drive(self.target, self.dialect, {'op': op, **members})

    def test_a_unary_send_shows_the_task(self) -> None:
        result = self.drive('SendMessage', message={'messageId': 'm', 'text': 'plugfest-echo abc'})
        (event,) = result['events']
        self.assertEqual(
            (result['plugfest'], result['op'], result['ok']), ('drive-result/1', 'SendMessage', True)
        )
        self.assertEqual(
            (event['kind'], event['state'], event['text']), ('task', 'TASK_STATE_COMPLETED', 'abc')
        )
        self.assertEqual([(a['name'], a['text']) for a in event['artifacts']], [('echo', 'abc')])

    def test_a_message_is_shown_as_a_message(self) -> None:
        (event,) = self.drive('SendMessage', message={'messageId': 'm', 'text': 'tck-message-response'})[
            'events'
        ]
        self.assertEqual((event['kind'], event['role']), ('message', 'ROLE_AGENT'))

    def test_a_stream_shows_every_event_and_its_end(self) -> None:
        events = self.drive('SendStreamingMessage', message={'messageId': 'm', 'text': 'plugfest-echo abc'})[
            'events'
        ]
        kinds = [event['kind'] for event in events]
        self.assertEqual(kinds, ['task', 'status', 'artifact', 'artifact', 'status', 'closed'])
        self.assertEqual([(e['append'], e['lastChunk']) for e in events[2:4]], [(False, False), (True, True)])
        self.assertEqual(events[-1], {'kind': 'closed', 'by': 'server'})

    def test_a_task_can_be_dropped_taken_up_read_and_cancelled(self) -> None:
        message = {'messageId': 'm', 'text': 'plugfest-slow 9000 n'}
        events = self.drive('SendStreamingMessage', message=message, stopAfterEvents=2)['events']
        self.assertEqual([event['kind'] for event in events], ['task', 'status', 'closed'])
        self.assertEqual(events[-1]['by'], 'client')
        task_id = events[0]['taskId']
        events = self.drive('SubscribeToTask', taskId=task_id, stopAfterEvents=3)['events']
        self.assertEqual([event['kind'] for event in events], ['status', 'status', 'status', 'closed'])
        (event,) = self.drive('GetTask', taskId=task_id, historyLength=1)['events']
        self.assertEqual(event['state'], 'TASK_STATE_WORKING')
        (event,) = self.drive('CancelTask', taskId=task_id)['events']
        self.assertEqual(event['state'], 'TASK_STATE_CANCELED')
        refused = self.drive('CancelTask', taskId=task_id)
        self.assertEqual((refused['ok'], refused['error']['name']), (False, self.not_cancelable))

    def test_a_follow_up_reaches_its_task(self) -> None:
        (asked,) = self.drive('SendMessage', message={'messageId': 'm1', 'text': 'plugfest-ask n'})['events']
        self.assertEqual((asked['state'], asked['text']), ('TASK_STATE_INPUT_REQUIRED', 'ask n'))
        follow_up = {
            'messageId': 'm2',
            'text': 'yes',
            'taskId': asked['taskId'],
            'contextId': asked['contextId'],
        }
        (done,) = self.drive('SendMessage', message=follow_up)['events']
        self.assertEqual((done['taskId'], done['text']), (asked['taskId'], 'resumed: yes'))

    def test_return_immediately_does_not_wait(self) -> None:
        message = {'messageId': 'm', 'text': 'plugfest-slow 900 n'}
        (event,) = self.drive('SendMessage', message=message, configuration={'returnImmediately': True})[
            'events'
        ]
        self.assertIn(event['state'], ('TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING'))

    def test_a_refusal_is_a_result(self) -> None:
        result = self.drive('GetTask', taskId='no-such-task')
        self.assertEqual((result['ok'], result['error']['name']), (False, self.not_found))
        code = {'JSONRPC': -32001, 'HTTP+JSON': 404, 'GRPC': None}[self.dialect.split()[0]]
        self.assertEqual(result['error'].get('code'), code)

    def test_parts_come_back_as_they_were_sent(self) -> None:
        parts = [
            {'raw': 'AAH/', 'mediaType': 'image/png', 'filename': 'dot.png'},
            {'url': 'https://example.com/a.txt', 'mediaType': 'text/plain', 'filename': 'a.txt'},
            {'data': {'k': [1, None, 'x']}},
        ]
        message = {'messageId': 'm', 'text': 'plugfest-parts n', 'parts': parts}
        (event,) = self.drive('SendMessage', message=message)['events']
        self.assertEqual((event['state'], event['text']), ('TASK_STATE_COMPLETED', 'n'))
        (artifact,) = event['artifacts']
        contents = [
            {key: value for key, value in content.items() if key != 'kind'}
            | {content['kind']: content['content']}
            for content in artifact['contents']
        ]
        for content in contents:
            del content['content']
        self.assertEqual((artifact['name'], contents), ('parts', parts))

    def test_the_first_accepted_mode_is_taken(self) -> None:
        for modes, expected in {
            (): ('text', 'n'),
            ('image/png', 'application/json', 'text/plain'): ('data', {'nonce': 'n'}),
            ('text/plain', 'application/json'): ('text', 'n'),
        }.items():
            message = {'messageId': 'm', 'text': 'plugfest-modes n'}
            result = self.drive('SendMessage', message=message, configuration={'acceptedOutputModes': modes})
            (artifact,) = result['events'][0]['artifacts']
            (content,) = artifact['contents']
            self.assertEqual((content['kind'], content['content']), expected)

    def test_a_task_tells_how_much_history_it_came_with(self) -> None:
        message = {'messageId': 'm', 'text': 'plugfest-echo n'}
        (event,) = self.drive('SendMessage', message=message)['events']
        (event,) = self.drive('GetTask', taskId=event['taskId'], historyLength=1)['events']
        self.assertEqual(event['history'], 1)

    def test_what_the_client_lacks_is_said(self) -> None:
        for call in (
            {'op': 'ListTasks'},
            {'op': 'ListTaskPushNotificationConfigs', 'taskId': 't'},
            {'op': 'DeleteTaskPushNotificationConfig', 'taskId': 't', 'configId': 'c'},
        ):
            self.assertEqual(self.drive(**call)['error']['name'], 'UnsupportedByClient')

    def test_push_configs_are_made_and_read(self) -> None:
        (asked,) = self.drive('SendMessage', message={'messageId': 'm', 'text': 'plugfest-ask n'})['events']
        task = asked['taskId']
        push = {'url': 'http://127.0.0.1:1/hook', 'id': 'c1', 'token': 't'}
        expected = {'kind': 'pushConfig', 'taskId': task, 'id': 'c1', 'url': push['url']}
        self.assertEqual(
            self.drive('CreateTaskPushNotificationConfig', taskId=task, push=push)['events'], [expected]
        )
        one = self.drive('GetTaskPushNotificationConfig', taskId=task, configId='c1')
        self.assertEqual(one['events'], [expected])

    def test_webhooks_carry_the_token(self) -> None:
        with webhook() as hook:
            push = {
                'url': hook.url,
                'token': 'secret-token',
                'authentication': {'scheme': 'Bearer', 'credentials': 'secret-credentials'},
            }
            message = {'messageId': 'm', 'text': 'plugfest-echo n'}
            result = self.drive('SendMessage', message=message, configuration={'push': push})
            self.assertTrue(result['ok'], result)
            deadline = time.monotonic() + 5
            while 'completed' not in str(hook.calls) and time.monotonic() < deadline:
                time.sleep(0.05)
            headers = hook.calls[-1]['headers']
            self.assertEqual(headers['x-a2a-notification-token'], 'secret-token')
            self.assertEqual(hook.calls[-1]['body']['status']['state'], 'completed')


class JsonRpc(Operations, unittest.TestCase):
    dialect = 'JSONRPC 0.3'


class HttpJson(Operations, unittest.TestCase):
    dialect = 'HTTP+JSON 0.3'
    # The SDK's client keeps the status alone.
    not_found = not_cancelable = 'A2AClientHTTPError'


class Grpc(Operations, unittest.TestCase):
    dialect = 'GRPC 0.3'
    # The SDK's client lets the error of gRPC through.
    not_found = not_cancelable = 'AioRpcError'
