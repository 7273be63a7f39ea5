import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { MaskingLevel } from "@whytrace/contract/schemas/masking/settings";
import { otlpValue } from "@whytrace/testing/otlp/otlp-samples.ts";
import {
  logsRequest,
  nanos,
  otlpId,
  otlpSpan,
  sendOtlp,
  spansRequest,
} from "@whytrace/testing/otlp/sample-otlp.ts";
import { CANARY_RULE, Canaries } from "@whytrace/testing/samples/canaries.ts";
import { dumpTables } from "@whytrace/testing/samples/dump-tables.ts";
import {
  decision,
  event,
  newSender,
  type Sender,
  span,
  trace,
} from "@whytrace/testing/samples/sample-traces.ts";
import { sendCanaries } from "@whytrace/testing/samples/send-canaries.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";

const TIMEOUT_MS = 120_000;

let booted: Booted;
beforeAll(async () => {
  booted = await boot();
});

async function setLevel(user: Sender, level: MaskingLevel, rules: object[] = []) {
  const { version } = (await user.get("/api/masking")).json;
  expectStatus(await user.put("/api/masking", { version, level, rules }), 200);
}

async function waitUntilDone(user: Sender) {
  await expect
    .poll(async () => (await user.get("/api/masking")).json.job?.status, {
      timeout: TIMEOUT_MS,
      interval: 200,
    })
    .toBe("done");
  return (await user.get("/api/masking")).json.job;
}

async function newUser(): Promise<Sender> {
  const user = await newSender(booted.client, booted.db);
  await setLevel(user, "off");
  return user;
}

it("leaves no value that is masked now in any table after rules were applied, whichever way it came", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const canaries = new Canaries();
  const [id = "", ...otherIds] = await sendCanaries(booted.client, user, canaries);
  await nameReleaseInIssue(user);
  expect(canaries.foundIn(await dumpTables(booted.db, user)).length).toBeGreaterThan(1_000);
  await setLevel(user, "personal", [CANARY_RULE]);
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  const count = 1 + otherIds.length;
  expect(await waitUntilDone(user)).toMatchObject({ done: count, total: count, changed: count });
  // What was told to channels stays for 7 days, as the guide says.
  await sql`delete from alert_events where workspace_id = ${user.workspaceId}`.execute(booted.db);
  expect(canaries.foundIn(await dumpTables(booted.db, user))).toEqual([]);
  expect((await user.get(`/api/traces/${id}/masking`)).json).toMatchObject({ version: 3, isCurrent: true });
  // Applied again, nothing is left to change.
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  expect(await waitUntilDone(user)).toMatchObject({ changed: 0 });
});

/** Resolves an issue in the release of its run, which its timeline keeps. */
async function nameReleaseInIssue(user: Sender) {
  const listed = async () => (await user.get("/api/issues")).json.issues ?? [];
  await expect.poll(async () => (await listed()).length).toBeGreaterThan(0);
  const [{ number }] = await listed();
  const { rows } = await sql<{ name: string }>`
    select name from agent_releases where workspace_id = ${user.workspaceId} limit 1`.execute(booted.db);
  const release = `after ${rows[0]?.name}`;
  expectStatus(await user.post(`/api/issues/${number}/resolve`, { in: "release", release }), 200);
}

