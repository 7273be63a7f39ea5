import { createHash, randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { CliSession } from "@whytrace/contract";
import { Api, errorText } from "../api.ts";
import { CliError, EXIT } from "../cli-error.ts";
import type { Call } from "../command.ts";
import { openBrowser } from "./open-browser.ts";
import { listenForCode, readPastedCode } from "./receive-code.ts";

const WAIT_MS = 10 * 60_000;
const NO_CODE = "No code came";

/**
 * Lets a person sign in with their browser, which brings back a code. Only this process can use the code, because it alone has
 * the verifier. Over SSH the browser runs on another machine, so the person pastes the code.
 */
export async function logInByBrowser({ args, config, output }: Call, url: string): Promise<CliSession> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const isElsewhere = args.has("no-browser") || config.isRemote;
  const listener = isElsewhere ? undefined : await listenForCode();
  const waiting = new AbortController();
  try {
    const query = new URLSearchParams({
      challenge,
      ...(listener && { port: String(listener.port) }),
      name: hostname().slice(0, 100) || "unknown",
    });
    const page = `${url}/cli?${query}`;
    output.note(`Open this address in your browser:\n\n  ${page}\n`);
    output.note(
      listener ? "Waiting for the browser. You can also paste the code here." : "Paste the code here:",
    );
    if (listener) openBrowser(config, page);
    const code = await Promise.race([
      ...(listener ? [listener.code] : []),
      // Without a terminal the input may end at once; the browser can still come.
      readPastedCode(waiting.signal).then((pasted) => pasted ?? (listener ? listener.code : undefined)),
      sleep(WAIT_MS, undefined, { signal: waiting.signal }),
    ]);
    if (code === undefined) throw new CliError(NO_CODE, { exitCode: EXIT.notSignedIn });
    const response = await new Api(url).ask("POST /api/auth/cli", { body: { code, verifier } });
    if (!response.isOk)
      throw new CliError(`Sign-in to ${url} failed: ${errorText(response)}`, { exitCode: EXIT.notSignedIn });
    return response.body;
  } finally {
    waiting.abort();
    listener?.close();
  }
}
