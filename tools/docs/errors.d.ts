/** `docs/errors.md`, from the table of error codes. */
export declare function errorsPage(): string;
