import type { Operator } from "@whytrace/server";
import { Api, isRecord, sessionFrom } from "../api.ts";
import { CliError } from "../cli-error.ts";

export const DEV_EMAIL = "dev@localhost";
const KEY_NAME = "whytrace dev";

/** Signs the command line in with a sign-in link and returns the session's token. */
export async function signIn(operator: Operator, url: string): Promise<string> {
  const link = await createSignInLink(operator, url);
  const response = await new Api(url).request("GET", link.slice(url.length));
  const session = sessionFrom(response.headers);
  if (session === undefined) throw new CliError(`Sign-in to ${url} failed with status ${response.status}`);
  return session;
}

export async function createSignInLink(operator: Operator, url: string, email = DEV_EMAIL): Promise<string> {
  const link = await operator.signInLink(url, email);
  if (link === undefined) throw new CliError(`No user has the email address ${email}`);
  return link;
}

/** Returns the previous run's key if it is still valid, otherwise replaces it with a new one. */
export async function ensureApiKey(api: Api, url: string, previous: string | undefined): Promise<string> {
  if (previous !== undefined && (await isKeyValid(url, previous))) return previous;
  const existing = await api.call("GET /api/keys");
  for (const { id, name } of existing.keys)
    if (name === KEY_NAME) await api.call("DELETE /api/keys/:id", { params: { id } });
  const { key } = await api.call("POST /api/keys", { body: { name: KEY_NAME } });
  return key;
}

/** Sends an empty body: the server checks the key first, so any error but "Invalid API key" means a valid key. */
export async function isKeyValid(url: string, key: string): Promise<boolean> {
  const { status, body } = await new Api(url, { key }).request("POST", "/api/traces", "{}");
  return status !== 401 && !(isRecord(body) && body.error === "Invalid API key");
}
