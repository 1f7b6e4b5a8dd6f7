import { refusedVersionRule } from './refused-version.ts';

export default refusedVersionRule({
  id: 'VER-011',
  summary: 'A version that an interface declares is not refused there.',
  section: '3.6.2',
  message: 'The agent refuses version {version}, which it declares for this interface',
  why: 'The card promises what the agent does not keep, and clients have nothing else to go by.',
  fix: 'Serve every declared version, or take it off the card.',
  match: 'same',
  announced: '1.0',
});
