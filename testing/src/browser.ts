import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** The system's own Chromium: nothing is downloaded. */
export function launch(): Promise<Browser> {
  if (!CHROMIUM)
    throw new Error("No Chromium found: install Debian's package chromium-headless-shell or chromium");
  return chromium.launch({
    executablePath: CHROMIUM,
    chromiumSandbox: false,
    args: [
      "--disable-dev-shm-usage",
      "--disable-gpu",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}

export interface WatchedPage {
  page: Page;
  /** What the page complained of: errors in the console, exceptions, violations of the policy. */
  complaints: string[];
}

export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refusal we provoke is logged by the browser itself.
    if (message.type() === "error" && !/status of (401|404|429|503)/.test(message.text()))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  return { page, complaints };
}

/** Everything asked for has come. The network is no sign of it: a page that is up to date keeps a stream open. */
export const settled = (page: Page) =>
  page.waitForFunction(
    `!document.querySelector('[aria-busy="true"], [aria-label="Loading"]') && document.fonts.status === "loaded"`,
  );
