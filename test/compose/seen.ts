import { checkCard, readJwkSet } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { captureRows } from '../e2e/capture-rows.ts';

/** What a capture of containers shows, asked by SQL. */
export interface Seen {
  /** Exchanges by `caller>callee`, of calls between agents. */
  readonly edges: ReadonlyMap<string, number>;
  /** Bodies between agents that the proxy altered, `exchange place`. */
  readonly altered: readonly string[];
  /** Each card that an agent fetched from another, with the signatures that did not verify. */
  readonly cards: readonly SeenCard[];
}

export interface SeenCard {
  readonly caller: string;
  readonly callee: string;
  /** Whether it has signatures, and all verify by the agent's own key. */
  readonly intact: boolean;
  readonly signatures: readonly string[];
}

interface Row {
  readonly caller: string;
  readonly callee: string;
  readonly body: string;
}

const between = `caller IN (SELECT name FROM participants WHERE kind = 'agent')
  AND callee IN (SELECT name FROM participants WHERE kind = 'agent')`;

export async function seenIn(capture: string): Promise<Seen> {
  const edges = captureRows<{ pair: string; exchanges: number }>(
    capture,
    `SELECT caller || '>' || callee AS pair, count(*) AS exchanges FROM exchanges
     WHERE ${between} AND method = 'POST' GROUP BY 1`,
  );
  const altered = captureRows<{ what: string }>(
    capture,
    `SELECT e.id || ' ' || c.place || ' ' || coalesce(c.location, '') AS what FROM changes c JOIN exchanges e ON e.seq = c.exchange
     WHERE ${between} AND c.place = 'body'`,
  );
  const bodies = (where: string) =>
    captureRows<Row>(
      capture,
      `SELECT e.caller, e.callee, t.body FROM exchanges e JOIN texts t ON t.seq = e.seq AND t.side = 'response'
       WHERE e.method = 'GET' AND e.status = 200 AND ${where}`,
    );
  const keys = new Map(
    bodies(`e.target LIKE '%/jwks.json'`).map(({ callee, body }) => [callee, parsed(body)]),
  );
  return {
    edges: new Map(edges.map(({ pair, exchanges }) => [pair, exchanges])),
    altered: altered.map(({ what }) => what),
    cards: bodies(`${between} AND e.target LIKE '%/.well-known/agent-card.json'`).map((row) =>
      seenCard(row, keys.get(row.callee)),
    ),
  };
}

function seenCard({ caller, callee, body }: Row, keySet: Json | undefined): SeenCard {
  const card = parsed(body);
  const candidates = (readJwkSet(keySet) ?? []).map((key) => ({ key, certain: true }));
  const checked = isJsonObject(card) ? checkCard(card, () => candidates) : [];
  return {
    caller,
    callee,
    // An SDK may sign another form than the specification's canonical one; that the bytes are intact shows in any.
    intact: checked.length > 0 && checked.every(({ form }) => form !== undefined),
    signatures: checked.map(({ status }) => status),
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
