import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    include: [
      "*.test.ts",
      "{contract,demo,server,dashboard,sdk,cli,examples,testing,bench,trials}/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["testing/src/global-setup.ts"],
    // Many tests wait more than they work: one worker would leave a core idle.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
