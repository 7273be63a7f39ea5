import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import type { Client } from "./client.ts";

/** Creates a browser context with the session cookie of a user. */
export async function signedInContext(
  browser: Browser,
  user: Client,
  options: BrowserContextOptions = {},
  url = user.url,
): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  const [name = "", value = ""] = (user.cookie ?? "").split("=");
  if (user.cookie) await context.addCookies([{ name, value, url }]);
  return context;
}
