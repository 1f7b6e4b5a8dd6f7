import { testDialects } from './dialects.ts';

testDialects((name) => !name.startsWith('1.0'));
