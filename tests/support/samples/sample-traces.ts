import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { Client, SignedInUser, TestResponse } from "../server/client.ts";

type Fields = Record<string, unknown>;

let lastId = 0;

/** A UUID that sorts after those before it: records with the same time are sorted by id, so their order must not be random. */
function nextId(): string {
  lastId += 1;
  return lastId.toString(16).padStart(8, "0") + randomUUID().slice(8);
}

/** Valid records as a client sends them; a test overrides the fields it is about. */
export const trace = (overrides: Fields = {}) => ({
  id: nextId(),
  name: "checkout agent",
  status: "COMPLETED",
  tags: [],
  startedAt: "2026-01-02T03:04:05.678Z",
  spans: [],
  decisionPoints: [],
  events: [],
  ...overrides,
});
export const span = (overrides: Fields = {}) => ({
  id: nextId(),
  name: "call model",
  type: "LLM_CALL",
  status: "COMPLETED",
  startedAt: "2026-01-02T03:04:05.700Z",
  ...overrides,
});
export const decision = (overrides: Fields = {}) => ({
  id: nextId(),
  type: "TOOL_SELECTION",
  chosen: { tool: "search" },
  alternatives: [{ tool: "cache" }],
  timestamp: "2026-01-02T03:04:05.800Z",
  ...overrides,
});
export const event = (overrides: Fields = {}) => ({
  id: nextId(),
  name: "retry",
  type: "RETRY",
  timestamp: "2026-01-02T03:04:05.900Z",
  ...overrides,
});

/** What the server adds to spans and traces that name no model. */
export const NO_MODEL = {
  model: null,
  inputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  priceSource: null,
};
/** What the server adds to a decision point that was sent. */
export const WRITTEN_DOWN = { inferred: false, alternativesKnown: true };
export const NO_MODELS = { models: [], isCostDerived: false };

/** A signed-in user with an API key and, by default, a PRO plan with a large quota. */
export type Sender = SignedInUser & { key: string; send(traces: unknown[]): Promise<TestResponse> };

export async function newSender(client: Client, db: Database, tier: "FREE" | "PRO" = "PRO"): Promise<Sender> {
  const user = await client.newUser();
  const { key } = (await user.post("/api/keys", { name: "test" })).json;
  if (tier === "PRO") await setSubscription(db, user.workspaceId, { tier: "PRO", limit: 100_000, used: 0 });
  const send = (traces: unknown[]) => sendAs(client, key, { traces });
  return Object.assign(user, { key, send });
}

export const sendAs = (client: Client, key: string, body: unknown) =>
  client.request("POST", "/api/traces", { body, headers: { authorization: `Bearer ${key}` } });

export async function setSubscription(
  db: Database,
  workspaceId: string,
  { tier, limit, used }: { tier: string; limit: number; used: number },
) {
  await sql`
    update subscriptions set tier = ${tier}, sessions_limit = ${limit}, sessions_used = ${used}
    where workspace_id = ${workspaceId}`.execute(db);
}
