"""The HTTP server: the SDK's routes on one socket, and a prompt end for both servers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence

import httpx
import uvicorn
from a2a.server.apps import A2ARESTFastAPIApplication, A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
)
from a2a.types import AgentCard
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount

from lab_agent.auth import http_door
from lab_agent.card import PATHS, extended_for
from lab_agent.executor import LabExecutor
from lab_agent.flags import HTTP_JSON, JSONRPC, Flags
from lab_agent.grpc_server import GrpcServer

DRAIN_S = 1
END_LIMIT_S = 1.8
"""The contract allows 2 s from SIGTERM to the end."""


class Agent:
    """The SDK's request handler, which both servers share, and what it holds open."""

    def __init__(self, flags: Flags, card: AgentCard) -> None:
        self._http = httpx.AsyncClient()
        push_configs = InMemoryPushNotificationConfigStore()
        self.handler = DefaultRequestHandler(
            agent_executor=LabExecutor(flags.principals),
            task_store=InMemoryTaskStore(),
            push_config_store=push_configs,
            push_sender=BasePushNotificationSender(self._http, push_configs),
        )

    async def close(self) -> None:
        await self._http.aclose()


def build_app(flags: Flags, card: AgentCard, agent: Agent, further: Sequence[BaseRoute]) -> Starlette:
    """The application: card, JSON-RPC and HTTP+JSON as far as the flags ask for them, and further routes."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        await agent.close()

    door = [http_door(flags.principals)] if flags.auth else []
    return Starlette(routes=[*further, *_routes(flags, card, agent.handler)], lifespan=lifespan, middleware=door)


def _routes(flags: Flags, card: AgentCard, handler: DefaultRequestHandler) -> list[BaseRoute]:
    extended = extended_for if flags.extended_card else None
    json_rpc = A2AStarletteApplication(card, handler, extended_card_modifier=extended)
    # The card is served whatever the bindings are.
    routes: list[BaseRoute] = [
        route
        for route in json_rpc.routes(rpc_url=PATHS[JSONRPC])
        if JSONRPC in flags.bindings or route.path != PATHS[JSONRPC]
    ]
    if HTTP_JSON in flags.bindings:
        rest = A2ARESTFastAPIApplication(card, handler, extended_card_modifier=extended)
        routes.append(Mount(PATHS[HTTP_JSON], rest.build()))
    return routes


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
