import { describe, expect, it } from 'vitest';
import type { ArtifactDigest, ClientAction, PartDigest, TaskObservation, TaskStream } from '../subjects.ts';
import { Tasks } from './tasks.ts';

const look = (more: Partial<TaskObservation> = {}) =>
  ({ version: '1.0', atNs: 0, artifacts: undefined, lastMessageId: undefined, ...more }) as TaskObservation;
const action = (seq: number) => ({ seq }) as ClientAction;

/** More tasks than stay unpacked. */
function manyMore(tasks: Tasks): void {
  for (let i = 0; i < 9000; i += 1) tasks.observe('agent', `other-${i}`, look());
}

describe('a task', () => {
  it('has its looks in order of time, and those of one time as they came', () => {
    const tasks = new Tasks();
    for (const [seq, atNs] of [10, 30, 20, 20, 5, 40].entries())
      tasks.observe('agent', 't', look({ seq, atNs }));
    expect(tasks.get('agent', 't')?.observations.map(({ seq, atNs }) => [seq, atNs])).toEqual([
      [4, 5],
      [0, 10],
      [2, 20],
      [3, 20],
      [1, 30],
      [5, 40],
    ]);
  });

  it('has the actions on it from before it was shown, and after', () => {
    const tasks = new Tasks();
    tasks.act('agent', 't', action(1));
    tasks.act('agent', 't', action(2));
    expect(tasks.get('agent', 't')).toBeUndefined();
    tasks.observe('agent', 't', look());
    tasks.act('agent', 't', action(3));
    expect(tasks.get('agent', 't')?.actions).toEqual([action(1), action(2), action(3)]);
    expect(tasks.get('another agent', 't')).toBeUndefined();
  });

  it('forgets the oldest actions on ids that no agent shows', () => {
    const tasks = new Tasks();
    for (let i = 0; i < 8193; i += 1) tasks.act('agent', `made-up-${i}`, action(i));
    for (const i of [0, 1, 8192]) tasks.observe('agent', `made-up-${i}`, look());
    const actionsOf = (i: number) => tasks.get('agent', `made-up-${i}`)?.actions;
    expect([actionsOf(0), actionsOf(1), actionsOf(8192)]).toEqual([[], [action(1)], [action(8192)]]);
  });

  it('has its streams, and a task that was not shown has none', () => {
    const tasks = new Tasks();
    const [one, two] = [{ complete: true } as TaskStream, { complete: false } as TaskStream];
    tasks.addStream('agent', 't', one);
    tasks.observe('agent', 't', look());
    expect(tasks.get('agent', 't')).toMatchObject({ streams: undefined });
    for (const stream of [one, two]) tasks.addStream('agent', 't', stream);
    expect(tasks.get('agent', 't')).toMatchObject({ streams: [one, two] });
  });

  it('that was packed is as it was', () => {
    const tasks = new Tasks();
    tasks.observe('agent', 'with', look({ atNs: 7 }));
    manyMore(tasks);
    expect(tasks.get('agent', 'with')?.observations).toEqual([look({ atNs: 7 })]);
    expect([...tasks.all()]).toHaveLength(9001);
  });
});

describe('artifacts that are shown again', () => {
  const part: PartDigest = { kind: 'text', mediaType: 'text/plain', text: 'a', digest: 'd-1' };
  const artifact: ArtifactDigest = { artifactId: 'a-1', name: 'out', parts: [part, part], metadata: [] };

  function shown(...artifacts: readonly (readonly ArtifactDigest[] | undefined)[]) {
    const tasks = new Tasks();
    for (const each of artifacts) tasks.observe('agent', 't', look({ artifacts: each }));
    return tasks.get('agent', 't')?.observations.map((each) => each.artifacts) ?? [];
  }

  it('are kept once', () => {
    const copy = structuredClone([artifact, artifact]);
    const [first, second] = shown([artifact, artifact], copy);
    expect(second).toBe(first);
    expect(second).not.toBe(copy);
  });

  it.each([
    ['another id', [{ ...artifact, artifactId: 'a-2' }]],
    ['another name', [{ ...artifact, name: 'in' }]],
    ['fewer parts', [{ ...artifact, parts: [part] }]],
    ['more parts', [{ ...artifact, parts: [part, part, part] }]],
    ['a part of another kind', [{ ...artifact, parts: [{ ...part, kind: 'data' }, part] }]],
    ['a part of another type', [{ ...artifact, parts: [part, { ...part, mediaType: undefined }] }]],
    ['a part with other content', [{ ...artifact, parts: [part, { ...part, digest: 'd-2' }] }]],
    ['one more', [artifact, artifact]],
    ['another one beside it', [artifact, { ...artifact, artifactId: 'a-2' }]],
    ['none', []],
  ])('are others with %s', (_, other: readonly ArtifactDigest[]) => {
    expect(shown([artifact], other)[1]).toBe(other);
    expect(shown(other, [artifact])[1]).toEqual([artifact]);
  });

  it('are others where one of several is', () => {
    const others = [artifact, { ...artifact, artifactId: 'a-2' }];
    expect(shown([artifact, artifact], others)[1]).toBe(others);
  });

  it('may be absent from one of two looks', () => {
    expect(shown(undefined, [artifact], undefined, [artifact])).toEqual([
      undefined,
      [artifact],
      undefined,
      [artifact],
    ]);
  });

  it('leave the newest message of each look as it was', () => {
    const tasks = new Tasks();
    for (const lastMessageId of ['m-1', 'm-1', 'm-2', undefined])
      tasks.observe('agent', 't', look({ artifacts: [artifact], lastMessageId }));
    expect(tasks.get('agent', 't')?.observations.map(({ lastMessageId }) => lastMessageId)).toEqual([
      'm-1',
      'm-1',
      'm-2',
      undefined,
    ]);
  });
});
