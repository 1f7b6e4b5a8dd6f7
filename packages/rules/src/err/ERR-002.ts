import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-002',
  error: 'TaskNotCancelableError',
  why: 'It tells a client that the task has run its course and that its result is there to be fetched; with another code the client repeats the cancel or reports a broken agent.',
  call: {
    method: 'CancelTask',
    params: { id: 'task-9' },
    verb: 'POST',
    path: '/tasks/task-9:cancel',
    body: {},
  },
});
