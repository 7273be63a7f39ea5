import { join } from "node:path";
import { defineConfig } from "vitest/config";

// Threads and processes that the tests start load the server's sources, and most of that is reading TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "node_modules/.cache/compile");

export default defineConfig({
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    include: ["{packages,docs,examples,lab,tests,deploy}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/close-after-file.ts"],
    // Many tests wait more than they work: two workers would leave a core idle, and a fourth makes all slower.
    maxWorkers: 3,
    // Loading the server for each file takes as long as the tests themselves.
    isolate: false,
    // Only a test that fails waits for so long; a machine with other work needs some of it.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
