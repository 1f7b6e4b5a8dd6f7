"""The start flags of docs/lab-agents.md."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass
from typing import NoReturn
from urllib.parse import urlsplit

from lab_agent.principals import BadPrincipals, Principals

JSONRPC = 'JSONRPC'
HTTP_JSON = 'HTTP+JSON'
GRPC = 'GRPC'
BINDINGS = (JSONRPC, HTTP_JSON, GRPC)
VERSIONS = {'1.0': ('1.0',), '0.3': ('0.3',), 'both': ('1.0', '0.3')}


@dataclass(frozen=True)
class Flags:
    """What the server offers, and where."""

    name: str
    host: str
    port: int
    grpc_port: int
    versions: tuple[str, ...]
    bindings: tuple[str, ...]
    principals: Principals
    """Whom the client can call as, and with `auth` whom the server knows."""
    auth: bool
    extended_card: bool
    sign_card: bool
    require_extension: str | None
    """URI of an extension without which no message is taken."""
    offer_extension: str | None
    """URI of an extension that a message may ask for."""

    def offers(self, binding: str, version: str) -> bool:
        """Whether the server offers this pair."""
        return version in self.versions and binding in self.bindings


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
        if name not in BINDINGS:
            raise argparse.ArgumentTypeError(
                f'{name!r} is not served by this agent; it has {", ".join(BINDINGS)}'
            )
    return names


def _uri(text: str) -> str:
    if not urlsplit(text).scheme:
        raise argparse.ArgumentTypeError(f'{text!r} is no absolute URI')
    return text


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
        default=BINDINGS,
        help='bindings offered in every version, with commas between; default: all',
    )
    parser.add_argument('--grpcPort', type=_port, default=0, help='0 (the default) takes a free port')
    parser.add_argument(
        '--auth', choices=('bearer',), help='refuse calls without a token of LAB_AGENT_TOKENS'
    )
    parser.add_argument(
        '--extendedCard', action='store_true', help='offer the extended card; needs --auth bearer'
    )
    parser.add_argument('--signCard', action='store_true', help='sign the 1.0 card with a new key')
    parser.add_argument(
        '--requireExtension', type=_uri, help='URI of an extension without which no message is taken'
    )
    parser.add_argument('--offerExtension', type=_uri, help='URI of an extension that a message may ask for')
    parser.add_argument('--fault', type=_fault, help='not available: only the bundled JS agent plays defects')
    given = parser.parse_args(arguments)
    if given.signCard and given.protocol == '0.3':
        parser.error('argument --signCard: the SDK signs cards of 1.0')
    if given.extendedCard and not given.auth:
        parser.error('argument --extendedCard: needs --auth bearer')
    try:
        principals = Principals.parse(os.environ.get('LAB_AGENT_TOKENS', ''))
    except BadPrincipals as problem:
        parser.error(f'environment variable LAB_AGENT_TOKENS: {problem}')
    if given.auth and not principals:
        parser.error('argument --auth: needs LAB_AGENT_TOKENS="alice=TOKEN,bob=TOKEN" in the environment')
    return Flags(
        name=given.name,
        host=given.host,
        port=given.httpPort,
        grpc_port=given.grpcPort,
        versions=VERSIONS[given.protocol],
        bindings=given.bindings,
        principals=principals,
        auth=given.auth is not None,
        extended_card=given.extendedCard,
        sign_card=given.signCard,
        require_extension=given.requireExtension,
        offer_extension=given.offerExtension,
    )
