import { v1 } from '@plugfest/verifier/examples';
import { errorMappingRule } from './error-mapping.ts';

const message = { message: v1.message('hello') };

export default errorMappingRule({
  id: 'ERR-005',
  error: 'ContentTypeNotSupportedError',
  why: 'A client that knows the media type was the problem can send the content in another form; any other error reads as a refusal of the request.',
  call: { method: 'SendMessage', params: message, verb: 'POST', path: '/message:send', body: message },
});
