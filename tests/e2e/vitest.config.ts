import { defineConfig } from "vitest/config";

/** Tests that drive the pages of a server. */
const pages = {
  resolve: { conditions: ["@whytrace/source"] },
  ssr: { resolve: { conditions: ["@whytrace/source"] } },
  test: {
    name: "pages",
    root: import.meta.dirname,
    include: ["*.e2e.ts"],
    globalSetup: ["../support/global-setup.ts"],
    setupFiles: ["../support/close-after-file.ts", "./print-pages-of-failed-test.ts"],
    // Only a test that fails waits for so long; a machine with other work needs some of it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The files of a process share a browser.
    isolate: false,
  },
};

export default defineConfig({
  test: {
    projects: [pages, `${import.meta.dirname}/vitest.components.config.ts`],
    // A page waits for its server more than it works: two workers would leave a core idle.
    maxWorkers: 3,
    // Tests of a file that say so run two at a time.
    maxConcurrency: 2,
  },
});
