import { type Booted, boot } from "./boot.ts";
import { freePort } from "./postgres.ts";

/** The server at the origin that it takes requests from, as a browser that writes needs it. */
export async function bootAtOrigin(env: Record<string, string> = {}): Promise<Booted> {
  const port = String(await freePort());
  return boot({ PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, ...env });
}
