import { v1 } from '@plugfest/verifier/examples';
import { errorMappingRule } from './error-mapping.ts';

const message = { message: v1.message('hello') };

export default errorMappingRule({
  id: 'ERR-006',
  error: 'InvalidAgentResponseError',
  why: 'It tells a client behind a gateway that the agent, and not its own request, is at fault; with another code the wrong side gets debugged.',
  call: { method: 'SendMessage', params: message, verb: 'POST', path: '/message:send', body: message },
});
