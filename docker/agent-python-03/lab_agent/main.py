"""Binds the port, tells the world where, and serves."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable

from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH

from lab_agent.card import build_card
from lab_agent.flags import GRPC, Flags, parse_flags
from lab_agent.grpc_server import CannotBind, GrpcServer
from lab_agent.log import flush_log, start_log
from lab_agent.server import Agent, build_app, serve
from lab_agent.signing import sign_card

_BACKLOG = 512
_ANY_ADDRESS = ('0.0.0.0', '::')


def main(arguments: list[str]) -> int:
    """Runs the agent until it is told to end. Returns the exit code."""
    flags = parse_flags(arguments)
    start_log(os.environ.get('LAB_AGENT_LOG', 'WARNING').upper())
    try:
        listener = _bind(flags.host, flags.port)
        asyncio.run(_serve_and_leave(flags, listener))
    except (OSError, CannotBind) as problem:
        print(f'lab_agent: {problem}', file=sys.stderr)
        return 1
    return 0


async def _serve_and_leave(flags: Flags, listener: socket.socket) -> None:
    base_url = f'http://{_host(flags)}:{listener.getsockname()[1]}'
    grpc_server = GrpcServer(flags) if GRPC in flags.bindings else None
    grpc_address = f'{_host(flags)}:{grpc_server.port}' if grpc_server else ''
    card = build_card(flags, base_url, grpc_address)
    signing = [sign_card(card, base_url)] if flags.sign_card else []
    agent = Agent(flags, card)
    if grpc_server is not None:
        await grpc_server.start(card, agent.handler)
    origins = [f'http://{grpc_address}'] if grpc_address else []
    announce = _announcer(flags.name, base_url, origins)
    await serve(build_app(flags, card, agent, signing), listener, grpc_server, announce)
    # The SDK leaves queue loops of waiting tasks behind. Unwinding them here would only fill the log.
    flush_log()
    os._exit(0)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    # Named TCP explicitly: asyncio sets TCP_NODELAY only then, and without it every answer takes 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as problem:
        raise CannotBind(f'cannot bind {host}:{port}: {problem}') from problem
    listener.listen(_BACKLOG)
    return listener


def _host(flags: Flags) -> str:
    # An agent that listens on all addresses is reached by its host name, as in a compose network.
    host = socket.gethostname() if flags.host in _ANY_ADDRESS else flags.host
    return f'[{host}]' if ':' in host else host


def _announcer(name: str, base_url: str, origins: list[str]) -> Callable[[], None]:
    def announce() -> None:
        card = base_url + AGENT_CARD_WELL_KNOWN_PATH
        ready = {'ready': True, 'name': name, 'card': card, **({'origins': origins} if origins else {})}
        print(json.dumps(ready, separators=(',', ':')), flush=True)
        # Whatever a library prints from here on goes to stderr: stdout holds the ready line alone.
        sys.stdout = sys.stderr

    return announce
