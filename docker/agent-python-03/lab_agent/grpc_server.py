"""gRPC on a port of its own: the SDK's servicer, in clear text."""

from __future__ import annotations

import grpc
from a2a.grpc import a2a_pb2_grpc
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.request_handlers.grpc_handler import GrpcHandler
from a2a.types import AgentCard

from lab_agent.auth import GrpcDoor, GrpcUsers
from lab_agent.flags import Flags

_DRAIN_S = 0.5


class CannotBind(Exception):
    """The port is taken, or the address is not ours."""


class GrpcServer:
    """Has its port from the start, since the card names it; serves once it has a handler. Needs a loop."""

    def __init__(self, flags: Flags) -> None:
        self._flags = flags
        self._server = grpc.aio.server(
            interceptors=[GrpcDoor(flags.principals)] if flags.auth else [],
            # Otherwise two agents could share a port without noticing.
            options=[('grpc.so_reuseport', 0)],
        )
        host = f'[{flags.host}]' if ':' in flags.host else flags.host
        address = f'{host}:{flags.grpc_port}'
        try:
            self.port = self._server.add_insecure_port(address)
        except RuntimeError as problem:
            raise CannotBind(f'cannot bind {address} for gRPC') from problem
        if self.port == 0:
            raise CannotBind(f'cannot bind {address} for gRPC')

    async def start(self, card: AgentCard, handler: DefaultRequestHandler) -> None:
        users = GrpcUsers(self._flags.principals) if self._flags.auth else None
        a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(card, handler, users), self._server)
        await self._server.start()

    async def stop(self) -> None:
        """Ends calls that do not end by themselves soon."""
        await self._server.stop(_DRAIN_S)
