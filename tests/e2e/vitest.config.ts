import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    root: import.meta.dirname,
    include: ["*.e2e.ts"],
    globalSetup: ["../../testing/src/global-setup.ts"],
    setupFiles: ["../../testing/src/close-after-file.ts"],
    // Only a test that fails waits for so long; a machine with other work needs some of it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Limits of time are checked as they are promised, which a machine with other work can miss. The report marks what was
    // tried again.
    retry: { count: 2, delay: 5_000 },
    isolate: false,
    // A page waits for its server more than it works: two workers would leave a core idle.
    maxWorkers: 3,
  },
});
