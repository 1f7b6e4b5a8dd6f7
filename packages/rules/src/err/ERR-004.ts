import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-004',
  error: 'UnsupportedOperationError',
  why: 'Clients stop asking for what is not there only when they recognise this error; a fault of the server, as which they read others, they try again.',
  call: {
    method: 'SubscribeToTask',
    params: { id: 'task-9' },
    verb: 'POST',
    path: '/tasks/task-9:subscribe',
  },
});
