import type { Binding, ProtocolVersion } from '@plugfest/model';
import { bindingsIn, type Rule, type Scope, type Showing, type Topic } from './rule.ts';

/** A rule that has something to say of a version, with the section that says it. */
export interface CitedRule {
  readonly rule: Rule;
  readonly section: string;
}

/** What of a subject decides which rules are for it, beside its scope. */
export interface Sort {
  readonly version: ProtocolVersion;
  /** Undefined for subjects that have none, to which the rules of all bindings apply. */
  readonly binding: Binding | undefined;
  /** Undefined for calls of no known operation, and for what spans several exchanges. */
  readonly topic: Topic | undefined;
  /** Of what rules may want to be shown, what is there. */
  readonly shown: ShownHere;
}

/** In one member, as there are so few of them. */
export type ShownHere = 'nothing' | Showing | 'both';

type ByShown<Prepared> = { [Each in ShownHere]?: SortPlan<Prepared> };
type ByTopic<Prepared> = Map<Topic | undefined, ByShown<Prepared>>;

/** Which rules are for the subjects of one sort, by scope. */
export class SortPlan<Prepared> {
  readonly #byScope: { [Each in Scope]?: readonly Prepared[] } = {};
  readonly #find: (scope: Scope) => readonly Prepared[];

  constructor(find: (scope: Scope) => readonly Prepared[]) {
    this.#find = find;
  }

  for(scope: Scope): readonly Prepared[] {
    const known = this.#byScope[scope];
    if (known !== undefined) return known;
    const found = this.#find(scope);
    this.#byScope[scope] = found;
    return found;
  }
}

/** Which rules are for which subjects. Asked for each exchange, so worked out once for each sort of them. */
export class RulePlan<Prepared> {
  readonly #byVersion = new Map<ProtocolVersion, Map<Binding | undefined, ByTopic<Prepared>>>();
  readonly #prepared = new Map<Rule, Map<ProtocolVersion, Prepared>>();
  readonly #rules: readonly Rule[];
  readonly #prepare: (cited: CitedRule) => Prepared;

  constructor(rules: readonly Rule[], prepare: (cited: CitedRule) => Prepared) {
    this.#rules = rules;
    this.#prepare = prepare;
  }

  of(sort: Sort): SortPlan<Prepared> {
    const byBinding = getOrInsert(this.#byVersion, sort.version, () => new Map());
    const byTopic: ByTopic<Prepared> = getOrInsert(byBinding, sort.binding, () => new Map());
    const byShown = getOrInsert(byTopic, sort.topic, (): ByShown<Prepared> => ({}));
    const plan = byShown[sort.shown] ?? new SortPlan((scope) => this.#find(scope, sort));
    byShown[sort.shown] = plan;
    return plan;
  }

  #find(scope: Scope, { version, binding, topic, shown }: Sort): readonly Prepared[] {
    const found: Prepared[] = [];
    for (const rule of this.#rules) {
      const section = rule.spec[version];
      if (rule.scope !== scope || section === undefined) continue;
      if (binding !== undefined && !bindingsIn(rule, version).includes(binding)) continue;
      if (rule.about !== undefined && (topic === undefined || !rule.about.includes(topic))) continue;
      if (rule.shown !== undefined && shown !== 'both' && rule.shown !== shown) continue;
      const byVersion = getOrInsert(this.#prepared, rule, () => new Map());
      found.push(getOrInsert(byVersion, version, () => this.#prepare({ rule, section })));
    }
    return found;
  }
}

function getOrInsert<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
