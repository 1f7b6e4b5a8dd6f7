export type { CatalogueEntry, CatalogueStatus, Unjudged } from './catalogue/catalogue.ts';
export { catalogue, corrections, unjudgedRows } from './catalogue/catalogue.ts';
export type { CatalogueRow } from './catalogue/row.ts';
export { bindingsOf, levelOf, versionsOf } from './catalogue/row.ts';
export { loadRulebook, loadRules, rulebookVersion } from './load.ts';
