import { hash32ToHex, signatureToHex, signDecision } from "@whytrace/contract";
import { insertIdentity, insertPasskey } from "@whytrace/testing/samples/insert-factors.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { setAside } from "../insights/scorecards/set-aside.ts";

let booted: Booted;
beforeAll(async () => {
  booted = await boot(
    { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" },
    { pausesMs: { deletions: 100, issues: 100 } },
  );
});

const full = (n: number) =>
  trace({
    name: `run ${n}`,
    metadata: { n },
    spans: [span({ input: { q: n } })],
    decisionPoints: [decision()],
    events: [event()],
  });
const { type, chosen, alternatives } = decision();
const signed = signDecision({ type, chosen, alternatives });
const neverSearch = {
  agent: "run",
  signature: signatureToHex(signed.signature),
  type,
  step: hash32ToHex(signed.step),
  option: signed.option,
  kind: "never",
};
/** The kind of the line that has the rows of a table. */
const EXPORTED_TABLES = {
  subscriptions: "subscription",
  api_keys: "apiKey",
  price_rules: "priceRule",
  saved_views: "savedView",
  trace_shares: "link",
  decision_rules: "decisionRule",
  sessions: "session",
  passkeys: "passkey",
  user_identities: "identity",
  memberships: "membership",
  decisions_set_aside: "decisionSetAside",
  situation_keys: "situationKeys",
  verdicts: "verdict",
  scores: "score",
  outcome_definitions: "outcomeDefinition",
  issues: "issue",
  issue_problems: "issue",
  issue_timeline: "issue",
  notification_settings: "notifications",
  masking: "masking",
  alert_channels: "channel",
  alert_rules: "alertRule",
  alert_incidents: "alertIncident",
  alert_maintenance: "maintenance",
  traces: "trace",
  spans: "trace",
  decision_points: "trace",
  events: "trace",
  trace_payloads: "trace",
};
const NOT_EXPORTED_TABLES = {
  email_verification_tokens: "hashes of secrets",
  password_reset_tokens: "hashes of secrets",
  sign_in_tokens: "hashes of secrets",
  invitations: "offers that nobody has accepted, of 7 days, and hashes of secrets",
  audit_positions: "counted from the audit log",
  audit_events: "what people did, which GET /api/audit/export downloads",
  devices: "hashes of secrets",
  totp_secrets: "secrets",
  recovery_codes: "hashes of secrets",
  cli_codes: "hashes of secrets",
  saved_view_defaults: "which view the list of a member opens with",
  workspace_domains: "settings of an owner, which GET /api/workspace/domains lists",
  sign_in_steps: "sign-ins of 5 minutes that wait for the second factor",
  masking_jobs: "how far stored traces are masked",
  billing_customers: "the number of the customer at the payment provider, and when it was asked",
  billing_checkouts: "how often a payment was begun",
  workspace_deletions: "exists only when the account does not any more",
  trace_owners: "the ids of the traces",
  outcome_jobs: "how far traces are judged again",
  masking_log: "who changed the masking rules, which GET /api/masking/log lists",
  alert_events: "messages of the last 30 days, which the log of their channel shows",
  alert_deliveries: "messages of the last 30 days, which the log of their channel shows",
  delivery_attempts: "messages of the last 30 days, which the log of their channel shows",
  alert_cursors: "when alert rules were checked",
  trace_totals: "counted from the traces",
  agent_sessions: "counted from the traces",
  decision_days: "counted from the traces",
  why_findings: "counted from the traces",
  problem_runs: "counted from the traces",
  agent_releases: "counted from the traces",
  issue_cursors: "how far traces are counted",
  likely_jobs: "issues whose likely decision is due",
  mail_notices: "mails that are about to be written",
  member_notices: "which mails were sent",
  unsubscribe_tokens: "hashes of secrets",
  trace_changes: "the ids of the traces that changed last",
  trace_manifests: "hashes of the traces",
  otlp_parts: "what was sent by OpenTelemetry, in the form from which traces are derived",
};

/** A rule that fired, and maintenance. */
async function addAlerts(user: Sender) {
  const rule = { kind: "cost_per_day", name: "costly", above: 1_000 };
  const { id } = expectStatus(await user.post("/api/alerts/rules", rule), 201).json;
  await sql`
    insert into alert_incidents (workspace_id, id, rule_id, started_at)
    values (${user.workspaceId}, gen_random_uuid(), ${id}, now())`.execute(booted.db);
  const [from, to] = [0, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
  expectStatus(await user.post("/api/alerts/maintenance", { from, to }), 201);
}

const lines = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/**
 * Every row of every table that contains the id of the user or the workspace, or the address. The audit logs of other
 * workspaces keep who did what.
 */
async function rowsLeft(user: Sender): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(booted.db);
  expect(tables.length).toBeGreaterThan(12);
  const left: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} as t`.execute(
      booted.db,
    );
    const { userId, workspaceId, email } = user;
    const texts = name === "audit_events" ? [workspaceId] : [userId, workspaceId, email];
    left.push(...rows.filter(({ line }) => texts.some((text) => line.includes(text))).map(() => name));
  }
  return left;
}

describe("GET /api/account/export", () => {
  it("returns all data of the user and no other's, each line with a kind", async () => {
    const [user, other] = [
      await newSender(booted.client, booted.db),
      await newSender(booted.client, booted.db),
    ];
    const sent = Array.from({ length: 5 }, (_, n) => full(n));
    await user.send(sent);
    await other.send([trace({ name: "not mine" })]);
    await user.put("/api/prices", { model: "our-*", inputUsd: 1, outputUsd: 2 });
    await user.post("/api/views", { name: "Failures", query: "status=ERROR" });
    const { decisions } = (await user.get("/api/decisions")).json;
    const [{ traceId, id: decisionPointId }] = decisions;
    await user.put("/api/insights/verdicts", { traceId, decisionPointId, verdict: "right" });
    await user.put("/api/outcomes", { agent: "run", version: 0, bad: [{ kind: "feedback" }] });
    const waiting = { id: "s", traceId: "not sent", name: "helpful", value: 0.5, metadata: { n: 1 } };
    await user.post("/api/scores", { scores: [waiting] });
    await user.post("/api/insights/rules", neverSearch);
    const { url } = (await user.post(`/api/traces/${traceId}/shares`, { payloads: false })).json;
    await setAside(booted.db, user.workspaceId, 4711, user.userId);
    await user.put("/api/insights/situation-keys?agent=run", { keys: ["case.kind"] });
    await user.send([{ ...sent[0], status: "ERROR" }]);
    await vi.waitFor(async () => expect((await user.get("/api/issues")).json.total).toBe(1), 30_000);
    const hook = { kind: "webhook", name: "ops", url: "http://127.0.0.1:1025/hook" };
    const { secret } = expectStatus(await user.post("/api/alerts/channels", hook), 201).json;
    await addAlerts(user);
    await insertPasskey(booted.db, user.userId);
    await insertIdentity(booted.db, user.userId);
    const response = await user.get("/api/account/export");
    expect(response.text).not.toContain(secret);
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const records = lines(response.text);
    expect(records.map((record) => record.kind)).toEqual([
      "user",
      "session",
      "passkey",
      "identity",
      // Nothing more of a workspace that has other members.
      "membership",
      "notifications",
      "membership",
      "notifications",
      "subscription",
      "retention",
      "apiKey",
      "priceRule",
      "savedView",
      "link",
      "decisionRule",
      "decisionSetAside",
      "outcomeDefinition",
      "masking",
      "situationKeys",
      "issue",
      "channel",
      "alertRule",
      "alertIncident",
      "maintenance",
      "verdict",
      "score",
      ...Array(5).fill("trace"),
      "end",
    ]);
    expect(records[0]).toMatchObject({ id: user.userId, email: user.email });
    expect(records.at(-1)).toEqual({ kind: "end", traces: 5 });
    for (const one of sent) {
      const { kind, ...exported } = records.find((record) => record.id === one.id);
      const { outcome } = (await user.get(`/api/traces/${one.id}/outcome`)).json;
      expect(exported).toEqual({ ...(await user.get(`/api/traces/${one.id}`)).json, outcome });
    }
    expect(records.find((record) => record.kind === "link")).toEqual({
      kind: "link",
      id: expect.any(String),
      traceId,
      traceName: expect.stringMatching(/^run /),
      hasPayloads: false,
      hasWhy: false,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
      isExpired: false,
      openCount: 0,
      lastOpenedAt: null,
      createdBy: { id: user.userId, name: "Ada" },
    });
    const { kind: valueKind, ...score } = (await user.get("/api/scores/s")).json;
    expect(records.find((record) => record.kind === "score")).toEqual({ kind: "score", ...score, valueKind });
    const kinds = records.map((record) => record.kind);
    expect(kinds).toEqual(expect.arrayContaining(Object.values(EXPORTED_TABLES)));
    for (const secret of [
      url.split("/").pop(),
      user.key,
      user.cookie?.split("=")[1] ?? "",
      "argon2",
      "not mine",
    ])
      expect(response.text).not.toContain(secret);
  });

  it("has the rows of every table with a user's rows, but for those with a reason not to", async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name in ('user_id', 'workspace_id')`.execute(booted.db);
    const known = [...Object.keys(EXPORTED_TABLES), ...Object.keys(NOT_EXPORTED_TABLES)];
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it("has a line for each trace, whatever white space was sent", async () => {
    const user = await newSender(booted.client, booted.db);
    const spaced = trace({ metadata: { n: 1 } });
    const { status } = await user.request("POST", "/api/traces", {
      raw: JSON.stringify({ traces: [spaced] }).replace('"n":', '"n":\n\r\n'),
      headers: { authorization: `Bearer ${user.key}` },
    });
    expect(status).toBe(200);
    const records = lines((await user.get("/api/account/export")).text);
    expect(records.find((record) => record.kind === "trace")).toMatchObject({ metadata: { n: 1 } });
  });

  it("streams more traces than one query reads, each once", async () => {
    const user = await newSender(booted.client, booted.db);
    await user.send(Array.from({ length: 210 }, () => trace()));
    const ids = lines((await user.get("/api/account/export")).text).flatMap((record) =>
      record.kind === "trace" ? [record.id] : [],
    );
    expect([ids.length, new Set(ids).size]).toEqual([210, 210]);
  });
});

