import type { TaskState } from '@plugfest/model';
import type {
  ArtifactEvent,
  CallOptions,
  DriveArtifact,
  DriveCall,
  DriveContent,
  DriveEvent,
  DriveMessage,
  DrivePart,
  DriveResult,
  TaskEvent,
} from '../driver/drive.ts';

/** What a made-up agent does wrong. */
export type Defect =
  | 'reopens-tasks'
  | 'own-contexts'
  | 'drops-all-subscribers'
  | 'begins-with-an-update'
  | 'cancels-without-a-word'
  | 'whole-history'
  | 'lists-every-context'
  | 'lists-oldest-first'
  | 'lists-artifacts-always'
  | 'one-mode'
  | 'any-mode'
  | 'loses-file-names'
  | 'cuts-files'
  | 'shuffles-data'
  | 'shows-to-all'
  | 'tells-what-exists'
  | 'lists-for-all'
  | 'knows-nobody'
  | 'same-extended-card'
  | 'refuses-extensions'
  /** Which is none: a stream may stay open while the task waits. */
  | 'streams-on-at-a-question'
  | 'takes-no-large-files';

interface MadeUpTask {
  readonly id: string;
  readonly contextId: string;
  readonly owner: string;
  readonly artifacts: DriveArtifact[];
  readonly configs: Map<string, string>;
  readonly ended: PromiseWithResolvers<void>;
  state: TaskState;
  text: string;
  history: number;
}

const first = 'alice';

/** An agent as its clients see it, without a wire: does what docs/lab-agents.md says, but for its defects. */
export class MadeUpAgent {
  readonly #tasks: MadeUpTask[] = [];
  readonly #defects: ReadonlySet<Defect>;
  #count = 0;

  constructor(...defects: readonly Defect[]) {
    this.#defects = new Set(defects);
  }

