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
    kinds: ['go'],
    dialects: /^HTTP\+JSON 0\.3$/,
    titles: /^(?!drive: its own)/,
    reason: 'a2a-go 2.3.1 serves HTTP+JSON of 0.3 without the /v1 of the specification',
  },
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
    kinds: ['python', 'python-03', 'java'],
    dialects: /^(?:HTTP\+JSON|GRPC) 0\.3$/,
    titles: /^tck-(?:stream-)?artifact-file(?:-url)? in /,
    reason: "the SDK writes base64 text into the proto's bytes of 0.3, and loses media types",
  },
  {
    kinds: ['go', 'go-03'],
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
];

/** How often a test may be tried again, of SDKs that now and then do something else under load. */
export const unsteady: Readonly<Record<string, number>> = {
  // a2a-java-sdk 1.2.0: cancels of running tasks are refused, blocking sends come back SUBMITTED.
  java: 3,
};
