import { defineScenario } from '../scenario/define.ts';
import { choosesDialect, delegate } from '../scenario/delegation.ts';

export default defineScenario({
  id: 'delegation-streaming',
  title: 'Delegation, streamed',
  summary: "Told by an ITK instruction, the client agent streams from the server with its SDK's own client.",
  clients: 'agent',
  needs: ['streaming', 'behaviours'],
  applies: choosesDialect,
  hops: [
    { from: 'plugfest', to: 'client', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'card', min: 1 },
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
  ],
  run: (context) => delegate(context, { streaming: true }),
});
