import type { CallOptions, Dialect, DriveCall, DriveConfiguration, DriveResult } from '../driver/drive.ts';
import { type Check, Checks, ScenarioStopped } from '../scenario/checks.ts';
import type { Outgoing, RawAnswer, ScenarioContext } from '../scenario/context.ts';
import type { Scenario } from '../scenario/define.ts';
import type { Delivery } from '../webhook/delivery.ts';

/** A wait that long is somebody's patience. */
const longWaitMs = 10_000;

/** What stands behind the context of a scenario that is played without a lab. */
export interface Played {
  readonly call?: (call: DriveCall, options?: CallOptions) => Promise<DriveResult>;
  readonly request?: (
    operation: string,
    headers: Readonly<Record<string, string | undefined>>,
  ) => Partial<RawAnswer>;
  readonly dialect?: Dialect;
  readonly client?: string;
  readonly requiredExtensions?: readonly string[];
  readonly offeredExtensions?: readonly string[];
  /** Deliveries to each webhook that is asked for, in turn. */
  readonly deliveries?: readonly (readonly Partial<Delivery>[])[];
  readonly restart?: () => void;
  /** Further agents that the server calls, by name, as they answer Plugfest's own client. */
  readonly beyond?: Readonly<Record<string, (call: DriveCall) => Promise<DriveResult>>>;
}

/** Runs a scenario, and gives the names of the checks that failed. */
export async function failuresOf(scenario: Scenario, played: Played): Promise<readonly string[]> {
  return namesOf((await checksOf(scenario, played)).filter(({ level }) => level === undefined));
}

/** As `failuresOf`, for what is only recommended. */
export async function againstAdvice(scenario: Scenario, played: Played): Promise<readonly string[]> {
  return namesOf((await checksOf(scenario, played)).filter(({ level }) => level === 'SHOULD'));
}

const namesOf = (checks: readonly Check[]): readonly string[] =>
  checks.flatMap(({ name, ok }) => (ok ? [] : [name]));

async function checksOf(
  scenario: Scenario,
  {
    call,
    request,
    dialect = { binding: 'JSONRPC', version: '1.0' },
    deliveries = [],
    client = 'amber',
    requiredExtensions = [],
    offeredExtensions = [],
    restart,
    beyond = {},
  }: Played,
): Promise<readonly Check[]> {
  const checks = new Checks();
  let count = 0;
  const next = () => {
    count += 1;
    return `N${count}x`;
  };
  const calls = (options?: CallOptions, called = call) => {
    const make = async (one: DriveCall): Promise<DriveResult> => {
      if (!called) throw new Error(`${scenario.id} calls ${one.op}`);
      return called(one, options);
    };
    const settings = (configuration?: DriveConfiguration) => (configuration ? { configuration } : {});
    const message = (outgoing: Outgoing) => ({ messageId: next(), ...outgoing });
    return {
      call: make,
      send: (outgoing: Outgoing, configuration?: DriveConfiguration) =>
        make({ op: 'SendMessage', message: message(outgoing), ...settings(configuration) }),
      stream: (outgoing: Outgoing, configuration?: DriveConfiguration, stopAfterEvents?: number) =>
        make({
          op: 'SendStreamingMessage',
          message: message(outgoing),
          ...settings(configuration),
          ...(stopAfterEvents === undefined ? {} : { stopAfterEvents }),
        }),
    };
  };
  const hooks = deliveries.values();
  const context = {
    ...calls(),
    client,
    with: (options: CallOptions) => calls(options),
    probing: { ...calls(), with: (options: CallOptions) => calls(options) },
    beyond: Object.entries(beyond).map(([name, answers]) => ({
      ...{ name, dialects: [dialect], url: async () => `http://127.0.0.1:1/${name}` },
      tapDeliveries: async () => {},
      calls: async () => calls(undefined, answers),
    })),
    principals: ['alice', 'bob'],
    credentials: (name: string) => ({ authorization: `Bearer ${name}` }),
    dialect,
    offers: { dialects: [dialect], extendedCard: false, requiredExtensions, offeredExtensions },
    capabilities: { streaming: true, pushNotifications: true },
    random: { next: () => 0, hex: next },
    advise: (...args: Parameters<Checks['advise']>) => checks.advise(...args),
    check: (...args: Parameters<Checks['check']>) => checks.check(...args),
    require: (...args: Parameters<Checks['require']>) => checks.require(...args),
    nonce: next,
    messageId: next,
    // What is waited for comes at once, or not at all.
    sleep: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms > longWaitMs ? 50 : 0)),
    restart: async () => restart?.(),
    probe: {
      request: async (
        operation: string,
        _params: unknown,
        headers: Readonly<Record<string, string | undefined>> = {},
      ): Promise<RawAnswer> => ({
        ...{ status: 200, contentType: '', isError: false, ok: true, text: '', headers: {}, taskIds: [] },
        ...request?.(operation, headers),
      }),
    },
    webhook: async () => {
      const arrived = hooks.next().value ?? [];
      return {
        url: `http://127.0.0.1:1/${next()}`,
        deliveries: arrived,
        waitFor: async (matches: (delivery: Delivery) => boolean) =>
          arrived.find((delivery) => matches(delivery as Delivery)),
      };
    },
  };
  try {
    await scenario.run(context as unknown as ScenarioContext);
  } catch (error) {
    if (!(error instanceof ScenarioStopped)) throw error;
  }
  return checks.list;
}
