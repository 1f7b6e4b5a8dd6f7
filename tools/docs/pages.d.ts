/** Every generated page: path from the repository's root, and text. */
export declare function generatedPages(): Promise<ReadonlyMap<string, string>>;
