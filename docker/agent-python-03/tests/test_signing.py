"""The card's signature."""

import unittest

import httpx
from a2a.types import AgentCard
from a2a.utils.signing import InvalidSignaturesError, create_signature_verifier
from jwt import PyJWK

from tests.lab import Agent


class Signing(unittest.TestCase):
    def test_the_card_verifies_by_the_key_that_it_names(self) -> None:
        agent = Agent('--signCard')
        self.addCleanup(agent.end)
        card = AgentCard.model_validate(agent.card())
        named = []

        def key_at(kid: str, jku: str) -> PyJWK:
            named.append(jku)
            (key,) = [one for one in httpx.get(jku).json()['keys'] if one['kid'] == kid]
            self.assertNotIn('d', key)
            return PyJWK(key)

        verify = create_signature_verifier(key_at, ['ES256'])
        verify(card)
        self.assertEqual(named, [f'{agent.url}/.well-known/jwks.json'])
        card.description += '!'
        with self.assertRaises(InvalidSignaturesError):
            verify(card)

    def test_without_the_flag_there_is_no_signature(self) -> None:
        agent = Agent()
        self.addCleanup(agent.end)
        self.assertNotIn('signatures', agent.card())
        self.assertEqual(httpx.get(f'{agent.url}/.well-known/jwks.json').status_code, 404)
