import { client, type Mutation } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  client('OBS-002', 'a traceparent is malformed', (session) =>
    session.set('handed', 'request/headers/traceparent', '00-xyz-1'),
  ),
];

export default mutations;
