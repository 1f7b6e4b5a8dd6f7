import packageJson from '../package.json' with { type: 'json' };

/** Version of Plugfest, as in the package. */
export const version: string = packageJson.version;
