import { randomUUID } from "node:crypto";
import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../../../server/src/db/database.ts";
import { Client, expectStatus, PASSWORD, type SignedInUser } from "../server/client.ts";
import { createSession } from "./create-session.ts";
import { insertUser } from "./insert-user.ts";
import { decision, event, sendAs, span, trace } from "./sample-traces.ts";

/** An account with one record of each kind. */
export interface FullAccount {
  client: Client;
  keys: { send: string; review: string };
  /** The values of parameters and fields that name its records. */
  known: Readonly<Record<string, unknown>>;
  /** What the parameter `id` is, by the beginning of the path. */
  ids: Readonly<Record<string, string>>;
}

const SESSION = "a conversation";

/** Copies an account in the database, which avoids the slow password hash, and gives the copy records of its own. */
export async function newFullAccount(db: Database, copied: SignedInUser): Promise<FullAccount> {
  const email = `${randomUUID()}@example.test`;
  const workspaceId = await insertUser(db, email);
  await sql`
    update users set (name, password_hash, email_verified_at) =
      (select name, password_hash, email_verified_at from users where id = ${copied.userId})
    where email = ${email}`.execute(db);
  await sql`
    insert into subscriptions select (jsonb_populate_record(subscriptions, jsonb_build_object('workspace_id', ${workspaceId}::text))).*
    from subscriptions where workspace_id = ${copied.workspaceId}`.execute(db);
  const client = new Client(copied.url, `whytrace_session=${await createSession(db, workspaceId)}`);
  const create = async (method: "POST" | "PUT", path: string, body: object) => {
    const response = await client.request(method, path, { body });
    return expectStatus(response, response.status === 201 ? 201 : 200).json;
  };
  const send = await create("POST", "/api/keys", { name: "send" });
  const review = await create("POST", "/api/keys", { name: "review", scope: "review" });
  const decided = decision({ id: "d", reasoning: "because" });
  const [a, b] = [newTrace(decided), newTrace(decided)];
  expectStatus(await sendAs(client, send.key, { traces: [a, b] }), 200);
  const { type, chosen, alternatives } = decided;
  const { signature, step, option } = signDecision({ type, chosen, alternatives });
  const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
  const verdict = { traceId: a.id, decisionPointId: "d", verdict: "wrong" };
  const rule = { agent: a.name, type, option, kind: "never", ...hashes };
  await create("PUT", "/api/insights/verdicts", verdict);
  const score = { id: "mine", traceId: a.id, name: "helpful", value: false };
  await create("POST", "/api/scores", { scores: [score] });
  const bad = [{ kind: "feedback" }];
  const { version } = await create("PUT", "/api/outcomes", { agent: a.name, version: 0, bad });
  await create("PUT", `/api/insights/situation-keys?agent=${encodeURIComponent(a.name)}`, {
    keys: ["case.kind"],
  });
  await create("PUT", `/api/insights/set-aside/${hashes.signature}`, {});
  const share = await create("POST", `/api/traces/${a.id}/shares`, {});
  const [signIn] = (await client.get("/api/account/sessions")).json.sessions;
  return {
    client,
    keys: { send: send.key, review: review.key },
    known: {
      ...hashes,
      agent: a.name,
      option,
      a: a.id,
      b: b.id,
      traceId: a.id,
      spanId: "s",
      decisionPointId: "d",
      decisionId: null,
      bad,
      version,
      name: score.name,
      eventId: "e",
      parentId: null,
      email,
      password: PASSWORD,
      currentPassword: PASSWORD,
      token: new URL(share.url).pathname.slice("/shared/".length),
      startedAt: a.startedAt,
      timestamp: a.startedAt,
      expiresAt: "2999-01-01T00:00:00Z",
      tier: "PRO",
      query: "status=ERROR",
      days: 30,
      q: "because",
    },
    ids: {
      "/api/traces": a.id,
      "/api/keys": send.id,
      "/api/sessions": SESSION,
      "/api/account/sessions": signIn.id,
      "/api/shares": share.id,
      "/api/scores": score.id,
      "/api/prices": (await create("PUT", "/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 })).id,
      "/api/views": (await create("POST", "/api/views", { name: "mine", query: "status=ERROR" })).id,
      "/api/insights/rules": (await create("POST", "/api/insights/rules", rule)).id,
    },
  };
}

const newTrace = (decided: object) =>
  trace({
    status: "ERROR",
    startedAt: new Date().toISOString(),
    tags: ["t"],
    sessionId: SESSION,
    spans: [span({ id: "s", status: "ERROR" })],
    decisionPoints: [decided],
    events: [event({ id: "e" })],
  });
