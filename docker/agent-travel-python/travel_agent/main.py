"""Binds the ports, tells the world where, and serves until it is told to end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator

import grpc
import httpx
import uvicorn
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
)
from a2a.types import a2a_pb2_grpc
from a2a.types.a2a_pb2 import AgentCard
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from travel_agent.card import PATHS, build_card
from travel_agent.coordinator import Coordinator
from travel_agent.executor import Role, TravelExecutor
from travel_agent.expense import Expense
from travel_agent.flags import GRPC, HTTP_JSON, JSONRPC, Flags, parse_flags
from travel_agent.notifications import PATH, Notifications

_END_LIMIT_S = 1.8
"""The contract allows 2 s from SIGTERM to the end."""
_ANY_ADDRESS = ('0.0.0.0', '::')


class CannotBind(Exception):
    """The port is taken, or the address is not ours."""


def main(arguments: list[str]) -> int:
    """Runs the agent until it is told to end. Returns the exit code."""
    flags = parse_flags(arguments)
    logging.basicConfig(stream=sys.stderr, level=os.environ.get('LAB_AGENT_LOG', 'WARNING').upper())
    try:
        asyncio.run(_serve(flags, _bind(flags.host, flags.port)))
    except CannotBind as problem:
        print(f'travel_agent: {problem}', file=sys.stderr)
        return 1
    return 0


async def _serve(flags: Flags, listener: socket.socket) -> None:
    base_url = f'http://{_host(flags)}:{listener.getsockname()[1]}'
    grpc_server, grpc_port = _grpc_server(flags) if GRPC in flags.bindings else (None, 0)
    grpc_address = f'{_host(flags)}:{grpc_port}'
    card = build_card(flags, base_url, grpc_address)
    notifications = Notifications()
    role: Role = Coordinator(base_url, notifications) if flags.role == 'coordinator' else Expense()
    async with httpx.AsyncClient() as http:
        push_configs = InMemoryPushNotificationConfigStore()
        handler = DefaultRequestHandler(
            agent_executor=TravelExecutor(role),
            task_store=InMemoryTaskStore(),
            agent_card=card,
            push_config_store=push_configs,
            # No URL policy: a lab's webhooks are on loopback.
            push_sender=BasePushNotificationSender(http, push_configs),
        )
        if grpc_server is not None:
            a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), grpc_server)
            await grpc_server.start()
        app = Starlette(routes=_routes(flags, card, handler, notifications))
        ready = {'ready': True, 'name': flags.name, 'card': base_url + AGENT_CARD_WELL_KNOWN_PATH}
        origins = {'origins': [f'http://{grpc_address}']} if grpc_server is not None else {}
        await _Server(app, json.dumps({**ready, **origins}, separators=(',', ':'))).run(listener)
    # The SDK leaves queue loops of waiting tasks behind. Unwinding them here would only fill the log.
    os._exit(0)


def _routes(
    flags: Flags, card: AgentCard, handler: DefaultRequestHandler, notifications: Notifications
) -> list[BaseRoute]:
    routes: list[BaseRoute] = [*create_agent_card_routes(card)]
    if flags.role == 'coordinator':
        # Before those of HTTP+JSON, which take every path for one of a tenant.
        routes.append(Route(f'{PATH}/{{key}}', notifications.receive, methods=['POST']))
    if JSONRPC in flags.bindings:
        routes += create_jsonrpc_routes(handler, PATHS[JSONRPC])
    if HTTP_JSON in flags.bindings:
        routes += create_rest_routes(handler, path_prefix=PATHS[HTTP_JSON])
    return routes


class _Server(uvicorn.Server):
    """Prints the ready line when it serves, and ends in time."""

    def __init__(self, app: Starlette, ready_line: str) -> None:
        # uvicorn's own log goes to stdout.
        super().__init__(uvicorn.Config(app, access_log=False, log_config=None, timeout_graceful_shutdown=1))
        self._ready_line = ready_line

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self._ready_line, flush=True)
            # Whatever a library prints from here on goes to stderr: stdout holds the ready line alone.
            sys.stdout = sys.stderr

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def run(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._stop)
        if os.environ.get('PLUGFEST_PARENT') == 'stdin':
            threading.Thread(target=self._after_stdin, args=(loop,), daemon=True).start()
        await self.serve(sockets=[listener])

    def _stop(self) -> None:
        guard = threading.Timer(_END_LIMIT_S, os._exit, (0,))
        guard.daemon = True
        guard.start()
        self.handle_exit(signal.SIGTERM, None)

    def _after_stdin(self, loop: asyncio.AbstractEventLoop) -> None:
        while os.read(sys.stdin.fileno(), 4096):
            pass
        with contextlib.suppress(RuntimeError):  # the loop is already closed
            loop.call_soon_threadsafe(self._stop)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    # Named TCP explicitly: asyncio sets TCP_NODELAY only then.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as problem:
        raise CannotBind(f'cannot bind {host}:{port}: {problem}') from problem
    listener.listen(128)
    return listener


def _grpc_server(flags: Flags) -> tuple[grpc.aio.Server, int]:
    # Otherwise two agents could share a port without noticing.
    server = grpc.aio.server(options=[('grpc.so_reuseport', 0)])
    host = f'[{flags.host}]' if ':' in flags.host else flags.host
    try:
        port = server.add_insecure_port(f'{host}:{flags.grpc_port}')
    except RuntimeError as problem:
        raise CannotBind(f'cannot bind {host}:{flags.grpc_port} for gRPC') from problem
    return server, port


def _host(flags: Flags) -> str:
    # An agent that listens on all addresses is reached by its host name, as in a compose network.
    host = socket.gethostname() if flags.host in _ANY_ADDRESS else flags.host
    return f'[{host}]' if ':' in host else host
