import { refusedVersionRule } from './refused-version.ts';

export default refusedVersionRule({
  id: 'VER-006',
  summary: 'Versions are negotiated by Major.Minor: a patch number makes no difference.',
  section: '3.6',
  message:
    'The agent refuses version {version}, though it declares {declared}, which differs in the patch number only',
  why: 'A patch release changes nothing on the wire, so that peers which fit do not come together.',
  fix: 'Compare only Major.Minor of the two versions.',
  match: 'same-but-patch',
  announced: '1.0.7',
});
