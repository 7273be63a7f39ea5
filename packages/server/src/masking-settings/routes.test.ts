import { randomUUID } from "node:crypto";
import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { dumpTables } from "@whytrace/testing/samples/dump-tables.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { sendByEveryDoor } from "@whytrace/testing/samples/send-by-every-door.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { countMasked } from "./count-masked.ts";

let booted: Booted;
let other: Booted;
beforeAll(async () => {
  booted = await boot();
  other = await boot({ DATABASE_URL: booted.databaseUrl });
});

async function setMasking(user: Sender, level: MaskingLevel, rules: Partial<MaskingRule>[] = []) {
  const { version } = (await user.get("/api/masking")).json;
  return expectStatus(await user.put("/api/masking", { version, level, rules }), 200).json;
}

async function newUser(level?: MaskingLevel): Promise<Sender> {
  const user = await newSender(booted.client, booted.db);
  if (level) await setMasking(user, level);
  return user;
}

const own = (values: Partial<MaskingRule>): Partial<MaskingRule> => ({
  name: "own",
  method: "replace",
  type: "anything",
  source: "*",
  ...values,
});
const inputOf = async (user: Sender, id: string) => (await user.get(`/api/traces/${id}`)).json.spans[0].input;

async function sendInput(user: Sender, input: unknown): Promise<string> {
  const sent = trace({ spans: [span({ input })] });
  expectStatus(await user.send([sent]), 200);
  return sent.id;
}

