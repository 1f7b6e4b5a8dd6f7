import { legacyShapeRule } from './legacy-shape.ts';

export default legacyShapeRule({
  id: 'PUSH-022',
  spec: { '0.2': '7.5', '0.3': '7.5' },
  summary:
    'In 0.2 and 0.3 a push config travels as `{taskId, pushNotificationConfig}`, and is asked for by the `id` of its task.',
  fix: 'Send `{"taskId": …, "pushNotificationConfig": {"url": …}}` to `tasks/pushNotificationConfig/set`, answer with the same, and name the task `id` in get, list and delete.',
  methods: 'tasks/pushNotificationConfig',
  task: 'taskId',
  mayBeNull: false,
});
