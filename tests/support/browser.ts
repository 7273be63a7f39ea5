import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from "playwright-core";
import { afterFile } from "./after-file.ts";

const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome"].find(
  existsSync,
);

/** How the Chromium that is installed on this system is launched, without downloading one. */
export const LAUNCH_OPTIONS: LaunchOptions = {
  ...(CHROMIUM && { executablePath: CHROMIUM }),
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
};

export function launchBrowser(): Promise<Browser> {
  if (!CHROMIUM)
    throw new Error("No Chromium found: install the Debian package chromium-headless-shell or chromium");
  return chromium.launch(LAUNCH_OPTIONS);
}

let shared: Promise<Browser> | undefined;

/** The browser of this process, for all of its test files. What a file leaves open in it is closed after the file. */
export async function openBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  const browser = await shared;
  afterFile(() => Promise.all(browser.contexts().map((context) => context.close())));
  return browser;
}

/** The pages that are open in the browser of this process. */
export async function openPages(): Promise<Page[]> {
  return (await shared)?.contexts().flatMap((context) => context.pages()) ?? [];
}

export interface WatchedPage {
  page: Page;
  /** Console errors, uncaught exceptions and violations of the content security policy. */
  pageErrors: string[];
}

export async function openPage(context: BrowserContext): Promise<WatchedPage> {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const pageErrors: string[] = [];
  page.on("console", (message) => {
    // The browser logs error responses that a test provokes.
    if (message.type() === "error" && !/status of (401|404|429|503)/.test(message.text()))
      pageErrors.push(message.text());
  });
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  return { page, pageErrors };
}

const POLL_INTERVAL_MS = 20;
/** Only a test that fails waits for so long; a machine with other work needs some of it. */
const TIMEOUT_MS = 90_000;

/**
 * Waits until a JavaScript expression is true in the page. `page.waitForFunction` would evaluate the string inside the
 * page, where the content security policy blocks it; `page.evaluate` goes through the debugger protocol.
 */
export async function waitForExpression(
  page: Page,
  expression: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await evaluate(page, expression))) {
    if (performance.now() > deadline)
      throw new Error(`Not true on ${page.url()} within ${timeoutMs} ms: ${expression}`);
    await sleep(POLL_INTERVAL_MS);
  }
}

/** Returns undefined if the page navigates meanwhile. */
async function evaluate(page: Page, expression: string): Promise<unknown> {
  try {
    return await page.evaluate(expression);
  } catch (error) {
    if (error instanceof Error && error.message.includes("Execution context was destroyed")) return undefined;
    throw error;
  }
}

/** Waits until the page has loaded its data. The network never becomes idle, because of the open event stream. */
export const waitUntilLoaded = (page: Page) =>
  waitForExpression(
    page,
    `!document.querySelector('[aria-busy="true"], [aria-label="Loading"]') && document.fonts.status === "loaded"`,
  );
