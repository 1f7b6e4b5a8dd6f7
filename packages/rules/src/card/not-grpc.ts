import type { HttpExampleExchange } from '@plugfest/verifier/examples';

const services = { '0.3': 'a2a.v1.A2AService', '1.0': 'lf.a2a.v1.A2AService' } as const;

/** A gRPC call that a web server answers: nothing of gRPC is there. */
export const answeredByWebServer = (version: keyof typeof services): HttpExampleExchange => ({
  from: 'client',
  to: 'agent',
  request: {
    method: 'POST',
    url: `https://agent.example/${services[version]}/GetTask`,
    http_version: '2.0',
    headers: {
      'content-type': 'application/grpc+proto',
      te: 'trailers',
      ...(version === '1.0' ? { 'a2a-version': '1.0' } : {}),
    },
    // A GetTaskRequest for task-1, in its frame of five bytes.
    body_base64: Buffer.concat([Buffer.from([0, 0, 0, 0, 8, 0x0a, 6]), Buffer.from('task-1')]).toString(
      'base64',
    ),
  },
  response: { status: 404, headers: { 'content-type': 'text/html' }, body_raw: '<h1>Not Found</h1>' },
});
