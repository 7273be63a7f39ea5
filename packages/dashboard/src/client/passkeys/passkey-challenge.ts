import { api } from "../api.ts";

/** Has the browser answer a new challenge with any passkey of this server. Loads the code for passkeys. */
export async function answerChallenge(
  options: { isConditional?: boolean; signal?: AbortSignal } = {},
): ReturnType<typeof getPasskey> {
  const { getPasskey } = await import("./passkey.ts");
  const challenge = await api("POST /api/auth/passkey/options");
  return getPasskey(challenge.options, options);
}
