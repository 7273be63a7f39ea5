import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { sql } from "kysely";
import type { UserId } from "../../../packages/server/src/auth/user-id.ts";
import type { Database } from "../../../packages/server/src/db/database.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";
import { Client, expectStatus, PASSWORD, type SignedInUser } from "../server/client.ts";
import { createSession } from "./create-session.ts";
import { insertIdentity, insertPasskey } from "./insert-factors.ts";
import { insertUser } from "./insert-user.ts";
import { decision, event, sendAs, span, trace } from "./sample-traces.ts";

/** An account with one record of each kind. */
export interface FullAccount {
  client: Client;
  keys: { send: string; review: string };
  /** The values of parameters and fields that name its records. */
  known: Readonly<Record<string, unknown>>;
  /** Further ones, by the beginning of the path. */
  knownAt: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the parameter `id` is, by the beginning of the path. */
  ids: Readonly<Record<string, string>>;
}

const SESSION = "a conversation";
/** Nothing listens there. */
const HOOK_URL = "http://127.0.0.1:1025/hook";

/** Copies an account in the database, which avoids the slow password hash, and gives the copy records of its own. */
export async function newFullAccount(db: Database, copied: SignedInUser): Promise<FullAccount> {
  const email = `${randomUUID()}@example.test`;
  const workspaceId = await insertUser(db, email);
  await sql`
    update users set (name, password_hash, email_verified_at) =
      (select name, password_hash, now() from users where id = ${copied.userId})
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
  const [a, b] = [newTrace(decided, "one error"), newTrace(decided, "another error")];
  expectStatus(await sendAs(client, send.key, { traces: [a, b] }), 200);
  const { type, chosen, alternatives } = decided;
  const { signature, step, option } = signDecision({ type, chosen, alternatives });
  const hashes = { signature: signatureToHex(signature), step: hash32ToHex(step) };
  const verdict = { traceId: a.id, decisionPointId: "d", verdict: "wrong" };
  const rule = { agent: a.name, type, option, kind: "never", ...hashes };
  await create("PUT", "/api/insights/verdicts", verdict);
  const score = { id: "mine", traceId: a.id, name: "helpful", value: false };
  await create("POST", "/api/scores", { scores: [score] });
  const bad = [{ kind: "feedback" }, { kind: "status", is: "ERROR" }];
  const { version } = await create("PUT", "/api/outcomes", { agent: a.name, version: 0, bad });
  await create("PUT", `/api/insights/situation-keys?agent=${encodeURIComponent(a.name)}`, {
    keys: ["case.kind"],
  });
  await create("PUT", `/api/insights/set-aside/${hashes.signature}`, {});
  const share = await create("POST", `/api/traces/${a.id}/shares`, { why: true });
  const [signIn] = (await client.get("/api/account/sessions")).json.sessions;
  const [number, otherNumber] = await issuesOf(client, 2);
  const comment = await create("POST", `/api/issues/${number}/comments`, { text: "seen" });
  const channel = await create("POST", "/api/alerts/channels", {
    kind: "webhook",
    name: "hook",
    url: HOOK_URL,
  });
  const { deliveryId } = await create("POST", `/api/alerts/channels/${channel.id}/test`, {});
  // Only a message that is finished can be sent again.
  await sql`
    update alert_deliveries set state = 'failed', next_attempt_at = null
    where workspace_id = ${workspaceId} and id = ${deliveryId}`.execute(db);
  const { rows: users } = await sql<{ id: UserId }>`select id from users where email = ${email}`.execute(db);
  const userId = users[0]?.id;
  if (!userId) throw new Error("The account was not copied");
  const colleague = await addColleague(db, workspaceId);
  const invited = { email: `${randomUUID()}@example.test`, role: "viewer" };
  const invitation = await create("POST", "/api/invitations", invited);
  const workspace = (await client.get("/api/workspace")).json;
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const planned = { from: new Date().toISOString(), to: soon };
  const alertRule = { kind: "failure_rate", name: "fails", agent: a.name, above: 0.5 };
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
      number,
      issue: number,
      issues: [otherNumber],
      in: "now",
      text: "seen",
      userId: colleague,
      role: "viewer",
    },
    knownAt: {
      "/api/invitations": {
        email: `${randomUUID()}@example.test`,
        token: new URL(invitation.url).searchParams.get("token"),
      },
      "/api/workspace/domains": { domain: `${randomUUID()}.example`, role: "viewer" },
      "/api/workspace": { name: workspace.name },
      "/api/alerts/channels": { kind: "webhook", url: HOOK_URL },
      "/api/alerts/rules": { ...alertRule, until: soon },
      "/api/alerts/maintenance": planned,
    },
    ids: {
      "/api/traces": a.id,
      "/api/keys": send.id,
      "/api/sessions": SESSION,
      "/api/account/sessions": signIn.id,
      "/api/account/passkeys": await insertPasskey(db, userId),
      "/api/account/identities": await insertIdentity(db, userId),
      "/api/shares": share.id,
      "/api/invitations": invitation.id,
      "/api/workspace/domains": (
        await create("POST", "/api/workspace/domains", { domain: "known.example", role: "viewer" })
      ).id,
      "/api/account/joinable": await openToDomain(db, "example.test"),
      "/api/scores": score.id,
      "/api/issues/{number}/comments": comment.id,
      "/api/alerts/channels": channel.id,
      "/api/alerts/deliveries": deliveryId,
      "/api/alerts/rules": (await create("POST", "/api/alerts/rules", alertRule)).id,
      "/api/alerts/maintenance": (await create("POST", "/api/alerts/maintenance", planned)).id,
      "/api/prices": (await create("PUT", "/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 })).id,
      "/api/views": (await create("POST", "/api/views", { name: "mine", query: "status=ERROR" })).id,
      "/api/insights/rules": (await create("POST", "/api/insights/rules", rule)).id,
    },
  };
}

/** Adds another owner, whose role can be changed, and returns the id. */
async function addColleague(db: Database, workspaceId: WorkspaceId): Promise<string> {
  const { rows } = await sql<{ userId: string }>`
    with added as (
      insert into users (email, password_hash) values (${`${randomUUID()}@example.test`}, 'none') returning id
    )
    insert into memberships (user_id, workspace_id, role) select id, ${workspaceId}, 'owner' from added
    returning user_id`.execute(db);
  return rows[0]?.userId ?? "";
}

/** Adds a workspace that people of the domain may join, and returns its id. */
async function openToDomain(db: Database, domain: string): Promise<string> {
  const { rows } = await sql<{ workspaceId: string }>`
    with added as (insert into workspaces default values returning id)
    insert into workspace_domains (workspace_id, domain, role, token, verified_at, checked_at)
    select id, ${domain}, 'viewer', 'none', now(), now() from added returning workspace_id`.execute(db);
  return rows[0]?.workspaceId ?? "";
}

/** The numbers of issues, as soon as a worker has counted them. */
async function issuesOf(client: Client, count: number): Promise<number[]> {
  for (;;) {
    const { issues } = expectStatus(await client.get("/api/issues"), 200).json;
    if (issues.length >= count) return issues.map(({ number }: { number: number }) => number);
    await sleep(100);
  }
}

const newTrace = (decided: object, statusMessage: string) =>
  trace({
    status: "ERROR",
    startedAt: new Date().toISOString(),
    tags: ["t"],
    sessionId: SESSION,
    spans: [span({ id: "s", status: "ERROR", statusMessage })],
    decisionPoints: [decided],
    events: [event({ id: "e" })],
  });
