// Sends seeded random traces by JSON and by OTLP in pieces, some of them again, applies other rules to them and then the level structure,
// and compares every stored text with a plain model of masking; looks values and tokens up by search, in lists and in explanations. Then
// four writers send traces over two servers while the rules change. Passes if every text is the model's, no value is found, a token is
// found exactly where the model has it, and each trace was masked by rules that were in force when it was stored.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { MaskingLevel, MaskingRule } from "@whytrace/contract/schemas/masking/settings";
import { Random } from "@whytrace/demo";
import { ChangingRules } from "@whytrace/testing/masking/changing-rules.ts";
import { PlainMasking } from "@whytrace/testing/masking/plain-masking.ts";
import { plainRanges } from "@whytrace/testing/masking/plain-ranges.ts";
import {
  maskPlainTrace,
  type PlainTrace,
  toPlainTrace,
  withSessionKeys,
} from "@whytrace/testing/masking/plain-trace.ts";
import { randomOtlpSpans, randomPostedTrace } from "@whytrace/testing/masking/random-traces.ts";
import { firstDifference } from "@whytrace/testing/otlp/compare-traces.ts";
import { encodeOtlp } from "@whytrace/testing/otlp/otlp-encoder.ts";
import { otlpTraces } from "@whytrace/testing/otlp/otlp-samples.ts";
import { postOtlp } from "@whytrace/testing/otlp/post-otlp.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import type { ServerProcess } from "@whytrace/testing/server/server-process.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";

const { values, positionals } = parseArgs({
  options: { seed: { type: "string", default: "1" }, changes: { type: "string", default: "200" } },
  allowPositionals: true,
});
const TRACES = Number(positionals[0] ?? 10_000);
const SEED = Number(values.seed);
const CHANGES = Number(values.changes);
const OTLP_SHARE = 0.3;
const BATCH_SIZE = 10;
const RESENT_EVERY = 4;
const READ_AT_ONCE = 4;
const SEARCHED_VALUES = 25;
const EXPLAINED_TRACES = 25;
const MAX_HITS = 200;
const SHOWN_DIFFERENCES = 5;
/** Records of one time are in the order of their ids, which depend on that of the trace. */
const LATER_MS = 50;
const GIVE_UP_MS = 1_800_000;

const rule = (fields: Partial<MaskingRule>): MaskingRule => ({
  name: "own",
  method: "replace",
  type: "anything",
  source: "*",
  ...fields,
});
/** The field of a value that comes by OTLP is that of its attribute, which a stored decision no longer tells: rules for all fields. */
const OTLP_RULES = [
  rule({ name: "order no.", type: "pattern", pattern: "ORD-\\d{6,8}", method: "hash" }),
  rule({ type: "pattern", pattern: "Ticket \\d+", text: "[ticket]" }),
  rule({ source: "metadata.customer", text: "[customer]" }),
];
const POSTED_RULES = [
  ...OTLP_RULES,
  rule({ source: "input.customer.*", text: "[gone]" }),
  rule({ type: "email", method: "keep", source: "metadata.support" }),
  rule({ type: "key", keys: ["db-password"], method: "keep", source: "input" }),
  rule({ type: "pattern", pattern: "ORD-\\d*[02468]", method: "keep" }),
  rule({ type: "pattern", pattern: "invoice", source: "messages:user", method: "mask" }),
  rule({ type: "key", keys: ["customer-no"], method: "remove" }),
  rule({ type: "ip", method: "mask", source: "errors" }),
  rule({ type: "phone", method: "remove", source: "output" }),
  rule({ type: "email", method: "mask", source: "tags" }),
];
const LATER_OTLP_RULES = [
  ...OTLP_RULES,
  rule({ name: "host", type: "pattern", pattern: "from host", method: "mask" }),
];
const LATER_POSTED_RULES = [
  ...LATER_OTLP_RULES,
  rule({ name: "note", source: "metadata.**.note", method: "hash" }),
  rule({ type: "pattern", pattern: "Please", source: "reasoning", method: "remove" }),
  rule({ source: "context.notes.*", method: "mask" }),
  rule({ type: "secret", method: "hash", source: "chosen" }),
];

