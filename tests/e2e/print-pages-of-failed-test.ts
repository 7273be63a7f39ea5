import { openPages } from "@whytrace/testing/browser.ts";
import { afterEach } from "vitest";

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  for (const page of await openPages()) {
    const shown = await page.locator("body").ariaSnapshot().catch(String);
    process.stderr.write(`${page.url()} shows\n${shown}\n`);
  }
});
