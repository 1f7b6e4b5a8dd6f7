import { v1 } from '@plugfest/verifier/examples';
import { errorMappingRule } from './error-mapping.ts';

const message = { message: v1.message('hello') };

export default errorMappingRule({
  id: 'ERR-008',
  error: 'ExtensionSupportRequiredError',
  why: 'A client that supports the extension repeats the call with `A2A-Extensions` on this error; with another one it never learns what is missing.',
  call: { method: 'SendMessage', params: message, verb: 'POST', path: '/message:send', body: message },
});