describe("DELETE /api/account", () => {
  it("requires the password", async () => {
    const user = await newSender(booted.client, booted.db);
    for (const [body, status] of [
      [{ password: "wrong" }, 401],
      [{}, 400],
    ] as const)
      expect((await user.delete("/api/account", body)).status).toBe(status);
    expect((await user.get("/api/auth/session")).status).toBe(200);
  });

  it("leaves no row of the user in any table, and other users' rows unchanged", async () => {
    const [user, other] = [
      await newSender(booted.client, booted.db),
      await newSender(booted.client, booted.db),
    ];
    const othersTrace = full(1);
    await other.send([othersTrace]);
    await user.send(Array.from({ length: 600 }, (_, n) => full(n)));
    await booted.client.signIn(user.email);
    await booted.client.post("/api/auth/forgot-password", { email: user.email });
    await user.post("/api/insights/rules", neverSearch);
    await user.post("/api/scores", { scores: [{ traceId: "not sent", name: "helpful", value: true }] });
    await setAside(booted.db, user.workspaceId, 4711, user.userId);
    const hook = { kind: "webhook", name: "ops", url: "http://127.0.0.1:1025/hook" };
    const { id: channelId } = expectStatus(await user.post("/api/alerts/channels", hook), 201).json;
    expectStatus(await user.post(`/api/alerts/channels/${channelId}/test`), 200);
    await addAlerts(user);
    const stored = await rowsLeft(user);
    expect(stored.length).toBeGreaterThan(2_400);
    expect(stored).toEqual(
      expect.arrayContaining([
        "decision_rules",
        "decisions_set_aside",
        "devices",
        "scores",
        "alert_channels",
        "alert_deliveries",
        "alert_incidents",
        "alert_rules",
      ]),
    );

    const response = await user.delete("/api/account", { password: PASSWORD });
    expect([response.status, response.json]).toEqual([200, { success: true }]);
    expect(response.headers.getSetCookie()[0]).toMatch(/^whytrace_session=;/);
    // On a busy machine the response comes first, and a worker deletes the rest.
    await expect.poll(() => rowsLeft(user), { timeout: 100_000 }).toEqual([]);
    expect((await user.get("/api/auth/session")).status).toBe(401);
    expect((await user.send([trace()])).status).toBe(401);
    expect(
      (await booted.client.post("/api/auth/login", { email: user.email, password: PASSWORD })).status,
    ).toBe(401);
    expect((await other.get(`/api/traces/${othersTrace.id}`)).status).toBe(200);
  });

  it("stores nothing from requests in flight", async () => {
    const user = await newSender(booted.client, booted.db);
    const sends = Array.from({ length: 20 }, () => user.send([full(1)]));
    await user.delete("/api/account", { password: PASSWORD });
    for (const response of await Promise.all(sends)) expect([200, 401, 403]).toContain(response.status);
    // On a busy machine the response comes first, and a worker deletes the rest: after a failure half a minute later.
    await expect.poll(() => rowsLeft(user), { timeout: 60_000 }).toEqual([]);
  });
});
