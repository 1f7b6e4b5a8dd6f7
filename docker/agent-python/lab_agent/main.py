"""Binds the port, tells the world where, and serves."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable

from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH
from starlette.applications import Starlette

from lab_agent.card import build_card
from lab_agent.flags import Flags, parse_flags
from lab_agent.log import flush_log, start_log
from lab_agent.server import build_app, serve

_BACKLOG = 512
_ANY_ADDRESS = ('0.0.0.0', '::')


def main(arguments: list[str]) -> int:
    """Runs the agent until it is told to end. Returns the exit code."""
    flags = parse_flags(arguments)
    start_log(os.environ.get('LAB_AGENT_LOG', 'WARNING').upper())
    try:
        listener = _bind(flags.host, flags.port)
    except OSError as problem:
        print(f'lab_agent: cannot bind {flags.host}:{flags.port}: {problem}', file=sys.stderr)
        return 1
    base_url = _base_url(flags, listener)
    app = build_app(flags, build_card(flags, base_url))
    asyncio.run(_serve_and_leave(app, listener, _announcer(flags.name, base_url)))
    return 0


async def _serve_and_leave(app: Starlette, listener: socket.socket, announce: Callable[[], None]) -> None:
    await serve(app, listener, announce)
    # The SDK leaves queue loops of waiting tasks behind. Unwinding them here would only fill the log.
    flush_log()
    os._exit(0)


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ':' in host else socket.AF_INET
    # Named TCP explicitly: asyncio sets TCP_NODELAY only then, and without it every answer takes 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((host, port))
    listener.listen(_BACKLOG)
    return listener


def _base_url(flags: Flags, listener: socket.socket) -> str:
    # An agent that listens on all addresses is reached by its host name, as in a compose network.
    host = socket.gethostname() if flags.host in _ANY_ADDRESS else flags.host
    if ':' in host:
        host = f'[{host}]'
    return f'http://{host}:{listener.getsockname()[1]}'


def _announcer(name: str, base_url: str) -> Callable[[], None]:
    def announce() -> None:
        line = json.dumps(
            {'ready': True, 'name': name, 'card': base_url + AGENT_CARD_WELL_KNOWN_PATH},
            separators=(',', ':'),
        )
        print(line, flush=True)
        # Whatever a library prints from here on goes to stderr: stdout holds the ready line alone.
        sys.stdout = sys.stderr

    return announce
