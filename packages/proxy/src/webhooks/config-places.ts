import { type JsonNode, type JsonObjectNode, locateJson, stringAt } from '../cards/json-text.ts';

/** A place of a JSON text that holds a webhook's URL. */
export interface WebhookUrl {
  /** JSON pointer into the whole text. */
  readonly pointer: string;
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** What may hold a push config in some version (A2A 1.0 section 3.2.2, 0.3 section 7.5, 0.1 section 7.5). */
const holders = new Set(['configuration', 'config', 'configs']);

/** What is one, in all versions, and in the names of the `.proto` files, which ProtoJSON readers take too. */
const configs = new Set([
  'taskPushNotificationConfig',
  'task_push_notification_config',
  'pushNotificationConfig',
  'push_notification_config',
  'pushNotification',
  'push_notification',
]);

/** Deeper than any version nests configs. */
const maxDepth = 6;
/** Most configs of one answer that are looked at. */
const maxPlaces = 1024;

class Finder {
  readonly places: WebhookUrl[] = [];
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  /** `isConfig`: the value itself is a config, so its `url` is a webhook's. */
  look(node: JsonNode, pointer: string, isConfig: boolean, depth = 0): void {
    if (depth > maxDepth) return;
    if (node.kind === 'array') {
      for (const [i, item] of node.items.entries()) this.look(item, `${pointer}/${i}`, isConfig, depth + 1);
      return;
    }
    if (node.kind !== 'object') return;
    // A name that occurs twice is read differently by different parsers: every occurrence counts.
    for (const { name, value } of node.members) {
      if (name === 'url' && isConfig) this.add(value, `${pointer}/url`);
      else if (configs.has(name)) this.look(value, `${pointer}/${name}`, true, depth + 1);
      else if (holders.has(name))
        this.look(value, `${pointer}/${name}`, name === 'configuration' ? false : isConfig, depth + 1);
    }
  }

  private add(value: JsonNode, pointer: string): void {
    if (value.kind !== 'string' || this.places.length === maxPlaces) return;
    const { start, end } = value;
    this.places.push({ pointer, url: stringAt(this.text, value), start, end });
  }
}

const member = (object: JsonObjectNode, name: string): JsonNode | undefined =>
  object.members.findLast((candidate) => candidate.name === name)?.value;

/** The method of a JSON-RPC call; undefined for what is none. */
function methodOf(text: string, call: JsonObjectNode): string | undefined {
  const method = member(call, 'method');
  return method?.kind === 'string' ? stringAt(text, method) : undefined;
}

/** True for the calls whose result holds push configs, in all versions. */
export const answersWithConfig = (method: string): boolean =>
  /^(?:(?:Create|Get|List)TaskPushNotification(?:Config)?s?|tasks\/pushNotification(?:Config)?\/(?:set|get|list))$/.test(
    method,
  );

export interface LocatedConfigs {
  readonly places: readonly WebhookUrl[];
  /** Methods of the JSON-RPC calls in the text; empty where it holds none. */
  readonly methods: readonly string[];
}

/**
 * The webhook URLs of a request: inline in a send, or of a config that is made. `isConfig` says that the whole body is
 * a config, as REST has it. Undefined where the text is no JSON.
 */
export function locateInRequest(text: string, isConfig: boolean): LocatedConfigs | undefined {
  const root = locateJson(text);
  if (root === undefined) return undefined;
  const finder = new Finder(text);
  const methods: string[] = [];
  const batch = root.kind === 'array' ? root.items : [root];
  for (const [i, call] of batch.entries()) {
    if (call.kind !== 'object') continue;
    const pointer = root.kind === 'array' ? `/${i}` : '';
    const method = methodOf(text, call);
    const params = member(call, 'params');
    if (method === undefined || params === undefined) {
      finder.look(call, pointer, isConfig);
      continue;
    }
    methods.push(method);
    for (const { name, value } of call.members)
      if (name === 'params') finder.look(value, `${pointer}/params`, answersWithConfig(method));
  }
  return { places: finder.places, methods };
}

/** The webhook URLs of an answer that holds push configs. */
export function locateInAnswer(text: string, within: 'root' | 'result'): readonly WebhookUrl[] | undefined {
  const root = locateJson(text);
  if (root === undefined) return undefined;
  const finder = new Finder(text);
  const answers = within === 'result' && root.kind === 'array' ? root.items : [root];
  for (const [i, answer] of answers.entries()) {
    const pointer = root.kind === 'array' && within === 'result' ? `/${i}` : '';
    if (within === 'root') finder.look(answer, pointer, true);
    else if (answer.kind === 'object')
      for (const { name, value } of answer.members)
        if (name === 'result') finder.look(value, `${pointer}/result`, true);
  }
  return finder.places;
}
