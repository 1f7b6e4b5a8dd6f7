import { schemeMemberRule } from './scheme-member-rule.ts';

export default schemeMemberRule({
  id: 'AUTH-012',
  kind: 'apiKeySecurityScheme',
  section: '4.5.2',
  summary: 'An API key scheme says where the key goes, `query`, `header` or `cookie`, and under which name.',
  why: 'A client with the right key does not know where to put it.',
  fix: 'Set `location` to query, header or cookie (0.3 called it `in`), and `name` to the parameter.',
  members: { location: ['query', 'header', 'cookie'], name: [] },
  good: { location: 'header', name: 'X-API-Key' },
  bad: [
    { location: 'header' },
    { in: 'header', name: 'X-API-Key' },
    { location: 'HEADER', name: 'X-API-Key' },
  ],
});
