"""The start flags of docs/lab-agents.md."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import NoReturn

JSONRPC = 'JSONRPC'
HTTP_JSON = 'HTTP+JSON'
SERVED_BINDINGS = (JSONRPC, HTTP_JSON)
VERSIONS = {'1.0': ('1.0',), '0.3': ('0.3',), 'both': ('1.0', '0.3')}


@dataclass(frozen=True)
class Flags:
    """What the server offers, and where."""

    name: str
    host: str
    port: int
    versions: tuple[str, ...]
    bindings: tuple[str, ...]

    def offers(self, binding: str, version: str) -> bool:
        """Whether the server offers this pair. 0.3 is JSON-RPC only."""
        if version not in self.versions:
            return False
        return binding == JSONRPC if version == '0.3' else binding in self.bindings


class _OneLineParser(argparse.ArgumentParser):
    """Refuses a bad flag with one line on stderr and exit code 2, as the contract asks."""

    def error(self, message: str) -> NoReturn:
        print(f'lab_agent: {message} (see --help)', file=sys.stderr)
        raise SystemExit(2)


def _port(text: str) -> int:
    port = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f'{text!r} is no port (0 to 65535)')
    return port


def _bindings(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(',')))
    for name in names:
        if name not in SERVED_BINDINGS:
            raise argparse.ArgumentTypeError(
                f'{name!r} is not served by this agent; it has {", ".join(SERVED_BINDINGS)}'
            )
    return names


def _fault(text: str) -> NoReturn:
    raise argparse.ArgumentTypeError(
        f'this agent plays no defects, so not {text!r}; the bundled JS agent does'
    )


def parse_flags(arguments: list[str]) -> Flags:
    """Reads the flags; leaves with exit code 2 when one is wrong."""
    parser = _OneLineParser(prog='lab_agent', allow_abbrev=False, description=__doc__)
    parser.add_argument('--name', default='a2a-python', help="the card's name")
    parser.add_argument('--httpPort', type=_port, default=0, help='0 (the default) takes a free port')
    parser.add_argument('--host', default='127.0.0.1', help='address to bind')
    parser.add_argument(
        '--protocol', choices=tuple(VERSIONS), default='1.0', help='versions the server offers'
    )
    parser.add_argument(
        '--bindings',
        type=_bindings,
        default=SERVED_BINDINGS,
        help='bindings offered for 1.0, with commas between; 0.3 is JSON-RPC only',
    )
    parser.add_argument('--fault', type=_fault, help='not available: only the bundled JS agent plays defects')
    given = parser.parse_args(arguments)
    return Flags(given.name, given.host, given.httpPort, VERSIONS[given.protocol], given.bindings)
