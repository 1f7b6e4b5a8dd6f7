export { loadRulebook, rulebookVersion } from './load.ts';
