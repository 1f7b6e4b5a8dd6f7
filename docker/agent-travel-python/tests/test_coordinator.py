"""The coordinator, where its peers are not what it needs."""

from __future__ import annotations

import unittest

import httpx

from tests.lab import Agent

REQUEST = {
    'employee': {'name': 'Mina', 'grade': 'staff', 'costCentre': 'CC-1'},
    'route': 'SIN-HEL',
    'departure': '2031-10-12',
    'return': '2031-10-16',
    'arriveBy': '2031-10-13T09:00',
}


class CoordinatorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.agent = Agent('coordinator')
        cls.addClassCleanup(cls.agent.end)
        cls.expense = Agent('expense')
        cls.addClassCleanup(cls.expense.end)

    def ended(self, data: dict, **ids: object) -> tuple[str, str]:
        status = self.agent.send(data, **ids)['status']
        return status['state'], status['message']['parts'][0]['text']

    def test_says_which_skills_nobody_has(self) -> None:
        state, text = self.ended({'request': REQUEST, 'agents': [self.expense.url], 'binding': 'JSONRPC'})
        self.assertEqual(state, 'TASK_STATE_REJECTED')
        self.assertIn('travel-policy, flight-search, hotel-search', text)

    def test_fails_where_nobody_is(self) -> None:
        asked = {'request': REQUEST, 'agents': ['http://127.0.0.1:9'], 'binding': 'JSONRPC'}
        state, text = self.ended(asked)
        self.assertEqual(state, 'TASK_STATE_FAILED')
        self.assertIn('another agent did not do its part', text)

    def test_books_nothing_without_a_search_in_the_context(self) -> None:
        for ids in ({}, {'referenceTaskIds': ['no-such-task']}):
            state, text = self.ended({'option': 'option-1'}, **ids)
            self.assertEqual(state, 'TASK_STATE_REJECTED')
            self.assertIn('names no search', text)

    def test_an_unknown_webhook_is_404(self) -> None:
        self.assertEqual(httpx.post(f'{self.agent.url}/notifications/nobody', json={}).status_code, 404)


if __name__ == '__main__':
    unittest.main()
