import { exchangeId, type Finding, type OmittedFindings } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import type { Relay } from './conversation/messages.ts';
import { withGateways, withNamedGateway } from './gateway-blame.ts';

const [first, second] = [exchangeId('x1'), exchangeId('x2')];
const relay: Relay = { gateway: 'middle', first, second };
const relayOf = (exchange: string) => (exchange === first || exchange === second ? relay : undefined);

const finding = (more: Partial<Finding> = {}): Finding => ({
  ...{ rule: 'TEST-001', level: 'MUST', outcome: 'fail', party: 'client', agent: 'middle', message: 'wrong' },
  spec: { version: '1.0', section: '1' },
  exchange: second,
  ...more,
});
const onFirst = (more: Partial<Finding> = {}) => finding({ exchange: first, agent: 'client', ...more });

const blamed = (findings: readonly Finding[], ...names: readonly string[]) =>
  withGateways(findings, { named: names.length === 0 ? undefined : new Set(names), relayOf }).map(
    ({ party, agent }) => `${party} ${agent}`,
  );

describe('a finding against a gateway', () => {
  it("is its own where it is on one hop only, as the client's server and as the server's client", () => {
    expect(blamed([finding()])).toEqual(['gateway middle']);
    expect(blamed([onFirst({ party: 'server', agent: 'middle' })])).toEqual(['gateway middle']);
    expect(blamed([finding({ party: 'server', agent: 'agent' }), onFirst()])).toEqual([
      'server agent',
      'client client',
    ]);
  });

  it('stays with whoever made what shows on both hops', () => {
    expect(blamed([onFirst(), finding()])).toEqual(['client client', 'client client']);
    const fromServer = [
      onFirst({ party: 'server', agent: 'middle' }),
      finding({ party: 'server', agent: 'agent' }),
    ];
    expect(blamed(fromServer)).toEqual(['server agent', 'server agent']);
  });

  it.each([
    ['another rule', { rule: 'TEST-002' }],
    ['another message', { message: 'also wrong' }],
    ['another side', { at: { side: 'response', event: 1, pointer: '/a' } }],
    ['another event', { at: { side: 'request', event: 2, pointer: '/a' } }],
    ['another place', { at: { side: 'request', event: 1, pointer: '/b' } }],
    ['another party', { party: 'server' }],
  ] as const)('is its own where the other hop shows %s', (_, more: Partial<Finding>) => {
    const at = { side: 'request', event: 1, pointer: '/a' } as const;
    expect(blamed([onFirst({ at, ...more }), finding({ at })])[1]).toBe('gateway middle');
    expect(blamed([onFirst({ at }), finding({ at })])[1]).toBe('client client');
  });

  it('is its own where both hops have it against the gateway', () => {
    expect(blamed([onFirst({ agent: 'middle' }), finding()])).toEqual(['gateway middle', 'gateway middle']);
  });

  it('is told by the traffic, or by the capture that names it', () => {
    const elsewhere = finding({ exchange: exchangeId('x9') });
    expect(blamed([elsewhere])).toEqual(['client middle']);
    expect(blamed([elsewhere], 'middle')).toEqual(['gateway middle']);
    expect(blamed([elsewhere], 'another')).toEqual(['client middle']);
  });

  it('is of an end of an exchange only', () => {
    const others = (['webhook-sender', 'webhook-receiver', 'harness'] as const).map((party) =>
      finding({ party }),
    );
    expect(blamed(others, 'middle')).toEqual([
      'webhook-sender middle',
      'webhook-receiver middle',
      'harness middle',
    ]);
  });

  it('that is counted only is told by its name', () => {
    const { rule, level, outcome, party, agent } = finding();
    const group: OmittedFindings = { rule, level, outcome, party, agent, count: 7 };
    const partyOf = (more: Partial<OmittedFindings>, ...names: readonly string[]) =>
      withNamedGateway({ ...group, ...more }, { named: new Set(names) });
    expect(partyOf({}, 'middle')).toEqual({ ...group, party: 'gateway' });
    expect(partyOf({ party: 'server' }, 'middle').party).toBe('gateway');
    expect(partyOf({ party: 'harness' }, 'middle').party).toBe('harness');
    expect(partyOf({}, 'another')).toEqual(group);
    expect(withNamedGateway(group, { named: undefined })).toBe(group);
  });
});
