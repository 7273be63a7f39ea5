import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import type { Client } from "./client.ts";

/** A browser of somebody's own: signed in as they are. */
export async function contextOf(
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
