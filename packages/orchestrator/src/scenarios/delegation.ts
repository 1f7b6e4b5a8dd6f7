import { defineScenario } from '../scenario/define.ts';
import { choosesDialect, delegate } from '../scenario/delegation.ts';

export default defineScenario({
  id: 'delegation',
  title: 'Delegation',
  summary:
    "Told by an ITK instruction, the client agent calls the server with its SDK's own client and waits.",
  clients: 'agent',
  needs: ['behaviours'],
  applies: choosesDialect,
  hops: [
    { from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'card', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
  ],
  run: (context) => delegate(context, { streaming: false }),
});
