import { describe, expect, it } from 'vitest';
import { isLabHost, isLoopback, isPrivateAddress } from './lab-host.ts';

describe('a host of a lab', () => {
  it.each([
    ...['agent', 'agent.localhost', 'Agent.Local', 'wiki.internal', 'agent.test', 'nas.lan', 'nas.home.arpa'],
    ...['10.1.2.3', '[fd00::1]', '[FE80::1]'],
  ])('is %s', (host) => {
    expect(isLabHost(host)).toBe(true);
  });

  it.each(['agent.example', 'test.example', 'localhost.example', '93.184.216.34', '[2001:db8::1]'])(
    'is not %s',
    (host) => {
      expect(isLabHost(host)).toBe(false);
    },
  );
});

describe('the machine itself', () => {
  it.each(['localhost', 'LocalHost', 'agent.localhost', '127.0.0.1', '127.255.255.255', '::1', '[::1]'])(
    'is %s',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['localhost.example', '10.0.0.1', '1.127.0.0.1', '127.0.0.1.example', '[::2]'])(
    'is not %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('an address of a private network', () => {
  it.each([
    ...['0.0.0.0', '10.0.0.1', '127.0.0.1', '169.254.1.1', '172.16.0.1', '172.31.0.1', '192.168.1.1'],
    ...['::', '[::]', '::1', 'fc00::1', 'fd12::1', 'fe80::1', 'FEBF::1'],
  ])('is %s', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  it.each([
    ...['1.0.0.1', '11.0.0.1', '169.253.1.1', '170.254.1.1', '172.15.0.1', '172.32.0.1', '173.16.0.1'],
    ...['192.167.1.1', '193.168.1.1', '2001:db8::1', 'fec0::1', 'ab::fd', 'agent', '10.0.0'],
  ])('is not %s', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });
});
