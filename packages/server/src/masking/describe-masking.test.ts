import { otlpId, otlpSpan, sendOtlp, spansRequest } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, expect, it } from "vitest";

const TOKEN = "a-token-for-the-metrics-of-this-test";

let booted: Booted;
let user: Sender;
beforeAll(async () => {
  booted = await boot({ MASKING_DEFAULT: "personal", METRICS_TOKEN: TOKEN });
  user = await newSender(booted.client, booted.db);
});

/** The value of a metric by its name and labels; undefined if it has none yet. */
async function metric(name: string): Promise<number | undefined> {
  const response = await fetch(`${booted.server.url}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const line = (await response.text()).split("\n").find((one) => one.startsWith(`whytrace_${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

const setRules = (json: string) =>
  sql`update masking set rules = ${json}::jsonb where workspace_id = ${user.workspaceId}`.execute(booted.db);
const BROKEN = '[{"name":"x","type":"pattern","pattern":"(","source":"*","method":"hash"}]';

it("counts values by type and method, and the time, by every door and in every thread", async () => {
  const emails = 'masking_values_total{type="email",method="hash"}';
  const input = "ann@example.com paid with 4111 1111 1111 1111";
  expectStatus(await user.send([trace({ tags: ["bob@example.com"], spans: [span({ input })] })]), 200);
  expect(await metric(emails)).toBe(2);
  expect(await metric('masking_values_total{type="card",method="replace"}')).toBe(1);

  const body = spansRequest([otlpSpan(otlpId(16), { mail: "ann@example.com" })]);
  expectStatus(await sendOtlp(booted.client, user.key, body), 200);
  expect(await metric(emails)).toBe(3);

  const before = (await metric("masking_seconds_total")) ?? 0;
  expect(before).toBeGreaterThan(0);
  const large = `ann@example.com ${"lorem ipsum ".repeat(50_000)}`;
  expectStatus(await user.send([trace({ spans: [span({ input: large })] })]), 200);
  expect(await metric(emails)).toBe(4);
  expect(await metric("masking_seconds_total")).toBeGreaterThan(before);
});

it("does not count texts that are tried", async () => {
  const phones = 'masking_values_total{type="phone",method="hash"}';
  expectStatus(await user.post("/api/masking/test", { text: "+49 30 123456 78" }), 200);
  expect(await metric(phones)).toBeUndefined();
});

it("counts rules that cannot be applied as failures, and jobs until they are done", async () => {
  await user.get("/api/masking");
  expect(await metric("masking_failures_total")).toBe(0);
  expectStatus(await user.put("/api/masking", { version: 1, level: "structure", rules: [] }), 200);
  await setRules(BROKEN);
  expectStatus(await user.send([trace()]), 503);
  expect(await metric("masking_failures_total")).toBe(1);

  expectStatus(await user.post("/api/masking/apply", {}), 202);
  await expect.poll(() => metric("masking_jobs"), { timeout: 30_000 }).toBe(1);
  await setRules("[]");
  await expect.poll(() => metric("masking_jobs"), { timeout: 30_000 }).toBe(0);
});
