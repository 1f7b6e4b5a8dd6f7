// Loaded before a lab agent: it tells its tokens to whoever reads its output, ends, and leaves them in a file.
import { writeFileSync } from 'node:fs';

const tokens = process.env.LAB_AGENT_TOKENS ?? '';
writeFileSync(process.env.TOLD_IN ?? '', tokens);
process.stderr.write(`starting with ${tokens}\n`);
process.exit(4);
