import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { hashToken, randomToken } from "../auth/random-token.ts";
import type { Database } from "../db/database.ts";

export const FLOW_MINUTES = 10;

/** What a sign-in at a provider is for. Linking and confirming are acts of a session. */
type FlowPurpose =
  | { purpose: "sign-in"; sessionId: null }
  | { purpose: "link" | "confirm"; sessionId: string };

export type Flow = FlowPurpose & {
  provider: string;
  /** The path that the browser returns to. */
  next: string;
};

/** A flow before its purpose is stored. */
type NewFlow = Pick<Flow, "provider" | "next" | "purpose" | "sessionId">;

/**
 * The values that bind a provider's answer to the browser that asked. All follow from one secret in a cookie, so that the
 * database stores none of them.
 */
export interface FlowSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

export function secretsOf(secret: string): FlowSecrets {
  const derive = (name: string) => createHmac("sha256", secret).update(name).digest("base64url");
  return { state: derive("state"), nonce: derive("nonce"), verifier: derive("verifier") };
}

/** Records that a browser was sent to a provider, and returns the secret for its cookie. */
export async function startFlow(
  db: Database,
  { provider, next, purpose, sessionId }: NewFlow,
): Promise<string> {
  const secret = randomToken();
  await sql`
    insert into oidc_flows (state_hash, provider, next, purpose, session_id, expires_at)
    values (${hashToken(secretsOf(secret).state)}, ${provider}, ${next}, ${purpose}, ${sessionId},
      now() + ${FLOW_MINUTES} * interval '1 minute')`.execute(db);
  return secret;
}

/** Takes the flow with this state. Undefined if it is unknown, has expired or was taken before. */
export async function takeFlow(db: Database, state: string): Promise<Flow | undefined> {
  const { rows } = await sql<Flow>`
    delete from oidc_flows where state_hash = ${hashToken(state)} and expires_at > now()
    returning provider, next, purpose, session_id`.execute(db);
  return rows[0];
}

export async function sweepFlows(db: Database): Promise<void> {
  await sql`delete from oidc_flows where expires_at <= now()`.execute(db);
}
