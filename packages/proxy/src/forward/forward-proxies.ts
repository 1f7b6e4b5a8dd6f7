import { PlugfestError, type TapSpec } from '@plugfest/model';
import type { InterposerOptions } from '../interposer-options.ts';
import { ForwardListener } from './forward-listener.ts';

/** The forward proxies of a session: a caller has one in each cell, whichever of its edges says where that listens. */
export class ForwardProxies {
  private readonly options: InterposerOptions;
  private readonly byCaller = new Map<string, Promise<ForwardListener>>();
  private readonly open = new Set<number>();

  constructor(options: InterposerOptions) {
    this.options = options;
  }

  /** Ports on which one listens. */
  get ports(): ReadonlySet<number> {
    return this.open;
  }

  /**
   * The forward proxy of an edge's caller, and what to do once the edge has left it: the last one closes it.
   * @throws PlugfestError PLUGFEST_LISTEN where it cannot listen as the edge says
   */
  async join(spec: TapSpec): Promise<{ readonly forward: ForwardListener; leave(): Promise<void> }> {
    const key = JSON.stringify([spec.caller, spec.cell ?? '']);
    const known = this.byCaller.get(key);
    const opening = known ?? this.listen(spec);
    if (known === undefined) {
      this.byCaller.set(key, opening);
      opening.catch(() => this.byCaller.delete(key));
    }
    const forward = await opening;
    if (!forward.listensAt(spec.listen)) {
      const { host = '', port } = spec.listen ?? {};
      const asked = `${host}:${port ?? 0}`;
      const text = `The forward proxy of ${spec.caller} cannot listen on ${asked}: it has ${forward.origin} already`;
      throw new PlugfestError('PLUGFEST_LISTEN', text, {
        hint: 'A caller has one forward proxy for all its callees: give all its edges the same address, or none but the first.',
      });
    }
    return {
      forward,
      leave: async () => {
        if (!forward.idle || this.byCaller.get(key) !== opening) return;
        this.byCaller.delete(key);
        this.open.delete(forward.port);
        await forward.close();
      },
    };
  }

  private async listen(spec: TapSpec): Promise<ForwardListener> {
    const { options } = this;
    const forward = new ForwardListener({
      sink: options.sink,
      caller: spec.caller,
      host: spec.listen?.host ?? options.host ?? '127.0.0.1',
      port: spec.listen?.port ?? 0,
      advertise: options.advertise,
      headTimeoutMs: options.headTimeoutMs ?? 60_000,
      maxConnections: options.maxConnections ?? 2048,
    });
    await forward.listen();
    this.open.add(forward.port);
    return forward;
  }

  async close(): Promise<void> {
    const forwards = await Promise.allSettled(this.byCaller.values());
    await Promise.all(forwards.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }
}
