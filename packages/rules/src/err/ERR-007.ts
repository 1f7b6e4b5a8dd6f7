import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-007',
  error: 'ExtendedAgentCardNotConfiguredError',
  why: 'A client goes on with the public card on this error; with another one discovery fails as a whole.',
  call: { method: 'GetExtendedAgentCard', params: {}, verb: 'GET', path: '/extendedAgentCard' },
});
