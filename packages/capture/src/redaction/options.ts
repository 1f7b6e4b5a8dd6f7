export interface RedactionOptions {
  /** Further header names whose values are secret. */
  readonly headers?: readonly string[];
  /** Further JSON member names whose values are secret; compared without case, `_` and `-`. */
  readonly members?: readonly string[];
  /** Secrets that are known before any traffic; never written anywhere. Those of less than eight characters are not searched for. */
  readonly secrets?: readonly string[];
}