/** Traces in a workspace, and what is expected of them. */
interface Expected {
  tenant: Tenant;
  traces: Map<string, PlainTrace>;
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const servers = [await startTrialServer(database.url), await startTrialServer(database.url)];
  for (const server of servers) onCleanup(() => killServer(server));
  const url = servers[0]?.url ?? "";
  const addTenant = () => newTenant(url, database.url, LARGE_PLAN);
  const poster = await addTenant();
  const exporter = await addTenant();
  const raw = await addTenant();
  const changer = await addTenant();
  const violations = new Tally<string>();
  const random = new Random(SEED);
  const otlpCount = Math.round(TRACES * OTLP_SHARE);

  let rulesOf = new Map<Tenant, MaskingRule[]>([
    [poster, POSTED_RULES],
    [exporter, OTLP_RULES],
  ]);
  await setRules(raw, "off", []);
  let maskings = await setAll("personal");

  const otlpMasking = new PlainMasking({ level: "personal", rules: OTLP_RULES, key: await keyOf(exporter) });

  const posted: Expected = { tenant: poster, traces: new Map() };
  const sentTexts = await sendPosted(TRACES - otlpCount);
  const exported: Expected = { tenant: exporter, traces: new Map() };
  const rawIds = await sendOtlp(otlpCount);
  await waitUntilDerived();
  await readRaw();
  await compare("masked at arrival");

  await sendAgain();
  await compare("sent again");
  await search();
  await explain();

  rulesOf = new Map([
    [poster, LATER_POSTED_RULES],
    [exporter, LATER_OTLP_RULES],
  ]);
  await apply("personal");
  await compare("masked by other rules");
  await sendMore();
  await compare("gone on with by OTLP");
  await apply("structure");
  await compare("structure only");

  const changing = new ChangingRules(
    servers.map((server) => server.url),
    database.url,
    changer,
  );
  await changing.run(CHANGES);
  console.log(`${changing}`);
  printRefusals(servers);
  console.log(`${TRACES} traces, ${otlpCount} by OTLP; violations ${violations}`);
  return violations.isOnly() && changing.violations.isOnly();

  async function setRules({ user }: Tenant, level: MaskingLevel, rules: MaskingRule[]) {
    const { version } = expectStatus(await user.get("/api/masking"), 200).json;
    expectStatus(await user.put("/api/masking", { version, level, rules }), 200);
  }

  /** Sets the rules of the workspaces, and returns the model of each. */
  async function setAll(level: MaskingLevel): Promise<Map<Tenant, PlainMasking>> {
    const models = new Map<Tenant, PlainMasking>();
    for (const [tenant, rules] of rulesOf) {
      await setRules(tenant, level, rules);
      models.set(tenant, new PlainMasking({ level, rules, key: await keyOf(tenant) }));
    }
    return models;
  }

  function masked(tenant: Tenant, trace: PlainTrace): PlainTrace {
    const masking = maskings.get(tenant);
    if (!masking) throw new Error("no model");
    return maskPlainTrace(trace, masking);
  }

  /** Sends traces in batches; returns the batches. */
  async function sendPosted(count: number): Promise<string[]> {
    const bodies: string[] = [];
    for (let left = count; left > 0; left -= BATCH_SIZE) {
      const traces = Array.from({ length: Math.min(left, BATCH_SIZE) }, () =>
        randomPostedTrace(random, random.uuid()),
      );
      for (const trace of traces) posted.traces.set(trace.id, masked(poster, toPlainTrace(trace)));
      const body = JSON.stringify({ traces });
      bodies.push(body);
      await post(body);
    }
    return bodies;
  }

  async function post(body: string) {
    const { status, text } = await postBatch(url, poster.key, body);
    if (status !== 200) throw new Error(`${status}: ${text}`);
  }

