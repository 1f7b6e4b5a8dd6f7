import { expect, test } from 'vitest';
import type { StartedAgent } from '../agents/start.ts';
import type { Address } from '../client/raw-client.ts';
import { CardElsewhere } from '../driver/drive.ts';
import { resolverUrl } from './taps.ts';

const urlOf = (cardPath: string, basePath = ''): string =>
  resolverUrl(
    { origin: 'http://127.0.0.1:1' } as Address,
    { name: 'oldtimer', cardPath, basePath } as StartedAgent,
  );

test('a resolver is given what stands before the well-known path', () => {
  expect(urlOf('/.well-known/agent-card.json')).toBe('http://127.0.0.1:1');
  expect(urlOf('/base/.well-known/agent-card.json?x=1', '/base')).toBe('http://127.0.0.1:1/base');
});

test('a card that is elsewhere is told as that, and not as something that the client did', () => {
  expect(() => urlOf('/.well-known/agent.json')).toThrow(CardElsewhere);
  expect(() => urlOf('/.well-known/agent.json')).toThrow(
    expect.objectContaining({
      message:
        "oldtimer has its card at /.well-known/agent.json, where an SDK's resolver does not look for it",
      check: "the server's card is at the path where an SDK's resolver looks for it",
    }),
  );
});
