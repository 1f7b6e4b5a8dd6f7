import { fileURLToPath } from 'node:url';

export { type Fault, loadFaults } from './fault.ts';

/** The file that Node runs to start a lab agent. */
export const mainPath: string = fileURLToPath(new URL('./main.ts', import.meta.url));
