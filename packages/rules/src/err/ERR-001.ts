import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-001',
  error: 'TaskNotFoundError',
  why: 'Clients take this error as the end of a task and forget it; under another code they retry for ever, and another error under this code makes them drop a task that still runs.',
  call: { method: 'GetTask', params: { id: 'task-9' }, verb: 'GET', path: '/tasks/task-9' },
});
