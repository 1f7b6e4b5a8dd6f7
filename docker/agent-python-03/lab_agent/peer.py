"""Another agent, called with the SDK's own client.

The card is resolved anew each time a peer is opened, so that a proxy can show different cards to
different callers.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import httpx
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.middleware import ClientCallContext
from a2a.types import AgentCard, PushNotificationConfig

from lab_agent.flags import BINDINGS, GRPC, JSONRPC, VERSION

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
        self,
        binding: str,
        version: str = VERSION,
        *,
        streaming: bool = True,
        token: str | None = None,
        extensions: list[str] | None = None,
        push: PushNotificationConfig | None = None,
    ) -> Client:
        """The SDK's client for one interface of the card.

        The webhook belongs to the client: given with one message, the SDK makes a dict of it, on which
        HTTP+JSON and gRPC fail (a2a-sdk 0.3.26).
        """
        if binding not in BINDINGS:
            raise BindingNotSpoken(f'this client speaks {", ".join(BINDINGS)}, not {binding!r}')
        offered = _bindings(self.card)
        if version != VERSION or binding not in offered:
            raise NoMatchingInterface(
                f'this client sees no {binding} {version} in the card of {self.card.name!r}, '
                f'but {", ".join(offered)} {VERSION}'
            )
        config = ClientConfig(
            httpx_client=self._http,
            grpc_channel_factory=_channels(token),
            streaming=streaming,
            supported_transports=[binding],
            use_client_preference=True,
            extensions=extensions or [],
            push_notification_configs=[] if push is None else [push],
        )
        client = ClientFactory(config).create(self.card)
        if binding == GRPC:
            self._closing.push_async_callback(client.close)
        return client


@asynccontextmanager
async def open_peer(card_base_url: str) -> AsyncIterator[Peer]:
    """Resolves a card below a base URL; closes every connection at the end, open streams included."""
    async with AsyncExitStack() as closing:
        http = await closing.enter_async_context(httpx.AsyncClient(timeout=CALL_LIMIT_S))
        yield Peer(await A2ACardResolver(http, card_base_url).get_agent_card(), http, closing)


def call_context(token: str | None) -> ClientCallContext:
    """What goes with each call. The SDK's interceptors act over JSON-RPC alone, HTTP arguments over REST."""
    headers = {} if token is None else {'Authorization': f'Bearer {token}'}
    return ClientCallContext(state={'http_kwargs': {'headers': headers}})


def _bindings(card: AgentCard) -> list[str]:
    others = [interface.transport for interface in card.additional_interfaces or []]
    return list(dict.fromkeys([card.preferred_transport or JSONRPC, *others]))


def _channels(token: str | None) -> Callable[[str], grpc.aio.Channel]:
    door = [] if token is None else [_UnaryToken(token), _StreamToken(token)]

    def channel(url: str) -> grpc.aio.Channel:
        # Cards name host and port; some SDKs put a scheme before them.
        scheme, separator, rest = url.partition('://')
        target = rest.rstrip('/') if separator else url
        if scheme == 'https' and separator:
            return grpc.aio.secure_channel(target, grpc.ssl_channel_credentials(), interceptors=door)
        return grpc.aio.insecure_channel(target, interceptors=door)

    return channel


class _Token:
    """The SDK has no way to say who calls over gRPC; the channel is the application's."""

    def __init__(self, token: str) -> None:
        self._entry = ('authorization', f'Bearer {token}')

    def added_to(self, details: grpc.aio.ClientCallDetails) -> grpc.aio.ClientCallDetails:
        metadata = grpc.aio.Metadata(*(details.metadata or ()), self._entry)
        return grpc.aio.ClientCallDetails(
            details.method, details.timeout, metadata, details.credentials, details.wait_for_ready
        )


class _UnaryToken(_Token, grpc.aio.UnaryUnaryClientInterceptor):
    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await continuation(self.added_to(client_call_details), request)


class _StreamToken(_Token, grpc.aio.UnaryStreamClientInterceptor):
    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        return await continuation(self.added_to(client_call_details), request)
