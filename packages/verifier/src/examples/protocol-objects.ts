import type { Json, JsonObject } from '@plugfest/model';

/**
 * Protocol objects for examples: complete and conforming as they are, so that a rule's example shows one fault
 * only. Members given in `more` replace or add; a member given as `undefined` is left out.
 */
export type More = Readonly<Record<string, Json | undefined>>;

function withMore(base: JsonObject, more: More): JsonObject {
  const merged: Record<string, Json> = { ...base };
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

const secondOf: Readonly<Record<string, number>> = {
  SUBMITTED: 1,
  WORKING: 2,
  INPUT_REQUIRED: 3,
  AUTH_REQUIRED: 3,
};

/** Status timestamps rise with the state, so that examples never go back in time. */
function timestampOf(state: string): string {
  return `2026-01-01T00:00:0${secondOf[state] ?? 9}.000Z`;
}

/** A2A 1.0 objects. States are given without prefix: `'WORKING'`. */
export const v1 = {
  /** A user's message; its id is made from the text, so two texts make two messages. */
  message(text: string, more: More = {}): JsonObject {
    return withMore({ messageId: `m-${slug(text)}`, role: 'ROLE_USER', parts: [{ text }] }, more);
  },
  /** An agent's message, as a direct reply or in a status. */
  reply(text: string, more: More = {}): JsonObject {
    return withMore(
      { messageId: `r-${slug(text)}`, contextId: 'ctx-1', role: 'ROLE_AGENT', parts: [{ text }] },
      more,
    );
  },
  status(state: string, more: More = {}): JsonObject {
    const question =
      state === 'INPUT_REQUIRED' || state === 'AUTH_REQUIRED'
        ? { message: v1.reply('What is needed?', { taskId: 'task-1' }) }
        : {};
    return withMore({ state: `TASK_STATE_${state}`, timestamp: timestampOf(state), ...question }, more);
  },
  task(state: string, more: More = {}): JsonObject {
    const output = state === 'COMPLETED' ? { artifacts: [v1.artifact('answer')] } : {};
    return withMore({ id: 'task-1', contextId: 'ctx-1', status: v1.status(state), ...output }, more);
  },
  artifact(text: string, more: More = {}): JsonObject {
    return withMore({ artifactId: 'artifact-1', name: 'out', parts: [{ text }] }, more);
  },
  statusUpdate(state: string, more: More = {}): JsonObject {
    return {
      statusUpdate: withMore({ taskId: 'task-1', contextId: 'ctx-1', status: v1.status(state) }, more),
    };
  },
  artifactUpdate(text: string, more: More = {}): JsonObject {
    return {
      artifactUpdate: withMore(
        { taskId: 'task-1', contextId: 'ctx-1', artifact: v1.artifact(text), lastChunk: true },
        more,
      ),
    };
  },
  pushConfig(more: More = {}): JsonObject {
    return withMore(
      {
        taskId: 'task-1',
        url: 'https://hook.example/push',
        token: 'token-1',
        authentication: { scheme: 'Bearer', credentials: 'cred-1' },
      },
      more,
    );
  },
  /** Error details of an A2A error: `reason` is the UPPER_SNAKE name. */
  errorInfo(reason: string, more: More = {}): JsonObject {
    return withMore(
      { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
      more,
    );
  },
  card(more: More = {}): JsonObject {
    return withMore(
      {
        name: 'Example agent',
        description: 'Answers questions',
        supportedInterfaces: [
          { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        ],
        version: '1.2.3',
        capabilities: { streaming: true, pushNotifications: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain', 'application/json'],
        skills: [{ id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] }],
      },
      more,
    );
  },
} as const;

/** A2A 0.3 objects. States are given as on the wire: `'input-required'`. */
export const v03 = {
  message(text: string, more: More = {}): JsonObject {
    return withMore(
      { kind: 'message', messageId: `m-${slug(text)}`, role: 'user', parts: [{ kind: 'text', text }] },
      more,
    );
  },
  reply(text: string, more: More = {}): JsonObject {
    return withMore(
      {
        kind: 'message',
        messageId: `r-${slug(text)}`,
        contextId: 'ctx-1',
        role: 'agent',
        parts: [{ kind: 'text', text }],
      },
      more,
    );
  },
  status(state: string, more: More = {}): JsonObject {
    const question =
      state === 'input-required' || state === 'auth-required'
        ? { message: v03.reply('What is needed?', { taskId: 'task-1' }) }
        : {};
    const upper = state.toUpperCase().replace('-', '_');
    return withMore({ state, timestamp: timestampOf(upper), ...question }, more);
  },
  task(state: string, more: More = {}): JsonObject {
    const output = state === 'completed' ? { artifacts: [v03.artifact('answer')] } : {};
    return withMore(
      { kind: 'task', id: 'task-1', contextId: 'ctx-1', status: v03.status(state), ...output },
      more,
    );
  },
  artifact(text: string, more: More = {}): JsonObject {
    return withMore({ artifactId: 'artifact-1', name: 'out', parts: [{ kind: 'text', text }] }, more);
  },
  statusUpdate(state: string, more: More = {}): JsonObject {
    const final = ['completed', 'failed', 'canceled', 'rejected', 'input-required'].includes(state);
    return withMore(
      { kind: 'status-update', taskId: 'task-1', contextId: 'ctx-1', status: v03.status(state), final },
      more,
    );
  },
  artifactUpdate(text: string, more: More = {}): JsonObject {
    return withMore(
      {
        kind: 'artifact-update',
        taskId: 'task-1',
        contextId: 'ctx-1',
        artifact: v03.artifact(text),
        lastChunk: true,
      },
      more,
    );
  },
  pushConfig(more: More = {}): JsonObject {
    return withMore(
      {
        url: 'https://hook.example/push',
        token: 'token-1',
        authentication: { schemes: ['Bearer'], credentials: 'cred-1' },
      },
      more,
    );
  },
  card(more: More = {}): JsonObject {
    return withMore(
      {
        protocolVersion: '0.3.0',
        name: 'Example agent',
        description: 'Answers questions',
        url: 'https://agent.example/a2a',
        preferredTransport: 'JSONRPC',
        additionalInterfaces: [{ url: 'https://agent.example/a2a', transport: 'JSONRPC' }],
        version: '1.2.3',
        capabilities: { streaming: true, pushNotifications: true },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain', 'application/json'],
        skills: [{ id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] }],
      },
      more,
    );
  },
} as const;

function slug(text: string): string {
  return (
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '') || 'empty'
  );
}
