import type { Binding, ProtocolVersion } from '@plugfest/model';
import { bindingsIn, type Rule, type Scope } from './rule.ts';

/** A rule that has something to say of a version, with the section that says it. */
export interface CitedRule {
  readonly rule: Rule;
  readonly section: string;
}

/** Which rules are for which subjects. Asked for each subject, so worked out once for each sort of them. */
export class RulePlan<Prepared> {
  readonly #byScope = new Map<Scope, Map<ProtocolVersion, Map<Binding | undefined, readonly Prepared[]>>>();
  readonly #rules: readonly Rule[];
  readonly #prepare: (cited: CitedRule) => Prepared;

  constructor(rules: readonly Rule[], prepare: (cited: CitedRule) => Prepared) {
    this.#rules = rules;
    this.#prepare = prepare;
  }

  /** `binding`: undefined for subjects that have none, to which the rules of all bindings apply. */
  for(scope: Scope, version: ProtocolVersion, binding: Binding | undefined): readonly Prepared[] {
    const byVersion = getOrInsert(this.#byScope, scope, () => new Map());
    const byBinding = getOrInsert(byVersion, version, () => new Map());
    return getOrInsert(byBinding, binding, () => this.#find(scope, version, binding));
  }

  #find(scope: Scope, version: ProtocolVersion, binding: Binding | undefined): readonly Prepared[] {
    const found: Prepared[] = [];
    for (const rule of this.#rules) {
      const section = rule.spec[version];
      if (rule.scope !== scope || section === undefined) continue;
      if (binding !== undefined && !bindingsIn(rule, version).includes(binding)) continue;
      found.push(this.#prepare({ rule, section }));
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
