import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    root: import.meta.dirname,
    include: ["*.e2e.ts"],
    globalSetup: ["../../testing/src/global-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
