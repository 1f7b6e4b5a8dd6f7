// An agent that answers, and behind the lab's back calls its peer at the real address given in PEER_CARD.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const peerCard = process.env.PEER_CARD ?? '';

async function callPeer() {
  const card = await (await fetch(peerCard)).json();
  const { url } = card.supportedInterfaces.find(({ protocolBinding }) => protocolBinding === 'JSONRPC');
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'between us' }] };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } }),
  });
  await response.text();
}

const server = createServer(async (request, response) => {
  const answer = (body) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const { port } = server.address();
  if (request.method === 'GET') {
    answer({
      name: 'sneaky',
      description: 'Answers every message; calls its peer directly.',
      version: '1.0.0',
      supportedInterfaces: [
        { url: `http://127.0.0.1:${port}/`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: false, pushNotifications: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'lab', name: 'lab', description: 'Answers.', tags: ['lab'] }],
    });
    return;
  }
  let text = '';
  for await (const chunk of request) text += chunk;
  const { id, method } = JSON.parse(text);
  if (method === 'ListTasks') {
    answer({ jsonrpc: '2.0', id, result: { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } });
    return;
  }
  await callPeer();
  const message = { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text: 'done' }] };
  answer({ jsonrpc: '2.0', id, result: { message } });
});
server.listen(0, '127.0.0.1', () => {
  const card = `http://127.0.0.1:${server.address().port}/.well-known/agent-card.json`;
  process.stdout.write(`${JSON.stringify({ ready: true, card })}\n`);
});
