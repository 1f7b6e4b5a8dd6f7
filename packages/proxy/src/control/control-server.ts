import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FaultState, isPlugfestError, PlugfestError } from '@plugfest/model';
import express, { type NextFunction, type Request, type Response } from 'express';
import { type FaultSet, faultSchemas } from '../faults/fault-set.ts';
import type { OpenTap } from '../open-tap.ts';

export interface ControlOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** What callers have to show, as `Authorization: Bearer …`. */
  readonly token: string;
  readonly faults: FaultSet;
  openTaps(): readonly OpenTap[];
  /** Told of every switch, for the record. */
  onSwitch(text: string): void;
}

export interface ControlServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** A refusal with its status. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const maxBodyBytes = '1mb';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets only those in who know the token, under a name of this machine: a page in a browser may not get here by DNS. */
function guard(token: string): (request: Request, response: Response, next: NextFunction) => void {
  const expected = digest(`Bearer ${token}`);
  return (request, response, next) => {
    const { host = '', authorization = '' } = request.headers;
    if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/i.test(host))
      throw new Refusal(421, 'wrong-host', 'The control API is called by 127.0.0.1 or localhost.');
    if (!timingSafeEqual(digest(authorization.replace(/^bearer /i, 'Bearer ')), expected)) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      throw new Refusal(
        401,
        'unauthorized',
        'Send the token that was printed, as Authorization: Bearer TOKEN.',
      );
    }
    next();
  };
}

function answerError(error: unknown, _request: Request, response: Response, _next: NextFunction): void {
  const { status, code, message } = refusalOf(error);
  response.status(status).json({ error: { code, message } });
}

/** No stack, whatever went wrong. */
function refusalOf(error: unknown): Pick<Refusal, 'status' | 'code' | 'message'> {
  if (error instanceof Refusal) return error;
  if (isPlugfestError(error)) return { status: 422, code: error.code, message: error.message };
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status === 413)
    return { status, code: 'too-large', message: `The body is larger than ${maxBodyBytes}.` };
  if (status >= 400 && status < 500)
    return {
      status: 400,
      code: 'bad-request',
      message: 'The request could not be read: its body has to be JSON.',
    };
  return { status: 500, code: 'internal', message: 'A fault in Plugfest itself.' };
}

function notFound(id: unknown): Refusal {
  return new Refusal(404, 'not-found', `There is no fault ${JSON.stringify(id)}.`);
}

/** The control API: faults are listed and switched while traffic passes. Listens on the loopback alone. */
export async function startControl(options: ControlOptions): Promise<ControlServer> {
  const { faults, onSwitch } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(guard(options.token));
  app.use(express.json({ limit: maxBodyBytes, type: () => true, strict: true }));

  app.get('/v1/state', (_request, response) => {
    const list = faults.list();
    const total = (count: (fault: FaultState) => number): number =>
      list.reduce((sum, fault) => sum + count(fault), 0);
    response.json({
      edges: options.openTaps().length,
      faults: list.length,
      applied: total(({ applied }) => applied),
      bypassed: total(({ bypassed }) => bypassed),
    });
  });
  app.get('/v1/edges', (_request, response) => {
    response.json({ edges: options.openTaps() });
  });
  app.get('/v1/kinds', (_request, response) => {
    const schemas = faultSchemas(faults.kinds);
    const kinds = [...faults.kinds.values()].map(({ name, about }) => ({
      name,
      about,
      schema: schemas[name],
    }));
    response.json({ kinds });
  });
  app.get('/v1/faults', (_request, response) => {
    response.json({ faults: faults.list() });
  });
  app.delete('/v1/faults', (_request, response) => {
    const ids = faults.list().map(({ id }) => id);
    for (const id of ids) faults.delete(id);
    onSwitch(`all faults were switched off (${ids.join(', ') || 'there were none'})`);
    response.status(204).end();
  });
  app.get('/v1/faults/:id', (request, response) => {
    const fault = faults.get(request.params.id);
    if (fault === undefined) throw notFound(request.params.id);
    response.json(fault);
  });
  app.put('/v1/faults/:id', (request, response) => {
    const { id } = request.params;
    const isNew = faults.get(id) === undefined;
    const fault = faults.put(request.body, id);
    onSwitch(`${id} was put: ${JSON.stringify(fault.spec)}`);
    response.status(isNew ? 201 : 200).json(fault);
  });
  app.delete('/v1/faults/:id', (request, response) => {
    if (!faults.delete(request.params.id)) throw notFound(request.params.id);
    onSwitch(`${request.params.id} was deleted`);
    response.status(204).end();
  });
  app.use((request: Request) => {
    throw new Refusal(
      404,
      'not-found',
      `There is no ${request.method} ${request.path}; docs/faults.md has what there is.`,
    );
  });
  app.use(answerError);

  const server = createServer(
    { maxHeaderSize: 16 * 1024, requestTimeout: 10_000, headersTimeout: 10_000 },
    app,
  );
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Cannot listen on 127.0.0.1:${options.port}: ${cause.message}`;
      reject(
        new PlugfestError('PLUGFEST_LISTEN', message, {
          hint: 'Choose another --control port, or 0.',
          cause,
        }),
      );
    });
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
