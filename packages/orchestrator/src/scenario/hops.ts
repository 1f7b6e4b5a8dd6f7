import type { BypassObservation, Cell, ExchangeSummary } from '@plugfest/model';
import type { Check } from './checks.ts';
import type { Hop, Role, Scenario } from './define.ts';

/** What the capture says about one cell's declared hops. */
export interface HopVerdict {
  readonly checks: readonly Check[];
  readonly bypass: readonly BypassObservation[];
}

/**
 * Compares the hops that a scenario declares with the exchanges of its cell. A hop without traffic means that it
 * went past the proxy, for the scenario itself saw its effect: ask this only of cells that went well.
 */
export function checkHops(cell: Cell, scenario: Scenario, summaries: Iterable<ExchangeSummary>): HopVerdict {
  const own = [...summaries].filter((summary) => summary.cell === cell.id);
  const checks: Check[] = [];
  const bypass: BypassObservation[] = [];
  for (const hop of scenario.hops) {
    if (hop.whenTold && !wasTold(participant(hop.from, cell), cell, own)) continue;
    const seen = own.filter((summary) => crosses(summary, hop, cell)).length;
    const name = `the capture has ${hopText(hop, cell)}`;
    if (seen >= hop.min) {
      checks.push({ name, ok: true });
      continue;
    }
    const detail = `${seen} of at least ${hop.min} went through the proxy`;
    checks.push({ name, ok: false, detail });
    const agent = hop.to === 'webhook' ? participant(hop.from, cell) : participant(hop.to, cell);
    bypass.push({ agent, method: 'hop', detail: `${hopText(hop, cell)}: ${detail}.`, cell: cell.id });
  }
  if (scenario.mixed) return { checks, bypass };
  const strays = new Set(
    own
      .filter((summary) => wrongDialect(summary, cell))
      .map(({ binding, version }) => `${binding} ${version}`),
  );
  const asked = `${cell.binding} ${cell.version}`;
  const name = `every call from ${cell.client} to ${cell.server} is ${asked}`;
  checks.push(
    strays.size === 0
      ? { name, ok: true }
      : { name, ok: false, detail: `there were ${[...strays].join(', ')}` },
  );
  return { checks, bypass };
}

/** Plugfest called an agent that is not the one it is the client of: to tell it what to do. */
function wasTold(agent: string, cell: Cell, own: readonly ExchangeSummary[]): boolean {
  return (
    cell.client !== 'plugfest' &&
    own.some(({ caller, callee, kind }) => caller === 'plugfest' && callee === agent && kind === 'operation')
  );
}

function crosses(summary: ExchangeSummary, hop: Hop, cell: Cell): boolean {
  if (!plays(summary.caller, hop.from, cell) || !plays(summary.callee, hop.to, cell)) return false;
  if (hop.to === 'webhook' || hop.operation === 'delivery') return summary.edgeKind === 'webhook';
  if (summary.edgeKind === 'webhook') return false;
  if (hop.operation === undefined) return true;
  return hop.operation === 'card' ? summary.kind === 'card' : summary.operation === hop.operation;
}

function wrongDialect(summary: ExchangeSummary, cell: Cell): boolean {
  return (
    summary.edgeKind === 'a2a' &&
    summary.kind === 'operation' &&
    summary.operation !== undefined &&
    summary.caller === cell.client &&
    summary.callee === cell.server &&
    (summary.binding !== cell.binding || summary.version !== cell.version)
  );
}

function plays(name: string, role: Role, cell: Cell): boolean {
  if (role === 'other') return ![cell.client, cell.server, 'plugfest'].includes(name);
  return name === participant(role, cell);
}

function participant(role: Role, cell: Cell): string {
  if (role === 'client') return cell.client;
  if (role === 'other') return 'another agent';
  return role === 'server' ? cell.server : 'plugfest';
}

function hopText(hop: Hop, cell: Cell): string {
  const what = hop.to === 'webhook' ? 'webhook delivery' : (hop.operation ?? 'call');
  const to = hop.to === 'webhook' ? 'the webhook' : participant(hop.to, cell);
  return `${what} from ${participant(hop.from, cell)} to ${to}`;
}
