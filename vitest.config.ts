import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // V8 may crash where several threads strip types at once: it frees WebAssembly wrappers that another tiers up.
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['**/*.browser.test.ts', '**/*.soak.test.ts', '**/node_modules/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
