import { freePort } from "../free-port.ts";
import { type Booted, type BootOptions, boot } from "./boot.ts";

/**
 * Starts a server whose PUBLIC_URL is its own URL, so that it accepts a browser's writes. Its users have one workspace, which
 * the addresses of pages need not name.
 */
export async function bootAtOrigin(
  env: Record<string, string> = {},
  options: BootOptions = {},
): Promise<Booted> {
  const port = String(await freePort());
  return boot({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...env }, { memberships: 1, ...options });
}
