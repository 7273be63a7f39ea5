import { Api } from "./api.ts";
import { CliError, EXIT } from "./cli-error.ts";
import type { Call } from "./command.ts";
import { findRunningDev } from "./dev/dev-state.ts";
import { dataFolderOf, isSameServer } from "./target.ts";

export const KEY_OPTION = {
  key: {
    value: "key",
    about: "API key with the scope review or send; default: WHYTRACE_READ_KEY or WHYTRACE_API_KEY",
  },
} as const;

/**
 * A client that stores scores at the reader's server with a key. A session is of no use for others' scores: whatever is sent with
 * it is the member's own.
 */
export async function scoringApi(call: Call, reader: Api): Promise<Api> {
  const { args, config } = call;
  const dev = await findRunningDev(dataFolderOf(call));
  const devKey = isSameServer(reader.url, dev?.url) ? dev?.key : undefined;
  const key = args.text("key") ?? config.readKey ?? config.apiKey ?? devKey;
  if (key !== undefined) return new Api(reader.url, { key });
  throw new CliError("Sending scores needs an API key", {
    advice: "Create a key with the scope review under Settings > API keys and set WHYTRACE_READ_KEY.",
    exitCode: EXIT.notSignedIn,
  });
}
