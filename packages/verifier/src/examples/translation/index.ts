export { dialects, type Target } from './dialect.ts';
export { translate, whyNot } from './translate.ts';
