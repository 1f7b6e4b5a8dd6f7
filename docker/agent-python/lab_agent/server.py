"""The HTTP server: the SDK's routes on one socket, and a prompt end for both servers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator

import httpx
import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.routes.jsonrpc_dispatcher import JsonRpcDispatcher

# From here, because the module that defines it cannot be imported first.
from a2a.server.routes.rest_routes import REST03Adapter
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
)
from a2a.types.a2a_pb2 import AgentCard
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from lab_agent.auth import http_door
from lab_agent.card import PATHS, card_03, extended_for
from lab_agent.executor import LabExecutor
from lab_agent.flags import HTTP_JSON, JSONRPC, Flags
from lab_agent.grpc_server import GrpcServer

DRAIN_S = 1
END_LIMIT_S = 1.8
"""The contract allows 2 s from SIGTERM to the end."""


class _Only03Dispatcher(JsonRpcDispatcher):
    """A JSON-RPC endpoint that knows the 0.3 methods alone: the SDK's own serves 1.0 beside them."""

    METHOD_TO_MODEL: dict[str, type] = {}


class Agent:
    """The SDK's request handler, which both servers share, and what it holds open."""

    def __init__(self, flags: Flags, card: AgentCard) -> None:
        self._http = httpx.AsyncClient()
        push_configs = InMemoryPushNotificationConfigStore()
        self.handler = DefaultRequestHandler(
            agent_executor=LabExecutor(flags.principals, flags.require_extension),
            task_store=InMemoryTaskStore(),
            agent_card=card,
            push_config_store=push_configs,
            # No URL policy: a lab's webhooks are on loopback.
            push_sender=BasePushNotificationSender(self._http, push_configs),
            extended_agent_card=card if flags.extended_card else None,
            extended_card_modifier=extended_for,
        )

    async def close(self) -> None:
        await self.handler.aclose()
        await self._http.aclose()


def build_app(flags: Flags, card: AgentCard, agent: Agent, others: list[Route]) -> Starlette:
    """The application: card, JSON-RPC and HTTP+JSON as far as the flags ask for them, and other routes."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await agent.close()

    door = [http_door(flags.principals)] if flags.auth else []
    return Starlette(
        routes=[*others, *_routes(flags, card, agent.handler)], lifespan=lifespan, middleware=door
    )


def _routes(flags: Flags, card: AgentCard, handler: DefaultRequestHandler) -> list[BaseRoute]:
    routes: list[BaseRoute] = []
    if flags.versions == ('0.3',):
        routes.append(_card_03_route(card))
    else:
        routes += create_agent_card_routes(card)
    if flags.offers(JSONRPC, '1.0'):
        legacy = flags.offers(JSONRPC, '0.3')
        routes += create_jsonrpc_routes(handler, PATHS[JSONRPC], enable_v0_3_compat=legacy)
    elif flags.offers(JSONRPC, '0.3'):
        dispatcher = _Only03Dispatcher(handler, enable_v0_3_compat=True)
        routes.append(Route(PATHS[JSONRPC], dispatcher.handle_requests, methods=['POST']))
    if flags.offers(HTTP_JSON, '1.0'):
        legacy = flags.offers(HTTP_JSON, '0.3')
        routes += create_rest_routes(handler, enable_v0_3_compat=legacy, path_prefix=PATHS[HTTP_JSON])
    elif flags.offers(HTTP_JSON, '0.3'):
        for (path, method), endpoint in REST03Adapter(handler).routes().items():
            routes.append(Route(PATHS[HTTP_JSON] + path, endpoint, methods=[method]))
    return routes


def _card_03_route(card: AgentCard) -> Route:
    body = card_03(card)

    async def serve_card(_: Request) -> JSONResponse:
        return JSONResponse(body)

    return Route(AGENT_CARD_WELL_KNOWN_PATH, serve_card, methods=['GET'])


class _Server(uvicorn.Server):
    """Says when it serves, and leaves signals to `serve`."""

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    app: Starlette, listener: socket.socket, grpc_server: GrpcServer | None, on_ready: Callable[[], None]
) -> None:
    """Serves until SIGTERM, SIGINT or, with PLUGFEST_PARENT=stdin, the end of stdin."""
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,  # uvicorn's own writes to stdout
        timeout_graceful_shutdown=DRAIN_S,
    )
    server = _Server(config, on_ready)
    loop = asyncio.get_running_loop()

    ending: list[asyncio.Task[None]] = []

    def stop(number: int = signal.SIGTERM) -> None:
        # A behaviour that refuses to end must not keep the process.
        guard = threading.Timer(END_LIMIT_S, os._exit, (0,))
        guard.daemon = True
        guard.start()
        server.handle_exit(number, None)
        if grpc_server is not None:
            ending.append(loop.create_task(grpc_server.stop()))

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    if os.environ.get('PLUGFEST_PARENT') == 'stdin':
        threading.Thread(target=_after_stdin, args=(loop, stop), daemon=True).start()
    await server.serve(sockets=[listener])
    await asyncio.gather(*ending)


def _after_stdin(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    with contextlib.suppress(RuntimeError):  # the loop is already closed
        loop.call_soon_threadsafe(stop)
