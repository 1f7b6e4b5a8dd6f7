"""The start flags of docs/lab-agents.md that these agents have, and `--role`."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import NoReturn

JSONRPC = 'JSONRPC'
HTTP_JSON = 'HTTP+JSON'
GRPC = 'GRPC'
BINDINGS = (JSONRPC, HTTP_JSON, GRPC)
ROLES = ('coordinator', 'expense')


@dataclass(frozen=True)
class Flags:
    """Which agent it is, what it offers, and where."""

    role: str
    name: str
    host: str
    port: int
    grpc_port: int
    bindings: tuple[str, ...]


class _OneLineParser(argparse.ArgumentParser):
    """Refuses a bad flag with one line on stderr and exit code 2, as the contract asks."""

    def error(self, message: str) -> NoReturn:
        print(f'travel_agent: {message} (see --help)', file=sys.stderr)
        raise SystemExit(2)


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f'{text!r} is no port (0 to 65535)')
    return port


def _bindings(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(',')))
    for name in names:
        if name not in BINDINGS:
            raise argparse.ArgumentTypeError(f'{name!r} is none of {", ".join(BINDINGS)}')
    return names


def parse_flags(arguments: list[str]) -> Flags:
    """Reads the flags; leaves with exit code 2 when one is wrong."""
    parser = _OneLineParser(prog='travel_agent', allow_abbrev=False, description=__doc__)
    parser.add_argument('--role', choices=ROLES, required=True, help='which agent it is')
    parser.add_argument('--name', help="the card's name; default: the role")
    parser.add_argument('--host', default='127.0.0.1', help='address to bind')
    parser.add_argument('--httpPort', type=_port, default=0, help='0 (the default) takes a free port')
    parser.add_argument('--grpcPort', type=_port, default=0, help='0 (the default) takes a free port')
    parser.add_argument('--protocol', choices=('1.0',), default='1.0', help='version on offer')
    parser.add_argument(
        '--bindings', type=_bindings, default=BINDINGS, help='with commas between; default: all'
    )
    given = parser.parse_args(arguments)
    return Flags(
        role=given.role,
        name=given.name or given.role,
        host=given.host,
        port=given.httpPort,
        grpc_port=given.grpcPort,
        bindings=given.bindings,
    )
