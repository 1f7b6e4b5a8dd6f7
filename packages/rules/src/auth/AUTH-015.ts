import { schemeMemberRule } from './scheme-member-rule.ts';

export default schemeMemberRule({
  id: 'AUTH-015',
  kind: 'openIdConnectSecurityScheme',
  section: '4.5.5',
  summary: 'An OpenID Connect scheme gives the URL of its discovery document.',
  why: 'Without it a client does not find the provider that it has to log in at.',
  fix: 'Set `openIdConnectUrl` to the `/.well-known/openid-configuration` of the provider.',
  members: { openIdConnectUrl: [] },
  good: { openIdConnectUrl: 'https://login.example/.well-known/openid-configuration' },
  bad: [{ description: 'Log in with your company account' }],
});
