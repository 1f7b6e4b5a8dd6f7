"""Bearer tokens at the door; what a known principal may see is up to the SDK.

The SDK takes the user from Starlette or from a context builder, keeps no tasks apart by user, and leaves
the refusal to the application: 401 with WWW-Authenticate over HTTP, UNAUTHENTICATED over gRPC.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn

import grpc
from a2a.auth.user import User
from a2a.server.context import ServerCallContext
from a2a.server.request_handlers.grpc_handler import DefaultCallContextBuilder
from a2a.utils.constants import AGENT_CARD_WELL_KNOWN_PATH, PREV_AGENT_CARD_WELL_KNOWN_PATH
from starlette.authentication import (
    AuthCredentials,
    AuthenticationBackend,
    AuthenticationError,
    BaseUser,
    SimpleUser,
)
from starlette.middleware import Middleware
from starlette.middleware.authentication import AuthenticationMiddleware
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from lab_agent.principals import Principals
from lab_agent.signing import KEYS_PATH

PUBLIC = (AGENT_CARD_WELL_KNOWN_PATH, PREV_AGENT_CARD_WELL_KNOWN_PATH, KEYS_PATH)
REFUSAL = 'a known bearer token is needed'


def http_door(principals: Principals) -> Middleware:
    """Refuses every HTTP call without a known token, but for the public card and its keys."""
    return Middleware(AuthenticationMiddleware, backend=_Backend(principals), on_error=_refuse_http)


class _Backend(AuthenticationBackend):
    def __init__(self, principals: Principals) -> None:
        self._principals = principals

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, BaseUser] | None:
        if conn.url.path in PUBLIC:
            return None
        name = self._principals.named_by(conn.headers.get('authorization'))
        if name is None:
            raise AuthenticationError(REFUSAL)
        return AuthCredentials(['authenticated']), SimpleUser(name)


def _refuse_http(_: HTTPConnection, problem: Exception) -> Response:
    status = {'code': 401, 'status': 'UNAUTHENTICATED', 'message': str(problem)}
    return JSONResponse({'error': status}, 401, {'WWW-Authenticate': 'Bearer realm="lab"'})


class GrpcDoor(grpc.aio.ServerInterceptor):
    """Refuses every gRPC call without a known token."""

    def __init__(self, principals: Principals) -> None:
        self._principals = principals

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler:
        handler = await continuation(handler_call_details)
        if handler is None or _principal(self._principals, handler_call_details.invocation_metadata):
            return handler
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(_refuse_stream)
        return grpc.unary_unary_rpc_method_handler(_refuse_call)


async def _refuse_call(_: Any, context: grpc.aio.ServicerContext) -> NoReturn:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, REFUSAL)
    raise AssertionError('abort raises')


async def _refuse_stream(_: Any, context: grpc.aio.ServicerContext) -> AsyncIterator[Any]:
    await context.abort(grpc.StatusCode.UNAUTHENTICATED, REFUSAL)
    yield


class GrpcUsers(DefaultCallContextBuilder):
    """Tells the SDK who calls over gRPC."""

    def __init__(self, principals: Principals) -> None:
        self._principals = principals

    def build(self, context: grpc.aio.ServicerContext) -> ServerCallContext:
        built = super().build(context)
        name = _principal(self._principals, context.invocation_metadata())
        if name is not None:
            built.user = _Named(name)
        return built


class _Named(User):
    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def is_authenticated(self) -> bool:
        return True

    @property
    def user_name(self) -> str:
        return self._name


def _principal(principals: Principals, metadata: Any) -> str | None:
    given = next((value for key, value in metadata or () if key == 'authorization'), None)
    return principals.named_by(given)
