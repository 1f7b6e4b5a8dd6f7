import type { ErrorView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';
import { refusalOf } from '../refusal.ts';

const get = {
  method: 'GetTask',
  params: { id: 'task-1' },
  headers: { 'A2A-Version': '2.0' },
  purpose: 'probe',
} as const;
const info = (metadata = {}) => v1.errorInfo('VERSION_NOT_SUPPORTED', { metadata });
const supported = info({ supportedVersions: '0.3, 1.0' });

/** The versions that an error names, wherever it does: neither member nor wording is laid down. */
function namedVersions({ value }: ErrorView, asked: string | undefined): readonly string[] {
  const found = JSON.stringify(value).match(/\b\d{1,2}\.\d{1,2}\b/g) ?? [];
  return found.filter((version) => majorMinor(version) !== majorMinor(asked));
}

export default defineRule({
  id: 'VER-008',
  level: 'INFO',
  party: 'server',
  summary: 'An agent that refuses a version may say which ones it supports.',
  spec: { '1.0': '6.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: { silent: 'The version {asked} is refused, and the error names none that is supported' },
  why: 'It may, and need not: but where it does the client can call again at once, without the card.',
  fix: 'List the supported versions in the message, or in the metadata of the ErrorInfo.',
  examples: {
    good: [
      [rpc({ ...get, error: { code: -32009, message: 'Version not supported', data: [supported] } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: get.headers,
          purpose: 'probe',
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'Supported: 1.0', [info()]),
        }),
      ],
    ],
    skip: [[rpc({ ...get, headers: {}, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ ...get, error: { code: -32009, message: 'Version not supported', data: [info()] } })],
        messages: ['silent'],
      },
    ],
  },
  when: (exchange) => refusalOf(exchange)?.name === 'VersionNotSupportedError',
  check: (exchange, { report }) => {
    const error = refusalOf(exchange);
    const asked = exchange.request.a2aVersion;
    if (error === undefined || namedVersions(error, asked).length > 0) return;
    report('silent', {
      data: { asked },
      at: { side: 'response', pointer: error.pointer },
      expected: 'the supported versions',
      actual: error.message,
    });
  },
});
