"""The agent card, public and extended."""

from __future__ import annotations

from a2a.server.context import ServerCallContext
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityScheme,
)

from lab_agent.flags import BINDINGS, HTTP_JSON, JSONRPC, Flags
from lab_agent.itk import MEDIA_TYPE as INSTRUCTION

PATHS = {JSONRPC: '/jsonrpc', HTTP_JSON: '/rest'}
MEDIA_TYPES = ['text/plain', 'application/json']


def build_card(flags: Flags, base_url: str, grpc_address: str) -> AgentCard:
    """The public card: the first binding is the preferred one, and each stands in the list."""
    interfaces = [
        AgentInterface(transport=binding, url=base_url + PATHS[binding] if binding in PATHS else grpc_address)
        for binding in BINDINGS
        if binding in flags.bindings
    ]
    return AgentCard(
        name=flags.name,
        description='Plugfest lab agent on the official Python SDK. It does what a message tells it to do.',
        version='1.0.0',
        protocol_version='0.3.0',
        url=interfaces[0].url,
        preferred_transport=interfaces[0].transport,
        additional_interfaces=interfaces,
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        # Instructions of the interop kit come as a file.
        default_input_modes=[*MEDIA_TYPES, INSTRUCTION],
        default_output_modes=MEDIA_TYPES,
        skills=[_skill('lab', 'Plays the behaviour that the text, the message id or a data part selects.')],
        security_schemes={'bearer': SecurityScheme(root=HTTPAuthSecurityScheme(scheme='bearer'))}
        if flags.auth
        else None,
        security=[{'bearer': []}] if flags.auth else None,
        supports_authenticated_extended_card=True if flags.extended_card else None,
    )


def extended_for(card: AgentCard, context: ServerCallContext) -> AgentCard:
    """The card as one principal sees it; the signature of the public one does not fit it."""
    skill = _skill('lab-extended', f'Seen by {context.user.user_name} alone.')
    return card.model_copy(update={'skills': [*card.skills, skill], 'signatures': None})


def _skill(identifier: str, description: str) -> AgentSkill:
    return AgentSkill(
        id=identifier,
        name=identifier.replace('-', ' ').capitalize(),
        description=description,
        tags=['plugfest', 'lab'],
        examples=['plugfest-echo hello'],
    )
