/** True for the name of a service parameter (section 3.2.6), however somebody spells it outside of the headers. */
export const isServiceParameter = (name: string): boolean =>
  /^(?:x-)?a2a[-_]?(?:version|extensions)$/i.test(name);
