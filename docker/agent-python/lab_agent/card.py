"""The agent card."""

from __future__ import annotations

from typing import Any

from a2a.compat.v0_3.conversions import to_compat_agent_card
from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill

from lab_agent.flags import HTTP_JSON, JSONRPC, Flags
from lab_agent.itk import MEDIA_TYPE as INSTRUCTION

PATHS = {JSONRPC: '/jsonrpc', HTTP_JSON: '/rest'}
MEDIA_TYPES = ('text/plain', 'application/json')


def build_card(flags: Flags, base_url: str) -> AgentCard:
    """The card, with one interface per (binding, version) on offer."""
    only_03 = flags.versions == ('0.3',)
    return AgentCard(
        name=flags.name,
        description='Plugfest lab agent on the official Python SDK. It does what a message tells it to do.',
        version='1.0.0',
        supported_interfaces=[
            AgentInterface(
                url=base_url + PATHS[binding],
                protocol_binding=binding,
                # A 0.3 card carries a full version, a 1.0 interface carries major and minor.
                protocol_version='0.3.0' if only_03 else version,
            )
            for version in flags.versions
            for binding in PATHS
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


def card_03(card: AgentCard) -> dict[str, Any]:
    """The card in its 0.3 form alone, without the 1.0 members that the SDK serves beside it."""
    return to_compat_agent_card(card).model_dump(mode='json', by_alias=True, exclude_none=True)
