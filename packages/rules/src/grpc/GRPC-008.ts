import { defineRule } from '@plugfest/verifier';
import { grpc, grpcError, v1 } from '@plugfest/verifier/examples';
import { isUndeclaredVersion } from '../ver/undeclared-version.ts';
import { elsewhere, faultless10 } from './calls.ts';

const get = { method: 'GetTask', request: { id: 'task-1' }, purpose: 'probe' } as const;

const serving = (version: string) =>
  grpc({ ...get, metadata: { 'a2a-version': version }, response: v1.task('WORKING') });

/** A version that no agent of 1.0 can have: its number is of days to come, or it is no number. */
const isImpossible = (version: string | undefined): boolean => {
  const text = version?.trim() ?? '';
  if (text === '') return false;
  const major = /^(\d{1,6})(?:\.\d{1,6}){0,2}$/.exec(text)?.[1];
  return major === undefined || Number(major) > 1;
};

export default defineRule({
  id: 'GRPC-008',
  level: 'SHOULD',
  party: 'server',
  summary: 'The agent looks at the a2a-version of the metadata before it serves a call.',
  spec: { '1.0': '10.2' },
  bindings: ['GRPC'],
  scope: 'exchange',
  messages: { served: 'The agent serves a call that asks for version {found}' },
  why: 'The client learns nothing of the mismatch: it reads answers by rules that the agent does not follow.',
  fix: 'Read a2a-version from the metadata and refuse versions that the card does not declare with VersionNotSupportedError.',
  examples: {
    good: [
      [
        grpcError({
          ...get,
          metadata: { 'a2a-version': '9.0' },
          status: 'FAILED_PRECONDITION',
          message: 'No version 9.0 here',
          details: [v1.errorInfo('VERSION_NOT_SUPPORTED')],
        }),
      ],
    ],
    skip: [
      faultless10.get,
      elsewhere,
      ...['1', '1.0.12'].map((version) => [serving(version)]),
      [
        grpcError({
          ...get,
          method: '/lf.a2a.v1.A2AService/Ask',
          metadata: { 'a2a-version': '9.0' },
          status: 'UNIMPLEMENTED',
        }),
      ],
    ],
    bad: [
      ...['9.0', '10.0', 'v1.0', '1.0-beta'].map((version) => ({
        example: [serving(version)],
        messages: ['served'] as const,
      })),
    ],
  },
  when: ({ operation, request, response }) =>
    operation !== undefined && isImpossible(request.a2aVersion) && response?.grpcStatus !== undefined,
  check: (exchange, { conversation, report }) => {
    const { request, response } = exchange;
    // Where the card was seen, VER-004 says it.
    if (response?.grpcStatus?.code === 0 && !isUndeclaredVersion(exchange, conversation))
      report('served', {
        data: { found: request.a2aVersion },
        at: { side: 'response' },
        expected: 'VersionNotSupportedError',
        actual: 'OK',
      });
  },
});
