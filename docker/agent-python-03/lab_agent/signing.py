"""Signs the card with a new key, which lives as long as the process."""

from __future__ import annotations

import json
from typing import Any

from a2a.types import AgentCard
from a2a.utils.signing import create_agent_card_signer
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

KEYS_PATH = '/.well-known/jwks.json'
_KID = 'lab'


def sign_card(card: AgentCard, base_url: str) -> Route:
    """Adds the SDK's signature to the card; the route serves the public key that it names."""
    key = ec.generate_private_key(ec.SECP256R1())
    header = {'alg': 'ES256', 'kid': _KID, 'jku': base_url + KEYS_PATH, 'typ': 'JOSE'}
    create_agent_card_signer(key, header)(card)
    public: dict[str, Any] = json.loads(ECAlgorithm.to_jwk(key.public_key()))
    keys = {'keys': [{**public, 'kid': _KID, 'alg': 'ES256', 'use': 'sig'}]}

    async def serve_keys(_: Request) -> JSONResponse:
        return JSONResponse(keys)

    return Route(KEYS_PATH, serve_keys, methods=['GET'])
