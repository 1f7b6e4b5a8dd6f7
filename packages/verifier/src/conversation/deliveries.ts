import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, webhookKey } from '@plugfest/model';
import { ColdList } from '../cold/cold-list.ts';
import type { Warmth } from '../cold/cold-map.ts';
import type { Delivery, ExchangeRef } from '../subjects.ts';
import { calledWebhookKey, webhookHost } from '../webhook-url.ts';
import { taskIdOf } from './payload-task.ts';

/** Longest start of a body, and most members of one, that a finding may show. */
const keptText = 256;
const keptMembers = 32;

/** Push deliveries, without their bodies. */
export class Deliveries {
  readonly #all: ColdList<Delivery>;
  readonly #hosts = new Set<string>();

  constructor(warmth?: Warmth) {
    this.#all = new ColdList(warmth);
  }

  all(): Iterable<Delivery> {
    return this.#all;
  }

  add(exchange: DecodedExchange, ref: ExchangeRef): Delivery {
    const delivery = deliveryOf(exchange, ref);
    this.#all.push(delivery);
    this.#hosts.add(webhookHost(delivery.webhook));
    return delivery;
  }

  reached(url: string): boolean {
    return this.#hosts.has(webhookHost(webhookKey(url)));
  }
}

function deliveryOf(
  { captured, request, payloads, dialect }: DecodedExchange,
  exchange: ExchangeRef,
): Delivery {
  const payload = payloads.find(({ side }) => side === 'request');
  const { state, value, text, problem } = request.json;
  return {
    exchange,
    timesSynthetic: captured.timesSynthetic === true,
    version: dialect?.version ?? '1.0',
    webhook: calledWebhookKey(captured),
    method: captured.request.method,
    headers: captured.request.headers,
    mediaType: request.mediaType,
    body: {
      state,
      problem,
      start: text.slice(0, keptText),
      blank: text.trim() === '',
      members: isJsonObject(value)
        ? Object.keys(value)
            .filter((name) => value[name] !== null)
            .slice(0, keptMembers)
        : undefined,
    },
    payload: payload && { kind: payload.kind, pointer: payload.pointer },
    taskId: payload && taskIdOf(payload),
    status: captured.response?.status,
  };
}