it("masks a trace to what it would be had it been sent later, and twice is once", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const mail = "ann@example.com";
  const fields = () => ({
    name: `for ${mail}`,
    sessionId: mail,
    metadata: { mail, userId: mail },
    spans: [
      span({ input: { mail, password: "x" }, output: ["to ann", "@example.com"], statusMessage: mail }),
    ],
    decisionPoints: [
      decision({ reasoning: mail, chosen: { name: "send", to: mail }, contextSnapshot: { mail } }),
    ],
    events: [event({ name: mail, metadata: { mail } })],
  });
  const read = async (id: string) => {
    const { id: _id, createdAt: _createdAt, ...stored } = (await user.get(`/api/traces/${id}`)).json;
    const withoutIds = JSON.stringify(stored, (key, value) =>
      /^(id|traceId)$/.test(key) ? undefined : value,
    );
    const { rows } = await sql<{ columns: string }>`
      select row_to_json(columns)::text as columns from (
        select agent_hash, decision_facts, metadata_pairs, outcome, masked,
          (select json_agg(json_build_array(search_text, choice)) from decision_points
            where workspace_id = ${user.workspaceId} and trace_id = ${id}) as decisions
        from traces where workspace_id = ${user.workspaceId} and id = ${id}) as columns`.execute(booted.db);
    return { json: JSON.parse(withoutIds), columns: JSON.parse(rows[0]?.columns ?? "") };
  };
  for (const level of ["personal", "structure"] as const) {
    await setLevel(user, "off");
    const before = trace(fields());
    expectStatus(await user.send([before]), 200);
    await setLevel(user, level);
    const after = trace(fields());
    expectStatus(await user.send([after]), 200);
    for (let round = 0; round < 2; round += 1) {
      expectStatus(await user.post("/api/masking/apply", {}), 202);
      await waitUntilDone(user);
      expect(await read(before.id)).toEqual(await read(after.id));
      await setLevel(user, level);
    }
  }
});

it("leaves a trace that came by OpenTelemetry so that more of it can come, whatever its name", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const traceId = otlpId(16);
  const input = { "input.value": "ann@example.com" };
  const sent = (name: string) => spansRequest([otlpSpan(traceId, input, { name })]);
  expectStatus(await sendOtlp(booted.client, user.key, sent("for ann@example.com \u{1f600}")), 200);
  await setLevel(user, "personal");
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  expect(await waitUntilDone(user)).toMatchObject({ done: 1, changed: 1 });
  expectStatus(await sendOtlp(booted.client, user.key, sent("more")), 200);
  const { text, json } = expectStatus(await user.get(`/api/traces/${traceId}`), 200);
  expect(json.spans).toHaveLength(2);
  expect(text).not.toContain("ann@example.com");
});

it("masks log records that waited for their trace while the rules changed, before or after it comes", {
  timeout: TIMEOUT_MS,
}, async () => {
  const mail = "ann@example.com";
  const apply = async (user: Sender) => {
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await waitUntilDone(user);
  };
  for (const isAppliedBefore of [false, true]) {
    const user = await newUser();
    const [traceId, spanId] = [otlpId(16), otlpId(8)];
    const record = { traceId, spanId, timeUnixNano: nanos(1), eventName: "gen_ai.user.message" };
    const logs = logsRequest([{ ...record, body: otlpValue({ content: mail }) }]);
    expectStatus(await sendOtlp(booted.client, user.key, logs, "logs"), 200);
    await setLevel(user, "personal");
    if (isAppliedBefore) await apply(user);
    const sent = otlpSpan(traceId, { "gen_ai.operation.name": "chat" }, { spanId });
    expectStatus(await sendOtlp(booted.client, user.key, spansRequest([sent])), 200);
    const isCurrent = async () => (await user.get(`/api/traces/${traceId}/masking`)).json.isCurrent;
    expect(await isCurrent()).toBe(isAppliedBefore);
    if (!isAppliedBefore) await apply(user);
    expect((await user.get(`/api/traces/${traceId}`)).text).toMatch(/\[email:\w{16}\]/);
    expect((await user.get(`/api/traces/${traceId}`)).text).not.toContain(mail);
    expect(await isCurrent()).toBe(true);
  }
});

