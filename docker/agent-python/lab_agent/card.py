"""The agent card, public and extended."""

from __future__ import annotations

from typing import Any

from a2a.compat.v0_3.conversions import to_compat_agent_card
from a2a.server.context import ServerCallContext
from a2a.types.a2a_pb2 import (
    AgentCapabilities,
    AgentCard,
    AgentExtension,
    AgentInterface,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)

from lab_agent.flags import BINDINGS, HTTP_JSON, JSONRPC, Flags
from lab_agent.itk import MEDIA_TYPE as INSTRUCTION

PATHS = {JSONRPC: '/jsonrpc', HTTP_JSON: '/rest'}
MEDIA_TYPES = ('text/plain', 'application/json')


def build_card(flags: Flags, base_url: str, grpc_address: str) -> AgentCard:
    """The public card, with one interface per (binding, version) on offer."""
    only_03 = flags.versions == ('0.3',)
    card = AgentCard(
        name=flags.name,
        description='Plugfest lab agent on the official Python SDK. It does what a message tells it to do.',
        version='1.0.0',
        supported_interfaces=[
            AgentInterface(
                url=base_url + PATHS[binding] if binding in PATHS else grpc_address,
                protocol_binding=binding,
                # A 0.3 card carries a full version, a 1.0 interface carries major and minor.
                protocol_version='0.3.0' if only_03 else version,
            )
            for version in flags.versions
            for binding in BINDINGS
            if flags.offers(binding, version)
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        # Instructions of the interop kit come as a file.
        default_input_modes=(*MEDIA_TYPES, INSTRUCTION),
        default_output_modes=MEDIA_TYPES,
        skills=[
            AgentSkill(
                id='lab',
                name='Lab',
                description='Plays the behaviour that the text, the message id or a data part selects.',
                tags=['plugfest', 'lab'],
                examples=['plugfest-echo hello'],
            )
        ],
    )
    if flags.auth:
        scheme = HTTPAuthSecurityScheme(scheme='bearer')
        card.security_schemes['bearer'].CopyFrom(SecurityScheme(http_auth_security_scheme=scheme))
        card.security_requirements.append(SecurityRequirement(schemes={'bearer': StringList()}))
    if flags.require_extension is not None:
        card.capabilities.extensions.append(
            AgentExtension(
                uri=flags.require_extension,
                description='Every message has to ask for it. It changes nothing.',
                required=True,
            )
        )
    if flags.offer_extension is not None:
        card.capabilities.extensions.append(
            AgentExtension(
                uri=flags.offer_extension,
                description='A message may ask for it. It changes nothing.',
            )
        )
    if flags.extended_card:
        card.capabilities.extended_agent_card = True
    return card


async def extended_for(card: AgentCard, context: ServerCallContext) -> AgentCard:
    """The card as one principal sees it."""
    extended = AgentCard()
    extended.CopyFrom(card)
    extended.skills.append(
        AgentSkill(
            id='lab-extended',
            name='Lab, extended',
            description=f'Seen by {context.user.user_name} alone.',
            tags=['plugfest', 'lab'],
            examples=['plugfest-echo hello'],
        )
    )
    return extended


def card_03(card: AgentCard) -> dict[str, Any]:
    """The card in its 0.3 form alone, without the 1.0 members that the SDK serves beside it."""
    return to_compat_agent_card(card).model_dump(mode='json', by_alias=True, exclude_none=True)
