import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    include: [
      "*.test.ts",
      "{contract,demo,server,dashboard,sdk,cli,examples,testing,bench,trials,deploy,site}/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["testing/src/global-setup.ts"],
    setupFiles: ["testing/src/close-after-file.ts"],
    // Many tests wait more than they work: two workers would leave a core idle.
    maxWorkers: 3,
    // Loading the server for each file takes as long as the tests themselves.
    isolate: false,
    // Only a test that fails waits for so long; a machine with other work needs some of it.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // Limits of time are checked as they are promised, which a machine with other work can miss. The report marks what was
    // tried again.
    retry: { count: 2, delay: 5_000, condition: /to be less than|timed out|within \d+ ms/ },
  },
});
