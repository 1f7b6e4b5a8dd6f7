import type { ProtocolVersion } from '@plugfest/model';

/**
 * The dialect a version string stands for: patch parts do not count (A2A 1.0 section 3.6), every 1.x is spoken like
 * 1.0. Undefined where the string is absent, malformed, or of a version Plugfest does not know.
 */
export function versionOf(version: string | undefined): ProtocolVersion | undefined {
  if (version === undefined) return undefined;
  if (version === '1.0' || version === '0.3') return version;
  const match = /^(\d{1,4})(?:\.(\d{1,4}))?(?:\.\d{1,4})?(?:[-+].{0,64})?$/.exec(version.trim());
  if (match === null) return undefined;
  const [, major, minor] = match;
  if (major === '1') return '1.0';
  if (major !== '0') return undefined;
  return minor === '1' || minor === '2' || minor === '3' ? `0.${minor}` : undefined;
}
