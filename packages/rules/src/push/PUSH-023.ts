import { legacyShapeRule } from './legacy-shape.ts';

export default legacyShapeRule({
  id: 'PUSH-023',
  spec: { '0.1': '7.5' },
  summary:
    'In 0.1 a push config travels as `{id, pushNotificationConfig}`, and is asked for by the `id` of its task.',
  fix: 'Send `{"id": …, "pushNotificationConfig": {"url": …}}` to `tasks/pushNotification/set`, and answer get with the same object.',
  methods: 'tasks/pushNotification',
  task: 'id',
  mayBeNull: true,
});
