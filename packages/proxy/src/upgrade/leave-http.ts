import type { Side } from '@plugfest/model';
import type { ClientSide } from '../client-side.ts';
import type { ExchangeRecord } from '../exchange-record.ts';
import type { ExchangeFaults } from '../faults/exchange-faults.ts';
import type { Flow } from '../faults/fault.ts';
import { forwardHead } from '../forwarded-head.ts';
import type { ClientUpgrade } from '../inbound-request.ts';
import { sentReason } from '../sent-reason.ts';
import type { UpstreamCall, UpstreamFailure } from '../upstream/upstream.ts';
import { Tunnel, type TunnelEnd, type TunnelObserver } from './tunnel.ts';
import { WaitingCallee } from './waiting-callee.ts';

/** The head with which a callee agrees to another protocol, and its connection from there on. */
export interface AgreedUpgrade {
  readonly status: number;
  readonly reason: string;
  readonly httpVersion: string;
  /** As received. */
  readonly headers: string[];
  readonly callee: TunnelEnd;
}

/** The exchange that leaves HTTP. */
export interface UpgradeHost extends TunnelObserver {
  readonly ended: boolean;
  readonly client: ClientSide;
  /** Undefined where no fault may act on it. */
  readonly faults: ExchangeFaults | undefined;
  /** The callee is reached by this from now on. */
  onSent(call: UpstreamCall): void;
  /** The same, once both sides have left HTTP; told before any of their bytes. */
  onTunnel(tunnel: Tunnel): void;
  /** The callee left before its client had been told. */
  onFailure(failure: UpstreamFailure): void;
}

/** Both sides leave HTTP with the callee's head; if there are faults, then through them. */
export function leaveHttp(
  host: UpgradeHost,
  record: ExchangeRecord,
  client: ClientUpgrade,
  { callee, ...received }: AgreedUpgrade,
): void {
  const { status } = received;
  const { headers, changes } = forwardHead(received.headers, { side: 'response', keepsUpgrade: true });
  record.responseHead(received, changes.length === 0 ? undefined : { headers, changes });
  let tunnel: Tunnel | undefined;
  const establish = (flows?: Readonly<Record<Side, Flow>>): void => {
    let head = `HTTP/1.1 ${status} ${sentReason(received.reason)}\r\n`;
    for (let i = 0; i + 1 < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    tunnel = new Tunnel(client.switchTo(`${head}\r\n`), callee, host);
    host.onTunnel(tunnel);
    tunnel.start(flows);
  };
  const { faults } = host;
  if (faults === undefined) {
    establish();
    return;
  }
  const waiting = new WaitingCallee(callee.socket, () => {
    if (tunnel === undefined) host.onFailure({ kind: 'closed', detail: 'other side closed' });
  });
  host.onSent(waiting);
  const sink = (side: Side): Flow => ({
    head: () => {
      if (side === 'response' && !host.ended) establish(flows);
    },
    data: (bytes) => tunnel?.write(side, bytes),
    end: () => tunnel?.endSide(side),
    cut: (reset) => {
      if (tunnel === undefined) host.client.cut(reset);
      else tunnel.cut(reset);
    },
  });
  const head = { status, headers, shown: undefined };
  const flows = faults.upgrade(head, { request: sink('request'), response: sink('response') });
  flows.response.head();
}
