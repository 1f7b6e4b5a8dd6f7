import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-009',
  error: 'VersionNotSupportedError',
  why: 'Clients of several versions try an older one on this error; with another one two peers that have a version in common do not find it.',
  call: { method: 'GetTask', params: { id: 'task-9' }, verb: 'GET', path: '/tasks/task-9' },
});
