import { playwright } from "@vitest/browser-playwright";
import { LAUNCH_OPTIONS } from "@whytrace/testing/browser.ts";
import { defineConfig, mergeConfig } from "vitest/config";
import dashboard from "../../packages/dashboard/vite.config.ts";

/** Tests of components, in a page without a server. */
export default mergeConfig(
  dashboard,
  defineConfig({
    test: {
      name: "components",
      root: new URL("../../packages/dashboard", import.meta.url).pathname,
      include: ["src/**/*.browser.test.tsx"],
      testTimeout: 60_000,
      expect: { poll: { timeout: 30_000 } },
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        provider: playwright({ launchOptions: LAUNCH_OPTIONS }),
        instances: [{ browser: "chromium", viewport: { width: 1280, height: 800 } }],
      },
    },
  }),
);
