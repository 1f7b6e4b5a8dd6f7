import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const unknown = { code: -32601, message: 'Method not found' };

/** Requests of the Model Context Protocol. Its notifications have names that begin with `notifications/`. */
const mcpMethods: ReadonlySet<string> = new Set([
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read'],
  ...['resources/templates/list', 'resources/subscribe', 'resources/unsubscribe'],
  ...['prompts/list', 'prompts/get', 'completion/complete', 'logging/setLevel'],
  ...['sampling/createMessage', 'roots/list', 'elicitation/create'],
]);

export default defineRule({
  id: 'GUIDE-014',
  level: 'INFO',
  party: 'client',
  summary: 'An A2A agent is not called by the methods of MCP.',
  spec: {
    '0.1': 'Guide: Common mistakes, 11',
    '0.2': 'Guide: Common mistakes, 11',
    '0.3': 'Guide: Common mistakes, 11',
    '1.0': 'Guide: Common mistakes, 11',
  },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { mcp: 'The client calls {method}, a method of MCP' },
  why: 'Both protocols speak JSON-RPC over HTTP, so only the error shows that the client took an agent for a tool server. One URL may serve both, so it is noted only.',
  fix: 'Send a message to the agent and let it choose its tools, or give the client the address of the MCP server.',
  examples: {
    good: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [[rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ method: 'tools/call', params: { name: 'search' }, error: unknown })],
        messages: ['mcp'],
      },
      {
        example: [rpc({ method: 'notifications/initialized', error: unknown })],
        messages: ['mcp'],
      },
    ],
  },
  when: ({ wireMethod }) => wireMethod !== undefined,
  check: ({ operation, wireMethod = '' }, { report }) => {
    if (operation !== undefined || !(mcpMethods.has(wireMethod) || wireMethod.startsWith('notifications/')))
      return;
    report('mcp', {
      data: { method: wireMethod },
      at: { side: 'request', pointer: '/method' },
      expected: 'a method of A2A',
      actual: wireMethod,
    });
  },
});
