"""Sends one task with FastA2A's own client and reads it: `call.py http://127.0.0.1:PORT`."""

import asyncio
import sys
import uuid

from fasta2a.client import A2AClient
from fasta2a.schema import Message, TextPart


async def call(url: str) -> None:
    client = A2AClient(url)
    message = Message(role='user', parts=[TextPart(type='text', text='hello')])
    sent = await client.send_task(message=message, history_length=2, metadata={'call': str(uuid.uuid4())})
    print(sent)
    await asyncio.sleep(0.5)
    print(await client.get_task(task_id=sent['result']['id']))
    await client.http_client.aclose()


asyncio.run(call(sys.argv[1]))
