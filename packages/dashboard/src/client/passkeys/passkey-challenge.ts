import { api } from "../api.ts";

/** Has the browser answer a new challenge with any passkey of this server. Loads the code for passkeys. */
export async function answerChallenge(
  options: { isConditional?: boolean; signal?: AbortSignal } = {},
): Promise<object> {
  const { getPasskey } = await import("./passkey.ts");
  const challenge = await api<{ options: object }>("/api/auth/passkey/options", { method: "POST", body: {} });
  return getPasskey(challenge.options, options);
}
