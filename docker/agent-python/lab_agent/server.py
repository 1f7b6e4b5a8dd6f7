"""The HTTP server: the SDK's routes on one socket, and a prompt end."""

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

from lab_agent.card import PATHS, card_03
from lab_agent.executor import LabExecutor
from lab_agent.flags import HTTP_JSON, JSONRPC, Flags

DRAIN_S = 1
END_LIMIT_S = 1.8
"""The contract allows 2 s from SIGTERM to the end."""


class _Only03Dispatcher(JsonRpcDispatcher):
    """A JSON-RPC endpoint that knows the 0.3 methods alone: the SDK's own serves 1.0 beside them."""

    METHOD_TO_MODEL: dict[str, type] = {}


def build_app(flags: Flags, card: AgentCard) -> Starlette:
    """The application: card, JSON-RPC and HTTP+JSON as far as the flags ask for them."""
    http = httpx.AsyncClient()
    push_configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=LabExecutor(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=push_configs,
        # No URL policy: a lab's webhooks are on loopback.
        push_sender=BasePushNotificationSender(http, push_configs),
    )

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await handler.aclose()
        await http.aclose()

    return Starlette(routes=_routes(flags, card, handler), lifespan=lifespan)


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
        routes += create_rest_routes(handler, path_prefix=PATHS[HTTP_JSON])
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


async def serve(app: Starlette, listener: socket.socket, on_ready: Callable[[], None]) -> None:
    """Serves until SIGTERM, SIGINT or, with PLUGFEST_PARENT=stdin, the end of stdin."""
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,  # uvicorn's own writes to stdout
        timeout_graceful_shutdown=DRAIN_S,
    )
    server = _Server(config, on_ready)
    loop = asyncio.get_running_loop()

    def stop(number: int = signal.SIGTERM) -> None:
        # A behaviour that refuses to end must not keep the process.
        guard = threading.Timer(END_LIMIT_S, os._exit, (0,))
        guard.daemon = True
        guard.start()
        server.handle_exit(number, None)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop, number)
    if os.environ.get('PLUGFEST_PARENT') == 'stdin':
        threading.Thread(target=_after_stdin, args=(loop, stop), daemon=True).start()
    await server.serve(sockets=[listener])


def _after_stdin(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    with contextlib.suppress(RuntimeError):  # the loop is already closed
        loop.call_soon_threadsafe(stop)
