/** Where an SDK does not let its agent do what the contract says. Each is in docs/sdk-findings.md. */
export interface Deviation {
  readonly kinds: readonly string[];
  /** `BINDING VERSION`; empty for what is of no dialect. */
  readonly dialects: RegExp;
  /** Of the tests that have to fail. */
  readonly titles: RegExp;
  readonly reason: string;
}

export const deviations: readonly Deviation[] = [
  {
    kinds: ['go', 'go-03'],
    dialects: /./,
    titles: /^drive: a refusal is a result$/,
    reason: 'a2a-go copies what agents say by encoding/gob, which makes null of an empty list',
  },
  {
    kinds: ['go', 'java'],
    dialects: /./,
    titles: /^a follow-up resumes tck-auth-required/,
    reason: 'the SDK takes no message at auth-required, or answers it at once',
  },
  {
    kinds: ['python', 'python-03', 'java', 'go'],
    dialects: /^(?:HTTP\+JSON|GRPC) 0\.3$/,
    titles: /^tck-(?:stream-)?artifact-file(?:-url)? in |the outputs of steps are joined/,
    reason: "the SDK reads and writes base64 text in the proto's bytes of 0.3, and loses media types",
  },
  {
    kinds: ['go-03'],
    dialects: /^GRPC 0\.3$/,
    titles: /^tck-(?:stream-)?artifact-file(?:-url)? in /,
    reason: "the SDK writes base64 text into the proto's bytes of 0.3, and loses media types",
  },
  {
    kinds: ['python-03'],
    dialects: /^$/,
    titles: /^the card verifies/,
    reason: 'a2a-sdk 0.3.26 signs the card without its members that have the default value',
  },
  {
    kinds: ['go-03'],
    dialects: /^$/,
    titles: /^takes a held task over /,
    reason:
      'a subscription of a2a-go 0.3.15 does not begin with the Task, so that what was said before is not heard',
  },
  {
    kinds: ['rust'],
    dialects: /./,
    titles: /^plugfest-modes answers in the first accepted mode/,
    reason: 'acceptedOutputModes never reaches an executor of a2a-server-lf 0.5.3',
  },
  {
    kinds: ['js-03', 'python-03', 'go-03'],
    dialects: /./,
    titles: /a task is its owner's alone$/,
    reason: 'the SDK has no owners of tasks',
  },
  {
    kinds: ['js-03', 'python-03'],
    dialects: /./,
    titles: /^a webhook is called with its credentials$/,
    reason: 'the SDK sends webhooks without the registered credentials',
  },
  {
    kinds: ['js-03'],
    dialects: /^HTTP\+JSON 0\.3$/,
    titles: /^push configs are made/,
    reason:
      "the SDK's server takes a push config only with a `config` around it, which its client does not send",
  },
];

/** How often a test may be tried again, of SDKs that now and then do something else under load. */
export interface Unsteady {
  readonly kind: string;
  readonly titles: RegExp;
  readonly retries: number;
}

export const unsteady: readonly Unsteady[] = [
  // a2a-java-sdk 1.2.0: cancels of running tasks are refused, blocking sends come back SUBMITTED.
  { kind: 'java', titles: /./, retries: 3 },
  // a2a-sdk 0.3.26 answers at auth-required before its queue is closed, and meets a follow-up that comes then with 500.
  { kind: 'python-03', titles: /^a follow-up resumes tck-auth-required/, retries: 6 },
];
