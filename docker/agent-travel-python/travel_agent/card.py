"""The agent cards."""

from __future__ import annotations

from a2a.types.a2a_pb2 import AgentCapabilities, AgentCard, AgentInterface, AgentSkill

from travel_agent.flags import HTTP_JSON, JSONRPC, Flags

PATHS = {JSONRPC: '/jsonrpc', HTTP_JSON: '/rest'}
_MEDIA_TYPES = ('application/json', 'text/plain')
_SKILLS = {
    'coordinator': AgentSkill(
        id='travel-coordination',
        name='Travel coordination',
        description='Plans a trip with the agents that it is given, and books what is picked of its options.',
        tags=['travel', 'coordination'],
        examples=['Plan a trip from Singapore to Helsinki. Do not buy anything yet.'],
    ),
    'expense': AgentSkill(
        id='expense-approval',
        name='Expense approval',
        description='Approves what a trip costs; tells of the end by push notification.',
        tags=['travel', 'expenses'],
        examples=['{"costCentre":"CC-7","amount":1920,"currency":"EUR"}'],
    ),
}


def build_card(flags: Flags, base_url: str, grpc_address: str) -> AgentCard:
    """The card, with one interface per binding."""
    skill = _SKILLS[flags.role]
    return AgentCard(
        name=flags.name,
        description=f'{skill.description} Prices and rules are made up.',
        version='0.1.0',
        supported_interfaces=[
            AgentInterface(
                url=base_url + PATHS[binding] if binding in PATHS else grpc_address,
                protocol_binding=binding,
                protocol_version='1.0',
            )
            for binding in flags.bindings
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=True),
        default_input_modes=_MEDIA_TYPES,
        default_output_modes=_MEDIA_TYPES,
        skills=[skill],
    )
