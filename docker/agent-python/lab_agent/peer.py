"""Another agent, called with the SDK's own client.

The card is resolved anew each time a peer is opened, so that a proxy can show different cards to
different callers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import AgentCard, AgentInterface

from lab_agent.flags import HTTP_JSON, JSONRPC

CALL_LIMIT_S = 30.0
SPOKEN_BINDINGS = (JSONRPC, HTTP_JSON)


class NoMatchingInterface(Exception):
    """The card has no interface with the binding and version asked for."""


class BindingNotSpoken(Exception):
    """This agent's client does not speak the binding."""


@dataclass(frozen=True)
class Peer:
    """A resolved card, and a way to clients for it. Usable inside `open_peer` only."""

    card: AgentCard
    _http: httpx.AsyncClient

    def client(self, binding: str, version: str | None = None, *, streaming: bool = True) -> Client:
        """The SDK's client for one interface of the card.

        Without a version the SDK takes the best one. The SDK finds the version of an interface by
        its URL, and several versions can share one, so the client gets a card with that interface
        alone.
        """
        card = self.card if version is None else self._narrowed(binding, version)
        if binding not in SPOKEN_BINDINGS:
            raise BindingNotSpoken(f'this client speaks {" and ".join(SPOKEN_BINDINGS)}, not {binding!r}')
        return _factory(self._http, binding, streaming=streaming).create(card)

    def _narrowed(self, binding: str, version: str) -> AgentCard:
        for interface in self.card.supported_interfaces:
            if interface.protocol_binding == binding and _minor(interface.protocol_version) == version:
                narrowed = AgentCard()
                narrowed.CopyFrom(self.card)
                del narrowed.supported_interfaces[:]
                narrowed.supported_interfaces.append(interface)
                return narrowed
        offered = ', '.join(map(_label, self.card.supported_interfaces)) or 'nothing'
        raise NoMatchingInterface(
            f'{self.card.name!r} offers no {binding} {version}; its card lists {offered}'
        )


@asynccontextmanager
async def open_peer(card_base_url: str) -> AsyncIterator[Peer]:
    """Resolves a card below a base URL; closes every connection at the end, open streams included."""
    async with httpx.AsyncClient(timeout=CALL_LIMIT_S) as http:
        # The factory marks the HTTP client with A2A-Version, as it does when it resolves a card itself.
        _factory(http, JSONRPC)
        yield Peer(await A2ACardResolver(http, card_base_url).get_agent_card(), http)


def _factory(http: httpx.AsyncClient, binding: str, *, streaming: bool = True) -> ClientFactory:
    return ClientFactory(
        ClientConfig(
            httpx_client=http,
            streaming=streaming,
            supported_protocol_bindings=[binding],
            use_client_preference=True,
        )
    )


def _minor(version: str) -> str:
    return '.'.join(version.split('.')[:2])


def _label(interface: AgentInterface) -> str:
    return f'{interface.protocol_binding} {interface.protocol_version or "without version"}'