  /** Sends each trace in pieces of one or two spans to both workspaces; returns the ids in the one that masks nothing, by the other's. */
  async function sendOtlp(count: number): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (let index = 0; index < count; index += 1) {
      const id = `a${random.hex(31)}`;
      const rawId = `b${id.slice(1)}`;
      ids.set(id, rawId);
      const spans = randomOtlpSpans(random, id);
      while (spans.length > 0) await sendSpans(spans.splice(-random.between(1, 2)), id, rawId);
    }
    return ids;
  }

  async function sendSpans(spans: object[], id: string, rawId: string) {
    const text = JSON.stringify(otlpTraces(spans));
    for (const [tenant, ownId] of [
      [exporter, id],
      [raw, rawId],
    ] as const) {
      const { status } = await postOtlp(url, tenant.key, encodeOtlp(JSON.parse(text.replaceAll(id, ownId))));
      if (status !== 200) throw new Error(`spans got ${status}`);
    }
  }

  async function waitUntilDerived() {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(500)) {
      const waiting = await select(
        database.url,
        "select 1 from traces where derive_after is not null limit 1",
      );
      if (waiting.length === 0) return;
    }
    throw new Error("traces are not derived");
  }

  /** The model of a trace that comes by OTLP is that of the same trace where nothing is masked. */
  async function readRaw() {
    for (const [id, rawId] of rawIds)
      exported.traces.set(id, maskedAtArrival(toPlainTrace(await readTrace(raw, rawId, id))));
  }

  function maskedAtArrival(trace: PlainTrace): PlainTrace {
    return withSessionKeys(maskPlainTrace(trace, otlpMasking), trace, otlpMasking);
  }

  async function readTrace(tenant: Tenant, id: string, shownId = id): Promise<PlainTrace> {
    const { text } = expectStatus(await tenant.user.get(`/api/traces/${id}`), 200);
    const trace: PlainTrace = JSON.parse(text.replaceAll(id, shownId));
    return tenant === poster ? trace : numbered(trace);
  }

  async function compare(what: string) {
    const startedAt = performance.now();
    let count = 0;
    for (const { tenant, traces } of [posted, exported]) {
      const left = [...traces];
      const compareNext = async () => {
        for (let next = left.pop(); next; next = left.pop()) {
          const [id, expected] = next;
          const difference = firstDifference(toPlainTrace(await readTrace(tenant, id)), expected);
          count += 1;
          if (difference !== undefined) {
            if (violations.count(what) < SHOWN_DIFFERENCES) console.log(`  ${what}, ${id}: ${difference}`);
            violations.add(what);
          }
        }
      };
      await Promise.all(Array.from({ length: READ_AT_ONCE }, compareNext));
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(
      `${what}: ${count} traces compared in ${seconds.toFixed(0)} s, ${violations.count(what)} differ`,
    );
  }

  async function sendAgain() {
    for (const [index, body] of sentTexts.entries()) if (index % RESENT_EVERY === 0) await post(body);
  }

  /** Applies rules to what is stored, and to what is expected. */
  async function apply(level: MaskingLevel) {
    maskings = await setAll(level);
    for (const { tenant, traces } of [posted, exported]) {
      expectStatus(await tenant.user.post("/api/masking/apply", {}), 202);
      for (const [id, trace] of traces) {
        traces.set(id, masked(tenant, trace));
        await seeClosedConnections();
      }
    }
    for (const { tenant } of [posted, exported])
      for (const deadline = performance.now() + GIVE_UP_MS; ; await sleep(500)) {
        const { job } = expectStatus(await tenant.user.get("/api/masking"), 200).json;
        if (job.status === "done") break;
        if (performance.now() > deadline) throw new Error("the job does not end");
      }
  }

  /** A span more for some traces, so that they are derived again from what masking left of the spans before. */
  async function sendMore() {
    for (const [index, [id, rawId]] of [...rawIds].entries()) {
      if (index % RESENT_EVERY > 0) continue;
      const [, span] = randomOtlpSpans(random, id, LATER_MS);
      if (span) await sendSpans([span], id, rawId);
    }
    await waitUntilDerived();
    for (const [index, [id, rawId]] of [...rawIds].entries()) {
      if (index % RESENT_EVERY > 0) continue;
      const trace = maskedAtArrival(toPlainTrace(await readTrace(raw, rawId, id)));
      exported.traces.set(id, masked(exported.tenant, trace));
    }
  }

  async function keyOf(tenant: Tenant): Promise<Buffer> {
    const [row] = await select<{ key: Buffer }>(
      database.url,
      `select key from masking where workspace_id = '${tenant.user.workspaceId}'`,
    );
    return row?.key ?? Buffer.alloc(0);
  }

  /** The plain definition takes its time. The next request must see that the server closed a connection meanwhile. */
  function seeClosedConnections(): Promise<void> {
    return sleep(1);
  }

  /** Values are not found; tokens are found in exactly the traces in which the model has them. */
  async function search() {
    const masking = maskings.get(posted.tenant);
    const texts = new Map([...posted.traces].map(([id, trace]) => [id, JSON.stringify(trace)]));
    const addresses = new Set<string>();
    for (const body of sentTexts.slice(0, 50)) {
      for (const { value } of plainRanges(body, "email")) addresses.add(value);
      await seeClosedConnections();
    }
    let searched = 0;
    for (const address of addresses) {
      if (searched === SEARCHED_VALUES) break;
      const token = masking?.token("email", address) ?? "";
      const isKept = [...texts.values()].some((text) => text.includes(address));
      const expected = [...texts].filter(([, text]) => text.includes(token)).map(([id]) => id);
      if (isKept || expected.length === 0 || expected.length > MAX_HITS / 3) continue;
      searched += 1;
      if ((await find(address)).size > 0) violations.add("a value was found by search");
      const found = await find(token);
      if (firstDifference([...found].sort(), expected.sort()) !== undefined)
        violations.add(`a token was found in ${found.size} traces instead of ${expected.length}`);
      const listed = await posted.tenant.user.get(`/api/decisions?search=${encodeURIComponent(address)}`);
      if (expectStatus(listed, 200).json.total > 0) violations.add("a value was found in decisions");
    }
    console.log(`searched for ${searched} values and their tokens`);
    if (searched < Math.min(SEARCHED_VALUES, TRACES / 100)) violations.add("nothing to search for");
  }

  async function find(query: string): Promise<Set<string>> {
    const path = `/api/search?limit=${MAX_HITS}&q=${encodeURIComponent(query)}`;
    const lines = expectStatus(await posted.tenant.user.get(path), 200)
      .text.trim()
      .split("\n");
    const found = lines.map((line): { kind: string; trace?: { id: string }; traceId?: string } =>
      JSON.parse(line),
    );
    return new Set(
      found.flatMap(({ kind, trace, traceId }) => (kind === "hit" ? (trace?.id ?? traceId ?? []) : [])),
    );
  }

  /** What explains runs has no value that the traces do not have. */
  async function explain() {
    const paths = [
      "/api/decisions?limit=100",
      "/api/sessions",
      "/api/issues",
      "/api/insights/decisions",
      "/api/insights/agents",
    ];
    for (const { tenant, traces } of [posted, exported]) {
      const blamed = [...traces.keys()].slice(0, EXPLAINED_TRACES).map((id) => `/api/insights/blame/${id}`);
      const model = maskings.get(tenant);
      for (const path of [...paths, ...blamed]) {
        const { status, text } = await tenant.user.get(path);
        if (status !== 200 && status !== 404)
          violations.add(`${path.split("/").slice(0, 4).join("/")}: ${status}`);
        for (const type of ["iban", "card", "secret"] as const)
          if (plainRanges(text, type).length > 0 && model)
            violations.add(`a value in ${path.split("/").slice(0, 4).join("/")}`);
      }
    }
  }
});

/** Why servers answered 503: clients are told only that they should come back. */
function printRefusals(servers: readonly ServerProcess[]) {
  for (const { lines } of servers)
    for (const line of lines) if (line.includes('"answered 503"')) console.log(`  ${line}`);
}

/**
 * Decisions and events that the server derives have ids of its own, which depend on that of the trace. Those that change when a
 * trace goes on stand behind the others.
 */
function numbered({ decisionPoints, events, ...trace }: PlainTrace): PlainTrace {
  const timeOf = (child: object) => ("timestamp" in child ? String(child.timestamp) : "");
  const inOrder = <Child extends object>(children: readonly Child[]) =>
    [...children]
      .sort((a, b) => timeOf(a).localeCompare(timeOf(b)))
      .map((child, index) => ({ ...child, id: String(index) }));
  return { ...trace, decisionPoints: inOrder(decisionPoints), events: inOrder(events) };
}
