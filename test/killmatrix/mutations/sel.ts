import { failure } from '../episodes/words.ts';
import { client, type Mutation } from '../mutation.ts';

const wire = { level: 'wire' as const };
const _http = { ...wire, bindings: ['JSONRPC', 'HTTP+JSON'] as const };
const _version = 'request/headers/A2A-Version';
const _refused = failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 1.0 is not supported');

const mutations: readonly Mutation[] = [
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) => session.set('get', 'request/url', 'https://agent.example/other'),
    { bindings: ['JSONRPC'], also: { 'CARD-015': 'the agent serves it there' } },
  ),
  client('SEL-005', 'a client calls what the card does not declare', (session) =>
    session.drop('muteStream', 'purpose'),
  ),
  client('SEL-006', 'a client says another version than the interface', (session) => {
    session.drop('future', 'purpose');
  }),
  client(
    'SEL-002',
    'a binding is called where the card does not declare it',
    (session) =>
      session.set(
        'get',
        'request/url',
        String(session.get('get', 'request/url')).replace('/rest/', '/other/'),
      ),
    {
      ...wire,
      bindings: ['HTTP+JSON'],
      also: { 'CARD-015': 'the agent serves it there', 'REST-009': 'below the URL of the card' },
    },
  ),
];

export default mutations;
