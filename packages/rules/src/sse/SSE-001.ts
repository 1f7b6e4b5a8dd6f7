import { defineRule } from '@plugfest/verifier';
import { restStream, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const params = { message: v1.message('hello') };
const events = [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')];
const unsupported = {
  code: -32004,
  message: 'This agent does not stream',
  data: [v1.errorInfo('UNSUPPORTED_OPERATION')],
};

export default defineRule({
  id: 'SSE-001',
  level: 'MUST',
  party: 'server',
  summary: 'A stream is answered with HTTP 200 and `Content-Type: text/event-stream`.',
  spec: { '0.1': '7.2', '0.2': '3.3', '0.3': '3.3.1', '1.0': '9.4.2, 11.7' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['SendStreamingMessage', 'SubscribeToTask'],
  messages: {
    type: 'The streaming operation is answered with {found} instead of an event stream',
    status: 'The stream comes with HTTP status {status}',
  },
  why: 'Clients choose their parser by the media type: without it they wait for one JSON document and lose the stream.',
  fix: 'Answer streaming operations with status 200, `Content-Type: text/event-stream` and `data:` frames.',
  examples: {
    good: [
      [rpcStream({ method: 'SendStreamingMessage', params, events })],
      [restStream({ verb: 'POST', path: '/message:stream', body: params, events })],
      [
        rpcStream({
          version: '0.3',
          method: 'message/stream',
          params: { message: v03.message('hello') },
          events: [v03.task('working'), v03.statusUpdate('completed')],
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED') } })],
      [rpc({ method: 'SendStreamingMessage', params, error: unsupported })],
      // A gateway's answer, and nothing of A2A in it.
      [rpcStream({ method: 'SendStreamingMessage', params, events: [], raw: 'data: down\n\n', status: 503 })],
    ],
    bad: [
      {
        example: [rpc({ method: 'SendStreamingMessage', params, result: { task: v1.task('COMPLETED') } })],
        messages: ['type'],
      },
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: params,
            events,
            responseHeaders: { 'Content-Type': 'application/x-ndjson' },
          }),
        ],
        messages: ['type'],
      },
      {
        example: [rpcStream({ method: 'SendStreamingMessage', params, events, status: 202 })],
        messages: ['status'],
      },
      {
        example: [rpcStream({ method: 'SendStreamingMessage', params, events, status: 500 })],
        messages: ['status'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params,
            events,
            responseHeaders: { 'Content-Type': undefined },
          }),
        ],
        messages: ['type'],
      },
    ],
  },
  when: ({ operation, response }) => {
    if (operation !== 'SendStreamingMessage' && operation !== 'SubscribeToTask') return false;
    if (response === undefined || response.error !== undefined) return false;
    const { events, json, mediaType } = response;
    const success = response.status >= 200 && response.status <= 299;
    if (events !== undefined) return success || events.some(({ payload }) => payload !== undefined);
    if (!success) return false;
    // A refusal is plain JSON: whether this is one, its lost part would say.
    const lost = isUnread(json.state);
    return lost && mediaType.endsWith('json') ? 'undecidable' : true;
  },
  check: ({ response }, { report }) => {
    if (response === undefined) return;
    const { mediaType, status } = response;
    if (mediaType !== 'text/event-stream')
      report('type', {
        data: { found: mediaType === '' ? 'no media type' : mediaType },
        at: { side: 'response', header: 'Content-Type' },
        expected: 'text/event-stream',
        actual: mediaType,
      });
    else if (status !== 200)
      report('status', { data: { status }, at: { side: 'response' }, expected: '200', actual: status });
  },
});
