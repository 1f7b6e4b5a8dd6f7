"""A mock agent of Counterpart, its cooperative persona."""

import json
import signal

from counterpart import MockAgent

with MockAgent('cooperative').serve() as base:
    print(json.dumps({'ready': True, 'card': f'{base}/.well-known/agent-card.json'}), flush=True)
    signal.pause()
