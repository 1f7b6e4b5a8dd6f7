import { schemeMemberRule } from './scheme-member-rule.ts';

export default schemeMemberRule({
  id: 'AUTH-013',
  kind: 'httpAuthSecurityScheme',
  section: '4.5.3',
  summary: 'An HTTP authentication scheme names the scheme of the `Authorization` header.',
  why: 'A client cannot tell whether to send a token, a user name and password, or something else.',
  fix: 'Set `scheme` to a name of the IANA registry, such as Bearer or Basic.',
  members: { scheme: [] },
  good: { scheme: 'Bearer' },
  bad: [{ bearerFormat: 'JWT' }, { scheme: '' }],
});
