"""Who may call, and by which bearer token: the environment variable LAB_AGENT_TOKENS."""

from __future__ import annotations

from dataclasses import dataclass, field


class BadPrincipals(Exception):
    """The variable cannot be read. The message holds no token."""


@dataclass(frozen=True)
class Principals:
    """Names and their tokens. False when there are none."""

    _tokens: dict[str, str] = field(default_factory=dict, repr=False)

    @staticmethod
    def parse(text: str) -> Principals:
        """Reads `alice=TOKEN,bob=TOKEN`; raises `BadPrincipals`."""
        tokens: dict[str, str] = {}
        for number, entry in enumerate(filter(None, text.split(',')), start=1):
            name, _, token = entry.strip().partition('=')
            if not name or not token:
                raise BadPrincipals(f'entry {number} is not NAME=TOKEN')
            if name in tokens or token in tokens.values():
                raise BadPrincipals(f'entry {number} repeats a name or a token')
            tokens[name] = token
        return Principals(tokens)

    def __bool__(self) -> bool:
        return bool(self._tokens)

    def named_by(self, authorization: str | None) -> str | None:
        """The principal of an Authorization header; none for another scheme or an unknown token."""
        scheme, _, token = (authorization or '').partition(' ')
        if scheme.lower() != 'bearer':
            return None
        return next((name for name, known in self._tokens.items() if known == token.strip()), None)

    def token_of(self, name: str) -> str | None:
        return self._tokens.get(name)