describe("whatever is stored", () => {
  it("is masked by every door and in every field: no table has an address that was sent", async () => {
    const user = await newUser("personal");
    const word = `ann${randomUUID().slice(0, 8)}`;
    const mail = `${word}@example.com`;
    const { sent, traceId, verdict } = await sendByEveryDoor(booted.client, user, mail);
    expect(verdict.note).toMatch(/^\[email:\w{16}\] agrees$/);

    const stored = (await user.get(`/api/traces/${sent.id}`)).json;
    expect(stored.sessionId).toMatch(/^\[email:[0-9a-f]{16}\]$/);
    for (const value of [
      stored.tags[0],
      stored.metadata.mail,
      stored.spans[0].input.mail,
      stored.events[0].name,
    ])
      expect(value).toBe(stored.sessionId);
    const derived = (await user.get(`/api/traces/${traceId}`)).json;
    expect(derived.spans[0].statusMessage).toBe(`refused by ${stored.sessionId}`);
    expect(derived.decisionPoints.length).toBeGreaterThan(0);
    expect(derived.sessionId).toBe(stored.sessionId);
    expect(await dumpTables(booted.db, user)).not.toContain(word);
    expect((await user.get(`/api/traces/${sent.id}/masking`)).json).toEqual({
      version: 2,
      isCurrent: true,
      counts: { email: 15 },
    });
    expect((await user.get(`/api/traces/${traceId}/masking`)).json.counts.email).toBeGreaterThan(8);
  });

  it("is masked in names, labels and authors of scores, where members keep their ids and judges stay distinct", async () => {
    const user = await newUser();
    await setMasking(user, "secrets", [own({ source: "names", text: "[name]" })]);
    const traceId = await sendInput(user, "x");
    const headers = { authorization: `Bearer ${user.key}` };
    const byKey = { traceId, name: "by key", value: 1, label: "good" };
    const body = { scores: ["ann", "ben"].map((author) => ({ ...byKey, author })) };
    expectStatus(await booted.client.request("POST", "/api/scores", { body, headers }), 200);
    const bySession = { traceId, name: "by session", value: "fine" };
    expectStatus(await user.post("/api/scores", { scores: [bySession] }), 200);
    const { scores } = (await user.get("/api/scores")).json;
    const titles = scores.map(({ name, value, label, author }: Record<string, unknown>) => [
      name,
      value,
      label,
      author,
    ]);
    const author = expect.stringMatching(/^\[own:[\da-f]{16}\]$/);
    expect(titles).toEqual([
      ["[name]", "[name]", null, user.userId],
      ["[name]", 1, "[name]", author],
      ["[name]", 1, "[name]", author],
    ]);
    expect(titles[1][3]).not.toBe(titles[2][3]);
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await expect
      .poll(async () => (await user.get("/api/masking")).json.job.status, { timeout: 60_000 })
      .toBe("done");
    expect((await user.get("/api/scores")).json.scores).toEqual(scores);
  });

  it("follows new rules as soon as they are saved, on every server, whatever is being stored meanwhile", async () => {
    const user = await newUser("off");
    const post = (url: string, id: string) =>
      fetch(`${url}/api/traces`, {
        method: "POST",
        headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
        body: JSON.stringify({ traces: [trace({ id, spans: [span({ input: "ann@example.com" })] })] }),
      });
    const urls = [booted.server.url, other.server.url];
    const levels = ["personal", "off", "personal", "off", "personal"] as const;
    const versions = new Map<number, string>([[(await user.get("/api/masking")).json.version, "off"]]);
    const sent: { id: string; answered: number }[] = [];
    let answered = [...versions.keys()][0] ?? 0;
    let isChanging = true;
    const writers = urls.flatMap((url) =>
      [0, 1].map(async () => {
        do {
          const id = randomUUID();
          sent.push({ id, answered });
          expect((await post(url, id)).status).toBe(200);
        } while (isChanging);
      }),
    );
    for (const level of levels) {
      const { version } = await setMasking(user, level);
      versions.set(version, level);
      answered = version;
    }
    isChanging = false;
    await Promise.all(writers);
    for (const { id, answered: atLeast } of sent) {
      const { version } = (await user.get(`/api/traces/${id}/masking`)).json;
      expect(version).toBeGreaterThanOrEqual(atLeast);
      const isMasked = (await inputOf(user, id)) !== "ann@example.com";
      expect(isMasked).toBe(versions.get(version) === "personal");
    }
  });

  it("is masked again to the same when a running trace is sent again, and by new rules if they changed", async () => {
    const user = await newUser("off");
    const spans = Array.from({ length: 6 }, (_, n) => span({ id: `s${n}`, input: "ann@example.com" }));
    const sent = trace({ status: "RUNNING", spans });
    const inputs = async () =>
      (await user.get(`/api/traces/${sent.id}`)).json.spans.map(({ input }: { input: string }) => input);
    await user.send([sent]);
    await setMasking(user, "personal");
    await user.send([{ ...sent, spans: [...spans, span({ input: "ann@example.com" })] }]);
    const masked = await inputs();
    expect(new Set(masked).size).toBe(1);
    expect(masked[0]).toMatch(/^\[email:/);
    await user.send([{ ...sent, status: "COMPLETED" }]);
    expect(await inputs()).toEqual(masked.slice(0, 6));
  });

  it("is refused while rules cannot be applied, and stored when they can again", async () => {
    const user = await newUser();
    await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(booted.db);
    await user.get("/api/masking");
    const setRules = (json: string) =>
      sql`update masking set rules = ${json}::jsonb where workspace_id = ${user.workspaceId}`.execute(
        booted.db,
      );
    await setRules('[{"name":"x","type":"pattern","pattern":"(","source":"*","method":"hash"}]');
    const response = await user.send([trace()]);
    expect([response.status, response.json]).toEqual([503, { error: "Masking rules cannot be applied" }]);
    expect(response.headers.get("retry-after")).toBe("10");
    expect((await user.get("/api/traces")).json.total).toBe(0);
    expectStatus(await user.send([trace()]), 503);
    const mails = async () => {
      const { rows } = await sql`
        select from mail_outbox where recipient = ${user.email} and subject like 'Nothing is stored%'`.execute(
        booted.db,
      );
      return rows.length;
    };
    await expect.poll(mails).toBe(1);
    await setRules("[]");
    expectStatus(await user.send([trace()]), 200);
  });

  it("is masked in a body that another thread stores, at both ends", async () => {
    const user = await newUser("personal");
    const id = await sendInput(user, `ann@example.com ${"lorem ipsum ".repeat(50_000)}ann@example.com`);
    const input = await inputOf(user, id);
    expect(input).toMatch(/^\[email:\w{16}\] lorem/);
    expect(input).toMatch(/\[email:\w{16}\]$/);
  });
});

describe("what is masked without a change of the rules", () => {
  it("gets a version of its own when the operator raises the floor: stored traces are out of date, and running ones are masked as a whole", async () => {
    const user = await newUser("off");
    const mail = "ann@example.com";
    const { version } = await setMasking(user, "off", [own({ type: "email", method: "keep" })]);
    const done = await sendInput(user, mail);
    const spans = Array.from({ length: 6 }, (_, n) => span({ id: `s${n}`, input: mail }));
    const running = trace({ status: "RUNNING", spans });
    expectStatus(await user.send([running]), 200);
    const floored = await boot({ DATABASE_URL: booted.databaseUrl, MASKING_FLOOR: "personal" });
    const there = (path: string) =>
      fetch(floored.server.url + user.pathOf("GET", path), { headers: { cookie: user.cookie ?? "" } }).then(
        (answer) => answer.json(),
      );
    expect(await there(`/api/traces/${done}/masking`)).toMatchObject({ version, isCurrent: false });
    const isCurrent = async () => (await user.get(`/api/traces/${done}/masking`)).json.isCurrent;
    expect(await isCurrent()).toBe(true);

    const again = await fetch(`${floored.server.url}/api/traces`, {
      method: "POST",
      headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json" },
      body: JSON.stringify({ traces: [{ ...running, spans: [...spans, span({ input: mail })] }] }),
    });
    expect(again.status).toBe(200);
    expect((await user.get(`/api/traces/${running.id}`)).text).not.toContain(mail);
    const raised = { version: version + 1, level: "personal" };
    expect(await there("/api/masking")).toMatchObject({ ...raised, floor: "personal" });
    // A server that has not been restarted yet does not take it back.
    await sendInput(user, "nothing");
    expect((await user.get("/api/masking")).json).toMatchObject(raised);
    expect((await user.get("/api/masking/log")).json.entries[0]).toMatchObject({
      version: version + 1,
      userId: null,
      action: "raised",
      detail: { before: { level: "off" }, after: { level: "personal" } },
    });
    expect(await isCurrent()).toBe(false);
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await expect.poll(isCurrent, { timeout: 60_000 }).toBe(true);
    expect(await inputOf(user, done)).toMatch(/^\[email:\w{16}\]$/);
  });

  it("gets a version of its own when a new release matches more", async () => {
    const user = await newUser();
    const id = await sendInput(user, "x");
    await sql`update masking set matchers = matchers - 1 where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    expect((await user.get(`/api/traces/${id}/masking`)).json).toMatchObject({
      version: 1,
      isCurrent: false,
    });
    expect((await user.get("/api/masking")).json).toMatchObject({ version: 2, level: "secrets" });
    expect((await user.get("/api/masking")).json).toMatchObject({ version: 2 });
  });
});

describe("the level structure", () => {
  it("is tried and previewed as it would be stored", async () => {
    const user = await newUser("personal");
    const tried = async (sent: object) =>
      (await user.post("/api/masking/test", { level: "structure", rules: [], ...sent })).json.masked;
    expect(await tried({ text: "Gestern1" })).toEqual({ masked: { bytes: 10 } });
    expect(await tried({ json: { a: "Gestern1" }, source: "metadata" })).toEqual({ masked: { bytes: 16 } });
    expect(await tried({ json: { name: "refund", for: "Gestern1" }, source: "chosen" })).toEqual({
      name: "refund",
    });
    expect(await tried({ text: "Gestern1 asked", source: "reasoning" })).toBe("[masked]");
    expect(await tried({ text: "no Gestern1", source: "errors" })).toMatch(/^\[error:\w{16}\]$/);
    expect(await tried({ text: "for ann@example.com", source: "names" })).toMatch(/^for \[email:/);
    expect(await tried({ text: "ann@example.com", source: "tags", level: "personal" })).toMatch(/^\[email:/);

    const decided = decision({ reasoning: "why", chosen: { name: "a", x: 1 }, alternatives: ["b"] });
    expectStatus(
      await user.send([trace({ spans: [span({ input: { a: 1 } })], decisionPoints: [decided] })]),
      200,
    );
    const preview = async () => {
      const { text } = await user.post("/api/masking/preview", { level: "structure", rules: [] });
      return JSON.parse(text.trim().split("\n").at(-1) ?? "").fields;
    };
    const places = ["span.input", "decision.reasoning", "decision.chosen"];
    for (const place of places)
      expect(await preview()).toContainEqual({ place, type: "structure", rule: null, count: 1, traces: 1 });
    expect((await user.get("/api/masking/log")).json.entries[0]).toMatchObject({
      userId: user.userId,
      action: "previewed",
      detail: { level: "structure" },
    });
    await setMasking(user, "structure");
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await expect
      .poll(async () => (await user.get("/api/masking")).json.job.status, { timeout: 60_000 })
      .toBe("done");
    expect(await preview()).toEqual([]);
  });

  it("keeps of comments only those of people: others quote what the run said", async () => {
    const user = await newUser("off");
    const id = await sendInput(user, "x");
    const score = {
      traceId: id,
      name: "quality",
      value: 1,
      comment: "of Gestern1",
      metadata: { a: "Gestern1" },
    };
    const post = (scores: object[]) =>
      booted.client.request("POST", "/api/scores", {
        body: { scores },
        headers: { authorization: `Bearer ${user.key}` },
      });
    const sent = [
      { ...score, id: "before", source: "judge" },
      { ...score, id: "person", source: "person" },
    ];
    expectStatus(await post(sent), 200);
    await setMasking(user, "structure");
    expectStatus(await post([{ ...score, id: "after", source: "judge" }]), 200);
    expectStatus(await user.post("/api/masking/apply", {}), 202);
    await expect
      .poll(async () => (await user.get("/api/masking")).json.job.status, { timeout: 60_000 })
      .toBe("done");
    const { rows } = await sql<{ id: string; comment: string; metadata: string }>`
      select id, comment, metadata::text as metadata from scores where workspace_id = ${user.workspaceId} order by id`.execute(
      booted.db,
    );
    const metadata = '{"masked":{"bytes":16}}';
    expect(rows).toEqual([
      { id: "after", comment: "[masked]", metadata },
      { id: "before", comment: "[masked]", metadata },
      { id: "person", comment: "of Gestern1", metadata },
    ]);
  });

  it("keeps sizes, names and options, and nothing else of payloads, reasons and errors", async () => {
    const user = await newUser("structure");
    const input = { question: "where is the parcel of Ann Beispiel" };
    const sent = trace({
      metadata: { customer: "Beispiel" },
      spans: [span({ input, statusMessage: "no parcel for Beispiel", status: "ERROR" })],
      decisionPoints: [
        decision({
          chosen: { name: "refund_api", arguments: { for: "Beispiel" } },
          alternatives: ["ask_human", { x: "Beispiel" }],
          reasoning: "Beispiel asked",
          contextSnapshot: { a: "Beispiel" },
        }),
      ],
    });
    expectStatus(await user.send([sent]), 200);
    const { json, text } = await user.get(`/api/traces/${sent.id}`);
    expect(text).not.toContain("Beispiel");
    expect(json.spans[0].input).toEqual({ masked: { bytes: JSON.stringify(input).length } });
    expect(json.spans[0].statusMessage).toMatch(/^\[error:[0-9a-f]{16}\]$/);
    expect(json.decisionPoints[0]).toMatchObject({
      chosen: { name: "refund_api" },
      alternatives: ["ask_human", { masked: { bytes: 16 } }],
      reasoning: "[masked]",
    });
  });

  it("derives decisions from spans of OpenTelemetry without keeping what they say", async () => {
    const user = await newUser("structure");
    const traceId = otlpId(16);
    const messages = JSON.stringify([
      {
        role: "assistant",
        parts: [
          { type: "text", content: "Beispiel" },
          { type: "tool_call", id: "1", name: "send", arguments: { to: "Beispiel" } },
        ],
      },
    ]);
    const one = {
      ...otlpSpan(traceId),
      attributes: [
        { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
        { key: "gen_ai.output.messages", value: { stringValue: messages } },
        { key: "customer", value: { stringValue: "Beispiel" } },
      ],
    };
    const headers = { authorization: `Bearer ${user.key}` };
    expectStatus(
      await booted.client.request("POST", "/v1/traces", { body: spansRequest([one]), headers }),
      200,
    );
    const { json } = await user.get(`/api/traces/${traceId}`);
    expect(json.spans[0].output).toEqual({ masked: { bytes: Buffer.byteLength(messages) } });
    expect(json.decisionPoints[0]).toMatchObject({
      chosen: { name: "send", arguments: {} },
      reasoning: "[masked]",
    });
    expect(await dumpTables(booted.db, user)).not.toContain("Beispiel");
  });
});

describe("GET and PUT /api/masking", () => {
  it("start at the level secrets; a change has a version, and an older one is refused", async () => {
    const user = await newUser();
    const first = (await user.get("/api/masking")).json;
    expect(first).toEqual({
      version: 1,
      level: "secrets",
      floor: "off",
      rules: [],
      job: null,
      changedAt: null,
      changedBy: null,
    });
    const saved = await setMasking(user, "off", [own({ source: "input.customer" })]);
    expect(saved).toMatchObject({ version: 2, level: "off", changedBy: user.userId });
    const { costMsPerMiB, ...settings } = saved;
    expect(costMsPerMiB).toBe(0);
    expect((await user.get("/api/masking")).json).toEqual(settings);
    const late = await user.put("/api/masking", { version: 1, level: "off", rules: [] });
    expect([late.status, late.json]).toEqual([
      409,
      { error: "The masking rules were changed meanwhile. Load them again." },
    ]);
    const { entries, total } = (await user.get("/api/masking/log")).json;
    expect([total, entries[0].version, entries[0].userId, entries[0].detail.before.level]).toEqual([
      1,
      2,
      user.userId,
      "secrets",
    ]);
  });

  it("let somebody lower the level only after a confirmation, and tell the owners and the audit log", async () => {
    const user = await newUser("personal");
    await sql`update users set email_verified_at = now() where id = ${user.userId}`.execute(booted.db);
    const confirmedAt = (at: string) =>
      sql`update sessions set confirmed_at = ${at}::timestamptz where user_id = ${user.userId}`.execute(
        booted.db,
      );
    await confirmedAt("2020-01-01");
    await setMasking(user, "personal", [own({ source: "input.customer" })]);
    const refused = await user.put("/api/masking", { version: 3, level: "secrets", rules: [] });
    expect([refused.status, refused.json]).toEqual([403, { error: "Confirm that it is you." }]);
    expect((await user.get("/api/masking")).json).toMatchObject({ version: 3, level: "personal" });
    await confirmedAt(new Date().toISOString());
    await setMasking(user, "secrets");
    const { rows: mails } = await sql<{ text: string }>`
      select text_body as text from mail_outbox where recipient = ${user.email} and subject like 'Less is masked%'`.execute(
      booted.db,
    );
    const prefix = await prefixOf(booted.db, user);
    expect(mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(
        new RegExp(
          `lowered the level of masking from personal to secrets\\.[^]*${prefix}/settings/masking\n`,
        ),
      ),
    ]);
    const { rows: events } = await sql<{ details: string }>`
      select details::text as details from audit_events where workspace_id = ${user.workspaceId} and action = 'masking.changed'
      order by position desc limit 1`.execute(booted.db);
    expect(JSON.parse(events[0]?.details ?? "")).toEqual({
      version: 4,
      before: "personal",
      after: "secrets",
      rules: 0,
    });
  });

  it("do not let a workspace go below the operator's floor, nor rules except from it", async () => {
    const floored = await boot({
      MASKING_FLOOR: "secrets",
      MASKING_DEFAULT: "off",
      MASKING_SECRET: "pepper",
    });
    const user = await newSender(floored.client, floored.db);
    expect((await user.get("/api/masking")).json).toMatchObject({ level: "secrets", floor: "secrets" });
    const low = await user.put("/api/masking", { version: 1, level: "off", rules: [] });
    expect([low.status, low.json.error]).toEqual([400, "The operator requires at least the level secrets"]);
    await setMasking(user, "secrets", [
      own({ type: "secret", method: "keep" }),
      own({ type: "key", method: "keep" }),
    ]);
    const id = await sendInput(user, { password: "x", text: "AKIAIOSFODNN7EXAMPLE" });
    expect(await inputOf(user, id)).toEqual({ password: "[secret]", text: "[secret]" });
  });

  it("refuse what cannot be a rule in words, and change nothing", async () => {
    const user = await newUser();
    const cases: [object, string][] = [
      [{ level: "high" }, "Invalid level. Must be one of: off, secrets, personal, structure"],
      [{ rules: 1 }, "rules must be an array"],
      [{ rules: Array.from({ length: 51 }, () => own({})) }, "At most 50 rules"],
      [
        { rules: [own({}), own({ type: "pattern", pattern: "(?=a)b" })] },
        "Rule 2: the pattern is not supported: lookahead, lookbehind and backreferences cannot be matched in linear time",
      ],
      [
        { rules: [own({ type: "pattern", pattern: "(" })] },
        "Rule 1: the pattern is not a regular expression",
      ],
      [{ rules: [own({ type: "pattern", pattern: "a*" })] }, "Rule 1: the pattern matches the empty text"],
      [
        { rules: [own({ type: "key", keys: [] })] },
        "Rule 1: keys must be 1 to 50 names of at most 100 characters",
      ],
      [{ rules: [own({ source: "spans[0]" })] }, "Rule 1: invalid source"],
      [{ rules: [own({ text: "x".repeat(101) })] }, "Rule 1: text must have at most 100 characters"],
      [{ rules: [own({ name: "" })] }, "Rule 1: name must have 1 to 100 characters"],
      [{ version: "1" }, "version must be a whole number"],
    ];
    for (const [change, error] of cases) {
      const { status, json } = await user.put("/api/masking", {
        version: 1,
        level: "off",
        rules: [],
        ...change,
      });
      expect([status, json], error).toEqual([400, { error }]);
    }
    expect((await user.get("/api/masking")).json).toMatchObject({ version: 1, level: "secrets" });
  });
});

/** Costs seconds per MiB. */
const SLOW = [own({ type: "pattern", pattern: "(?:[a-zA-Z ,.]{1,40}){1,10}e" })];
const TOO_SLOW =
  /^The patterns are too slow: \d+ ms per MiB \(at most 200\)\. Add a fixed word to them, or a source\.$/;

describe("own patterns", () => {
  it("are measured when they are saved or previewed, and those with a fixed word cost little", async () => {
    const user = await newUser();
    const rules = [own({ type: "pattern", pattern: "ORD-\\d{6}" })];
    await sendInput(user, { text: "lorem ipsum dolor ORD-123456 ".repeat(2_000) });
    const { costMsPerMiB, warning } = await setMasking(user, "secrets", rules);
    expect(costMsPerMiB).toBeGreaterThan(0);
    expect(warning).toBeUndefined();
    const preview = await user.post("/api/masking/preview", { level: "off", rules });
    const result = JSON.parse(preview.text.trim().split("\n").at(-1) ?? "");
    expect(result.costMsPerMiB).toBeGreaterThan(0);
    expect(result.warning).toBeUndefined();
  });

  it("are saved with a warning if they are slow on our own text alone", async () => {
    const user = await newUser();
    const slow = ["(a+)+$", "(x|x|x)*y"].map((pattern) => own({ type: "pattern", pattern }));
    expect((await setMasking(user, "off", slow)).warning).toMatch(/^The patterns are slow: /);
  });

  it("are refused if they are too slow together, also before anything is stored, unless their source is small", async () => {
    const user = await newUser();
    const refused = await user.put("/api/masking", { version: 1, level: "off", rules: SLOW });
    expect([refused.status, refused.json]).toEqual([400, { error: expect.stringMatching(TOO_SLOW) }]);
    const { text } = await user.post("/api/masking/preview", { level: "off", rules: SLOW });
    expect(JSON.parse(text.trim().split("\n").at(-1) ?? "").warning).toMatch(TOO_SLOW);
    expect((await user.get("/api/masking")).json).toMatchObject({ version: 1, rules: [] });

    const off = await setMasking(
      user,
      "secrets",
      SLOW.map((rule) => ({ ...rule, isEnabled: false })),
    );
    expect(off.costMsPerMiB).toBe(0);
    const small = await setMasking(
      user,
      "secrets",
      SLOW.map((rule) => ({ ...rule, source: "input.customer" })),
    );
    expect(small.costMsPerMiB).toBe(0);
  });

  it("that were saved before do not keep a level from being changed, but there is a warning", async () => {
    const user = await newUser();
    const { version } = (await user.get("/api/masking")).json;
    await sql`update masking set rules = ${JSON.stringify(SLOW)}::jsonb where workspace_id = ${user.workspaceId}`.execute(
      booted.db,
    );
    const change = { version, level: "personal", rules: SLOW };
    const saved = expectStatus(await user.put("/api/masking", change), 200).json;
    expect(saved).toMatchObject({ level: "personal", warning: expect.stringMatching(TOO_SLOW) });
    const more = [...SLOW, own({ type: "pattern", pattern: "[a-z]+[0-9]" })];
    expectStatus(await user.put("/api/masking", { ...change, version: saved.version, rules: more }), 400);
  });
});

describe("GET /api/masking/matches", () => {
  it("counts what was masked in the last 7 days by type and by rule, by every door", async () => {
    const user = await newUser();
    const { rules } = await setMasking(user, "secrets", [
      own({ name: "order", type: "pattern", pattern: "ORD-\\d{6}" }),
      own({ name: "customer", source: "input.customer" }),
      own({ name: "mail", type: "email" }),
    ]);
    const [order, customer, mail] = rules.map(({ id }: { id: string }) => id);
    const input = { customer: "Ann", note: "ORD-123456, ORD-654321: password sent to ann@example.com" };
    const [now, old] = [0, 8].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
    const sent = trace({ startedAt: now, spans: [span({ input: { ...input, password: "x" } })] });
    const { id } = sent;
    expectStatus(await user.send([sent, trace({ startedAt: old, spans: [span({ input })] })]), 200);
    const nanos = `${Date.now()}000000`;
    const times = { startTimeUnixNano: nanos, endTimeUnixNano: nanos };
    const body = spansRequest([otlpSpan(otlpId(16), { note: "ORD-111111" }, times)]);
    expectStatus(await sendOtlp(booted.client, user.key, body), 200);

    const counted = (await user.get("/api/masking/matches")).json;
    expect(counted).toEqual({
      since: expect.any(String),
      types: { pattern: 3, anything: 1, email: 1, secret: 1 },
      rules: { [order]: 3, [customer]: 1, [mail]: 1 },
    });
    expect(Date.now() - Date.parse(counted.since)).toBeGreaterThan(6.9 * 86_400_000);
    const { counts } = (await user.get(`/api/traces/${id}/masking`)).json;
    expect(counts).toEqual({ pattern: 2, anything: 1, email: 1, secret: 1 });
    const rest = { text: "ORD-123456", rules };
    expect((await user.post("/api/masking/test", rest)).json.counts).toEqual({ pattern: 1 });
  });

  it("counts the newest traces alone if there are many, and says since when", async () => {
    const user = await newUser("personal");
    const times = [3, 2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000).toISOString());
    const sent = times.map((at) => trace({ startedAt: at, spans: [span({ input: "ann@example.com" })] }));
    expectStatus(await user.send(sent), 200);
    const count = (maxTraces?: number) => countMasked(booted.db, user.workspaceId, maxTraces);
    expect(await count(2)).toEqual({ since: times[1], types: { email: 2 }, rules: {} });
    expect((await count()).types).toEqual({ email: 3 });
  });
});

describe("POST /api/masking/preview", () => {
  it("counts what would be masked, by place and without content, and changes nothing", async () => {
    const user = await newUser("off");
    const input = {
      mails: ["ann@example.com", "bob@example.com"],
      note: JSON.stringify({ to: "ann@example.com" }),
      "eve@example.com": 1,
    };
    const id = await sendInput(user, input);
    await sendInput(user, "nothing");
    const rules = [own({ name: "Order", type: "pattern", pattern: "noth.ng" })];
    const { text } = await user.post("/api/masking/preview", { level: "personal", rules });
    expect(text).not.toContain("example.com");
    const result = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    expect(result).toMatchObject({ kind: "result", traces: 2, matchedTraces: 2 });
    const found = result.fields.map(({ place, type, rule, count, traces }: Record<string, unknown>) => [
      place,
      type,
      rule,
      count,
      traces,
    ]);
    expect(found).toHaveLength(4);
    expect(found).toContainEqual(["span.input.mails.*", "email", null, 2, 1]);
    expect(found).toContainEqual(["span.input.note.to", "email", null, 1, 1]);
    expect(found).toContainEqual(["span.input", "pattern", "Order", 1, 1]);
    expect(found).toContainEqual([
      expect.stringMatching(/^span\.input\.\[email:\w{16}\]$/),
      "email",
      null,
      1,
      1,
    ]);
    expect(await inputOf(user, id)).toEqual(input);
    const refused = await user.post("/api/masking/preview", { level: "off", rules: [], traces: 0 });
    expect(refused.json).toEqual({ error: "traces must be a whole number from 1 to 1000" });
  });

  it("says at once that it has begun, and counts a text each time that it is repeated, by its place", async () => {
    const user = await newUser("off");
    const long = "to ann@example.com, and on ".repeat(10);
    const messages = [
      { role: "user", content: long },
      { role: "tool", content: JSON.stringify({ note: long }) },
    ];
    const spans = [{ messages }, { messages }, { messages, other: long }].map((input) => span({ input }));
    expectStatus(await user.send([trace({ spans })]), 200);
    const { text } = await user.post("/api/masking/preview", { level: "personal", rules: [] });
    const [first, { fields }] = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ kind: "progress", traces: 0 });
    const found = fields.map(({ place, count }: Record<string, unknown>) => [place, count]);
    expect(Object.fromEntries(found)).toEqual({
      "span.input.messages.*.content": 30,
      "span.input.messages.*.content.note": 30,
      "span.input.other": 10,
    });
  });

  it("finds what is in pieces, and says how many records are too large to be looked at", async () => {
    const user = await newUser("off");
    const spans = [
      span({ output: ["to ann@exa", "mple.com", " and on"] }),
      span({ input: `ann@example.com ${"x".repeat(1_048_576)}` }),
    ];
    expectStatus(await user.send([trace({ spans })]), 200);
    const { text } = await user.post("/api/masking/preview", { level: "personal", rules: [] });
    const result = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    expect(result).toMatchObject({ traces: 1, matchedTraces: 1, leftOut: 1 });
    expect(result.fields).toEqual([
      { place: "span.output.*", type: "email", rule: null, count: 1, traces: 1 },
    ]);
  });

  it("shows at most 1,000 places, however many keys objects have", async () => {
    const user = await newUser("off");
    const input = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, key) => [`k${key}`, "ann@example.com"]),
    );
    expectStatus(await user.send([trace({ spans: [span({ input })] })]), 200);
    const { text } = await user.post("/api/masking/preview", { level: "personal", rules: [] });
    const { fields } = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    expect(fields).toHaveLength(1_001);
    expect(fields[0]).toEqual({ place: "other places", type: "email", rule: null, count: 500, traces: 1 });
  });
});

describe("POST /api/masking/test", () => {
  it("masks a text or JSON as it would be stored, without storing it", async () => {
    const user = await newUser("personal");
    const tried = (await user.post("/api/masking/test", { text: "ann@example.com" })).json;
    expect(tried.counts).toEqual({ email: 1 });
    expect(await inputOf(user, await sendInput(user, "ann@example.com"))).toBe(tried.masked);
    const rules = [own({ source: "metadata.a", text: "[gone]" })];
    const json = { json: { a: 1, b: 2 }, source: "metadata", level: "off", rules };
    expect((await user.post("/api/masking/test", json)).json).toEqual({
      masked: { a: "[gone]", b: 2 },
      counts: { anything: 1 },
    });
    expect((await user.post("/api/masking/test", {})).json).toEqual({ error: "Send a text or json" });
  });
});