  async call(call: DriveCall, { as = first, extensions = [] }: CallOptions = {}): Promise<DriveResult> {
    if (call.op === 'GetAgentCard') return ok(cardWith('lab'));
    if (as === 'nobody' && !this.#has('knows-nobody')) return refused('Unauthenticated', 401, 'who are you?');
    if (extensions.length > 0 && this.#has('refuses-extensions'))
      return refused('UnsupportedOperationError', -32004, 'no such extension');
    switch (call.op) {
      case 'SendMessage':
        if (this.#has('takes-no-large-files') && JSON.stringify(call.message).length > 2 ** 20)
          return refused('InvalidAnswer', 413, 'Payload Too Large');
        return this.#send(call.message, as, call.configuration ?? {});
      case 'SendStreamingMessage':
        return this.#stream(call, as);
      case 'ListTasks':
        return this.#list(call, as);
      case 'GetExtendedAgentCard':
        return ok(cardWith(...(this.#has('same-extended-card') ? ['lab'] : ['lab', 'lab-extended'])));
      default:
        return this.#about(call, as);
    }
  }

  #has(defect: Defect): boolean {
    return this.#defects.has(defect);
  }

  #send(
    message: DriveMessage,
    owner: string,
    {
      historyLength,
      acceptedOutputModes = [],
      returnImmediately = false,
    }: {
      readonly historyLength?: number;
      readonly acceptedOutputModes?: readonly string[];
      readonly returnImmediately?: boolean;
    },
  ): DriveResult {
    const [prefix = '', ...words] = (message.text ?? '').split(' ');
    const nonce = words.at(-1) ?? '';
    if (message.taskId !== undefined) {
      const task = this.#find(message.taskId, owner);
      if (!task) return this.#missing(message.taskId);
      this.#end(task, 'TASK_STATE_COMPLETED', `resumed: ${message.text}`);
      return ok(this.#seen(task, historyLength));
    }
    if (
      prefix === 'plugfest-modes' &&
      !this.#has('any-mode') &&
      acceptedOutputModes.every((mode) => mode.startsWith('image/'))
    )
      return refused('ContentTypeNotSupportedError', -32005, 'none of these');
    const task = this.#make(message, owner);
    if (prefix === 'plugfest-ask') task.state = 'TASK_STATE_INPUT_REQUIRED';
    else if (prefix === 'plugfest-slow' || prefix === 'tck-long-running') {
      if (!returnImmediately) this.#end(task, 'TASK_STATE_COMPLETED', nonce);
    } else this.#end(task, 'TASK_STATE_COMPLETED', nonce);
    const [mode] = this.#has('one-mode') ? [] : acceptedOutputModes;
    task.artifacts.push(
      prefix === 'plugfest-parts'
        ? {
            artifactId: 'a',
            name: 'parts',
            text: '',
            contents: (message.parts ?? []).map((part) => this.#back(part)),
          }
        : mode === 'application/json'
          ? { artifactId: 'a', text: '', contents: [{ kind: 'data', content: { nonce } }] }
          : { artifactId: 'a', text: nonce, contents: [{ kind: 'text', content: nonce }] },
    );
    return ok(this.#seen(task, historyLength));
  }

  async #stream(
    call: Extract<DriveCall, { op: 'SendStreamingMessage' }>,
    owner: string,
  ): Promise<DriveResult> {
    const { taskId, text = '' } = call.message;
    if (taskId !== undefined) {
      const asked = this.#find(taskId, owner);
      if (!asked) return this.#missing(taskId);
      this.#end(asked, 'TASK_STATE_COMPLETED', `resumed: ${text}`);
      return ok(this.#seen(asked), ...ending(asked));
    }
    const task = this.#make(call.message, owner);
    if (text.startsWith('plugfest-ask ')) {
      const before = this.#seen(task);
      task.state = 'TASK_STATE_INPUT_REQUIRED';
      if (call.stopAfterEvents !== undefined) return ok(before, { kind: 'closed', by: 'client' });
      if (this.#has('streams-on-at-a-question')) await new Promise(() => {});
      return ok(before, ...ending(task));
    }
    const nonce = text.split(' ').at(-1) ?? '';
    task.artifacts.push({ artifactId: 'a', text: nonce });
    if (call.stopAfterEvents !== undefined) return ok(this.#seen(task), { kind: 'closed', by: 'client' });
    this.#end(task, 'TASK_STATE_COMPLETED', nonce);
    return ok(this.#seen(task), ...ending(task));
  }

  #list(call: Extract<DriveCall, { op: 'ListTasks' }>, owner: string): DriveResult {
    const all = this.#tasks
      .filter((task) => this.#has('lists-for-all') || task.owner === owner)
      .filter(
        (task) => this.#has('lists-every-context') || !call.contextId || task.contextId === call.contextId,
      )
      .filter((task) => call.status === undefined || task.state === call.status);
    const found = this.#has('lists-oldest-first') ? all : all.reverse();
    const from = Number(call.pageToken ?? 0);
    const to = from + (call.pageSize ?? 50);
    const bare = !call.includeArtifacts && !this.#has('lists-artifacts-always');
    const tasks = found
      .slice(from, to)
      .map((task) => ({ ...this.#seen(task), ...(bare ? { artifacts: [] } : {}) }));
    return ok(...tasks, { kind: 'page', nextPageToken: to < found.length ? String(to) : '' });
  }

  async #about(
    call: Exclude<
      DriveCall,
      { op: 'GetAgentCard' | 'GetExtendedAgentCard' | 'ListTasks' | 'SendMessage' | 'SendStreamingMessage' }
    >,
    owner: string,
  ): Promise<DriveResult> {
    const task = this.#find(call.taskId, owner);
    if (!task) return this.#missing(call.taskId);
    switch (call.op) {
      case 'GetTask': {
        // Work ends between two looks at it.
        if (task.state === 'TASK_STATE_WORKING') this.#end(task, 'TASK_STATE_COMPLETED', '');
        return ok(this.#seen(task, call.historyLength));
      }
      case 'CancelTask':
        this.#end(task, 'TASK_STATE_CANCELED', '');
        return ok(this.#seen(task));
      case 'SubscribeToTask':
        return this.#subscribe(task, call.stopAfterEvents);
      case 'CreateTaskPushNotificationConfig': {
        const id = call.push.id ?? `c${task.configs.size}`;
        task.configs.set(id, call.push.url);
        return ok({ kind: 'pushConfig', taskId: task.id, id, url: call.push.url });
      }
      case 'DeleteTaskPushNotificationConfig':
        task.configs.delete(call.configId);
        return ok();
      default:
        return ok(
          ...[...task.configs].map(
            ([id, url]) => ({ kind: 'pushConfig', taskId: task.id, id, url }) as const,
          ),
        );
    }
  }

  async #subscribe(task: MadeUpTask, stopAfterEvents: number | undefined): Promise<DriveResult> {
    const snapshot = this.#seen(task);
    if (stopAfterEvents !== undefined) return ok(snapshot, { kind: 'closed', by: 'client' });
    if (this.#has('drops-all-subscribers')) return ok(snapshot, { kind: 'closed', by: 'server' });
    // The first who subscribes to slow work waits for its end; without a cancel it ends by itself.
    await Promise.race([task.ended.promise, new Promise((resolve) => setTimeout(resolve, 20))]);
    if (task.state === 'TASK_STATE_WORKING') this.#end(task, 'TASK_STATE_COMPLETED', '');
    const start: DriveEvent = this.#has('begins-with-an-update')
      ? { kind: 'status', taskId: task.id, contextId: task.contextId, state: 'TASK_STATE_WORKING', text: '' }
      : snapshot;
    if (this.#has('cancels-without-a-word') && task.state === 'TASK_STATE_CANCELED')
      return ok(start, { kind: 'closed', by: 'server' });
    return ok(start, ...ending(task));
  }

  #make(message: DriveMessage, owner: string): MadeUpTask {
    const again = this.#tasks.at(-1);
    if (again && message.contextId !== undefined && this.#has('reopens-tasks')) return again;
    this.#count += 1;
    const task: MadeUpTask = {
      id: `t${this.#count}`,
      contextId: this.#has('own-contexts') ? `c${this.#count}` : (message.contextId ?? `c${this.#count}`),
      owner,
      artifacts: [],
      configs: new Map(),
      ended: Promise.withResolvers<void>(),
      state: 'TASK_STATE_WORKING',
      text: '',
      history: 3,
    };
    this.#tasks.push(task);
    return task;
  }

  #end(task: MadeUpTask, state: TaskState, text: string): void {
    task.state = state;
    task.text = text;
    task.ended.resolve();
  }

  #find(id: string, owner: string): MadeUpTask | undefined {
    return this.#tasks.find((task) => task.id === id && (task.owner === owner || this.#has('shows-to-all')));
  }

  #missing(id: string): DriveResult {
    const exists = this.#tasks.some((task) => task.id === id) && this.#has('tells-what-exists');
    return exists
      ? refused('PermissionDenied', 403, `${id} is not yours`)
      : refused('TaskNotFoundError', -32001, `no task ${id}`);
  }

  #seen(task: MadeUpTask, historyLength?: number): TaskEvent {
    const { id: taskId, contextId, state, text, artifacts } = task;
    const history = this.#has('whole-history')
      ? task.history
      : Math.min(task.history, historyLength ?? task.history);
    return { kind: 'task', taskId, contextId, state, text, artifacts: [...artifacts], history };
  }

  #back(part: DrivePart): DriveContent {
    const kind = 'raw' in part ? 'raw' : 'url' in part ? 'url' : 'data' in part ? 'data' : 'text';
    const content =
      'raw' in part ? part.raw : 'url' in part ? part.url : 'data' in part ? part.data : part.text;
    const filename = this.#has('loses-file-names') ? undefined : part.filename;
    const spoilt =
      kind === 'raw' && this.#has('cuts-files')
        ? String(content).slice(0, -4)
        : kind === 'data' && this.#has('shuffles-data')
          ? { nonce: 'another' }
          : content;
    return {
      kind,
      content: spoilt,
      ...(part.mediaType === undefined ? {} : { mediaType: part.mediaType }),
      ...(filename === undefined ? {} : { filename }),
    };
  }
}

const ok = (...events: readonly DriveEvent[]): DriveResult => ({ ok: true, events });

const refused = (name: string, code: number, message: string): DriveResult => ({
  ok: false,
  error: { name, code, message },
  events: [],
});

const cardWith = (...skills: readonly string[]): DriveEvent => ({
  kind: 'card',
  name: 'made up',
  versions: ['1.0'],
  bindings: ['JSONRPC'],
  skills,
});

function ending({ id: taskId, contextId, state, text, artifacts }: MadeUpTask): readonly DriveEvent[] {
  const told = state === 'TASK_STATE_COMPLETED' ? artifacts : [];
  const chunks = told.map(
    (artifact): ArtifactEvent => ({
      kind: 'artifact',
      taskId,
      contextId,
      artifact,
      append: false,
      lastChunk: true,
    }),
  );
  return [...chunks, { kind: 'status', taskId, contextId, state, text }, { kind: 'closed', by: 'server' }];
}
