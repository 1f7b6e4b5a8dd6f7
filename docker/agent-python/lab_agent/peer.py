"""Another agent, called with the SDK's own client.

The card is resolved anew each time a peer is opened, so that a proxy can show different cards to
different callers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.auth import AuthInterceptor, CredentialService
from a2a.client.client import ClientCallContext
from a2a.types.a2a_pb2 import AgentCard, AgentInterface

from lab_agent.flags import BINDINGS, GRPC, JSONRPC

CALL_LIMIT_S = 30.0


class NoMatchingInterface(Exception):
    """The card has no interface with the binding and version asked for."""


class BindingNotSpoken(Exception):
    """This agent's client does not speak the binding."""


@dataclass(frozen=True)
class Peer:
    """A resolved card, and a way to clients for it. Usable inside `open_peer` only."""

    card: AgentCard
    _http: httpx.AsyncClient
    _closing: AsyncExitStack

    def client(
        self, binding: str, version: str | None = None, *, streaming: bool = True, token: str | None = None
    ) -> Client:
        """The SDK's client for one interface of the card.

        Without a version the SDK takes the best one. The SDK finds the version of an interface by
        its URL, and several versions can share one, so the client gets a card with that interface
        alone. The token is sent where the card asks for one, as the SDK does it.
        """
        if binding not in BINDINGS:
            raise BindingNotSpoken(f'this client speaks {", ".join(BINDINGS)}, not {binding!r}')
        card = self.card if version is None else self._narrowed(binding, version)
        interceptors = [] if token is None else [AuthInterceptor(_OneToken(token))]
        client = _factory(self._http, binding, streaming=streaming).create(card, interceptors)
        if binding == GRPC:
            self._closing.push_async_callback(client.close)
        return client

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
    async with AsyncExitStack() as closing:
        http = await closing.enter_async_context(httpx.AsyncClient(timeout=CALL_LIMIT_S))
        # The factory marks the HTTP client with A2A-Version, as it does when it resolves a card itself.
        _factory(http, JSONRPC)
        yield Peer(await A2ACardResolver(http, card_base_url).get_agent_card(), http, closing)


class _OneToken(CredentialService):
    def __init__(self, token: str) -> None:
        self._token = token

    async def get_credentials(self, security_scheme_name: str, context: ClientCallContext | None) -> str:
        return self._token


def _factory(http: httpx.AsyncClient, binding: str, *, streaming: bool = True) -> ClientFactory:
    return ClientFactory(
        ClientConfig(
            httpx_client=http,
            grpc_channel_factory=_channel,
            streaming=streaming,
            supported_protocol_bindings=[binding],
            use_client_preference=True,
        )
    )


def _channel(url: str) -> grpc.aio.Channel:
    # Cards name host and port; some SDKs put a scheme before them.
    scheme, separator, rest = url.partition('://')
    target = rest.rstrip('/') if separator else url
    if scheme == 'https' and separator:
        return grpc.aio.secure_channel(target, grpc.ssl_channel_credentials())
    return grpc.aio.insecure_channel(target)


def _minor(version: str) -> str:
    return '.'.join(version.split('.')[:2])


def _label(interface: AgentInterface) -> str:
    return f'{interface.protocol_binding} {interface.protocol_version or "without version"}'
