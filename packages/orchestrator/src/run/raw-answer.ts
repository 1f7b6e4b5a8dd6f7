import type { RawResult } from '../client/raw-client.ts';
import type { RawAnswer } from '../scenario/context.ts';

/** What a scenario is told of an answer to bytes of Plugfest's own making. */
export function rawAnswer(
  { ok, status, mediaType, error, json, task, tasks, grpcStatus }: RawResult,
  headers: RawAnswer['headers'] = {},
): RawAnswer {
  return {
    headers,
    taskIds: [...(task ? [task] : []), ...tasks].flatMap(({ id }) => (id === undefined ? [] : [id])),
    status,
    contentType: mediaType,
    ...(error?.name === undefined ? {} : { errorName: error.name }),
    ...(error?.code === undefined ? {} : { errorCode: error.code }),
    ...(grpcStatus?.name === undefined ? {} : { grpcStatus: grpcStatus.name }),
    isError: error !== undefined,
    ok,
    text: json.text.slice(0, 2000),
  };
}
