import { STATUS_CODES } from 'node:http';
import type { Change } from '@plugfest/model';
import type { ClientSide } from '../client-side.ts';
import type { Problem } from '../problem.ts';
import type { Flow } from './fault.ts';

/** The head of a response on its way through faults. */
export interface FaultyHead {
  readonly status: number;
  readonly headers: string[];
  /** Status that the client is shown, where it is another. */
  shown: number | undefined;
}

/** The faults that a response goes through. */
export interface ResponseFaults {
  /** Puts them between the response's head and where it goes. */
  respond(head: FaultyHead, sink: Flow): Flow;
  /** Nothing that they were to do later is done. */
  stop(): void;
}

/** A client to which the response comes through faults. The exchange cannot tell it from another. */
export class FaultyClient implements ClientSide {
  private readonly client: ClientSide;
  private readonly faults: ResponseFaults;
  private shaped: FaultyHead | undefined;
  private reason = '';
  private flow: Flow;
  private headGiven = false;
  private finished = false;

  constructor(client: ClientSide, faults: ResponseFaults) {
    this.client = client;
    this.faults = faults;
    this.flow = this.sink();
  }

  observe(): void {
    throw new Error('the client is observed before faults are known');
  }

  get headSent(): boolean {
    return this.headGiven || this.client.headSent;
  }

  get delivered(): boolean {
    return this.client.delivered;
  }

  get gone(): boolean {
    return this.client.gone;
  }

  departure(): ReturnType<ClientSide['departure']> {
    return this.client.departure();
  }

  isLast(): void {
    this.client.isLast();
  }

  inform(status: number, reason: string, headers: readonly string[]): void {
    this.client.inform(status, reason, headers);
  }

  frame(status: number, headers: string[], changes: Change[]): void {
    const head: FaultyHead = { status, headers, shown: undefined };
    this.shaped = head;
    this.flow = this.faults.respond(head, this.sink());
    const shown = head.shown ?? status;
    if (headers[0] === ':status') headers[1] = String(shown);
    this.client.frame(shown, headers, changes);
  }

  head(_status: number, reason: string): void {
    this.headGiven = true;
    this.reason = reason;
    this.flow.head();
  }

  write(chunk: Buffer): void {
    this.flow.data(chunk);
  }

  end(trailers: readonly string[]): void {
    this.flow.end(trailers);
  }

  cut(reset: boolean, code?: number): void {
    this.flow.cut(reset, code);
  }

  answer(problem: Problem): void {
    this.faults.stop();
    this.client.answer(problem);
  }

  drop(): void {
    this.faults.stop();
    this.client.drop();
  }

  /** The end of the line: what gets here goes to the client itself. */
  private sink(): Flow {
    const { client } = this;
    const over = (): boolean => this.finished || client.gone;
    const finish = (): void => {
      this.finished = true;
      this.faults.stop();
    };
    return {
      head: () => {
        const head = this.shaped;
        if (head === undefined || over()) return;
        const { status, shown = status } = head;
        const reason = shown === status ? this.reason : (STATUS_CODES[shown] ?? '');
        client.head(shown, reason, head.headers);
      },
      data: (bytes) => {
        if (!over()) client.write(bytes);
      },
      end: (trailers) => {
        if (over()) return;
        finish();
        client.end(trailers);
      },
      cut: (reset, code) => {
        if (over()) return;
        finish();
        client.cut(reset, code);
      },
    };
  }
}
