import { defineConfig } from 'vitest/config';

// The tests that need programs beside Node: a Chromium and xmllint.
export default defineConfig({
  test: { include: ['src/**/*.browser.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