it("is stopped, is not begun twice, and begins again when the rules change", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const traces = Array.from({ length: 60 }, () => trace({ spans: [span({ input: "ann@example.com" })] }));
  expectStatus(await user.send(traces), 200);
  await setLevel(user, "personal");
  // The worker waits for the lock of the job.
  await booted.db.transaction(async (trx) => {
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await sql`select status from masking_jobs where workspace_id = ${user.workspaceId} for update`.execute(
      trx,
    );
    const again = await user.post("/api/masking/apply", {});
    expect([again.status, again.json]).toEqual([409, { error: "Masking is already being applied" }]);
  });
  expectStatus(await user.delete("/api/masking/apply"), 200);
  await setLevel(user, "structure");
  const job = (await user.get("/api/masking")).json.job;
  expect(["stopped", "done"]).toContain(job.status);
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  await setLevel(user, "personal");
  expect((await waitUntilDone(user)).version).toBe((await user.get("/api/masking")).json.version);
  const { json } = await user.get("/api/masking/log");
  expect(json.entries.map(({ action }: { action: string }) => action)).toContain("applied");
});

it("leaves a trace as it was if something in it cannot be checked, and says so", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const slow = trace({ spans: [span({ input: `ann@example.com ${"lorem ipsum dolor ".repeat(60_000)}` })] });
  const other = trace({ spans: [span({ input: "ann@example.com" })] });
  for (const one of [slow, other]) expectStatus(await user.send([one]), 200);
  const before = (await user.get(`/api/traces/${slow.id}`)).json.spans[0].input;
  await setLevel(user, "personal");
  // Each takes several times as long for the text as all may together.
  const pattern = "(?:[a-zA-Z ,.]{1,40}){1,12}e";
  const rules = Array.from({ length: 5 }, (_, n) => ({
    name: `slow ${n}`,
    type: "pattern",
    pattern,
    source: "*",
    method: "replace",
  }));
  await booted.db.transaction(async (trx) => {
    // Saving would refuse it.
    await sql`
      update masking set rules = ${JSON.stringify(rules)}::jsonb, version = version + 1
      where workspace_id = ${user.workspaceId}`.execute(trx);
    await sql`
      update trace_totals set masking_version = masking_version + 1 where workspace_id = ${user.workspaceId}`.execute(
      trx,
    );
  });
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  expect(await waitUntilDone(user)).toMatchObject({ done: 2, changed: 1, leftOut: 1 });
  expect((await user.get(`/api/traces/${slow.id}`)).json.spans[0].input).toBe(before);
  expect((await user.get(`/api/traces/${slow.id}/masking`)).json.isCurrent).toBe(false);
  expect((await user.get(`/api/traces/${other.id}`)).text).not.toContain("ann@example.com");
  // Without the pattern it can be checked.
  await setLevel(user, "personal");
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  expect(await waitUntilDone(user)).toMatchObject({ changed: 1, leftOut: 0 });
});

it("leaves each trace masked as a whole or not at all when connections die in the middle", {
  timeout: TIMEOUT_MS,
}, async () => {
  const user = await newUser();
  const mail = "ann@example.com";
  const traces = Array.from({ length: 40 }, () =>
    trace({
      name: mail,
      spans: [span({ input: mail }), span({ name: mail })],
      decisionPoints: [decision({ reasoning: mail })],
      events: [event({ metadata: { mail } })],
    }),
  );
  expectStatus(await user.send(traces), 200);
  await setLevel(user, "personal");
  expectStatus(await user.post("/api/masking/apply", {}), 202);
  const placesOf = async (id: string) => (await user.get(`/api/traces/${id}`)).text.split(mail).length - 1;
  for (let kill = 0; kill < 3; kill += 1) {
    await sleep(randomInt(20, 200));
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%masking%'`.execute(
      booted.db,
    );
    for (const { id } of [traces.at(0), traces.at(20), traces.at(-1)].flatMap((one) => one ?? []))
      expect([0, 5]).toContain(await placesOf(id));
  }
  expect((await waitUntilDone(user)).changed).toBe(40);
  for (const { id } of traces.slice(0, 20)) expect(await placesOf(id)).toBe(0);
});
