import type { CreatedApiKey } from "@whytrace/contract";
import type { Operator } from "@whytrace/server";
import { Api, isRecord, sessionFrom } from "../api.ts";
import { CliError } from "../cli-error.ts";

export const DEV_EMAIL = "dev@localhost";
const KEY_NAME = "whytrace dev";

/** Signs the command line itself in, as anybody does who is given a link. */
export async function signIn(operator: Operator, url: string): Promise<string> {
  const link = await linkFor(operator, url);
  const answer = await new Api(url).request("GET", link.slice(url.length));
  const session = sessionFrom(answer.headers);
  if (session === undefined) throw new CliError(`Signing in at ${url} failed with status ${answer.status}`);
  return session;
}

export async function linkFor(operator: Operator, url: string, email = DEV_EMAIL): Promise<string> {
  const link = await operator.signInLink(url, email);
  if (link === undefined) throw new CliError(`Nobody has the address ${email}`);
  return link;
}

/** The key of the last run if it still holds, else a new one in its place. */
export async function keepKey(api: Api, url: string, former: string | undefined): Promise<string> {
  if (former !== undefined && (await isKeyGood(url, former))) return former;
  const kept = (await api.get("/api/keys")) as { keys: { id: string; name: string }[] };
  for (const { id, name } of kept.keys) if (name === KEY_NAME) await api.delete(`/api/keys/${id}`);
  const { key } = (await api.post("/api/keys", { name: KEY_NAME })) as CreatedApiKey;
  return key;
}

/** A key is looked at before the body: with a good one, an empty body is what is wrong. */
export async function isKeyGood(url: string, key: string): Promise<boolean> {
  const { status, body } = await new Api(url, { key }).request("POST", "/api/traces", "{}");
  return status !== 401 && !(isRecord(body) && body.error === "Invalid API key");
}
