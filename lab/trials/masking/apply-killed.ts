// Repeatedly kills the server with SIGKILL while it applies the level personal and a rule to stored traces, which came by JSON and by
// OTLP with masking off and have values of every type in every field. At times the rules change, so the job begins again. Passes if
// the job ends, each trace that is read meanwhile is unmasked or masked as a whole, each trace, score and note is at the end what
// another workspace has that got the same with the rules in force, and a pg_dump after VACUUM FULL has none of the values.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "@whytrace/testing/free-port.ts";
import { DECISION_ID, type PlantedTrace, plantedTrace } from "@whytrace/testing/masking/planted-trace.ts";
import { scanDump } from "@whytrace/testing/masking/scan-dump.ts";
import { comparableTrace, firstDifference } from "@whytrace/testing/otlp/compare-traces.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { CANARY_RULE, Canaries, canariesIn } from "@whytrace/testing/samples/canaries.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  describeConnectionError,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import pg from "pg";

const { values, positionals } = parseArgs({
  options: { traces: { type: "string", default: "4500" } },
  allowPositionals: true,
});
const KILLS = Number(positionals[0] ?? 50);
const TRACES = Number(values.traces);
const WHOLE_EVERY = 100;
const SCORED_EVERY = 5;
const SENT_AT_ONCE = 4;
const RULES_CHANGE_EVERY = 10;
/** After the first transaction of a server. */
const MAX_KILLED_AFTER_MS = 250;
const MAX_AWAITED_MS = 2_000;
const GIVE_UP_MS = 600_000;
/** What channels were told stays for 7 days, as the guide says. */
const LEFT_OUT_TABLES = ["alert_events"];

interface Copy {
  planted: PlantedTrace;
  /** The id of the trace in the workspace in which rules are applied, and in the one in which they were in force. */
  id: string;
  referenceId: string;
  before: string;
  expected: string;
}

interface Job {
  status: string;
  phase: string;
  version: string;
  done: string;
  total: string;
  changed: string;
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const env = { PORT: String(await freePort()) };
  let server = await startTrialServer(database.url, env);
  onCleanup(() => killServer(server));
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  const reference = await newTenant(server.url, database.url, LARGE_PLAN);
  const watch = new pg.Client(database.url);
  await watch.connect();
  onCleanup(() => watch.end());
  const violations = new Tally<string>();
  const rules = [CANARY_RULE];

  await setLevel(tenant, "off", []);
  await setLevel(reference, "personal", rules);
  // Equal values have equal tokens only under the same key.
  await execute(
    database.url,
    `update masking set key = source.key from masking as source
     where masking.workspace_id = '${reference.user.workspaceId}' and source.workspace_id = '${tenant.user.workspaceId}'`,
  );
  await killServer(server);
  server = await startTrialServer(database.url, env);

  const copies = await sendAll();
  await waitUntilDerived();
  for (const copy of copies) {
    copy.before = await readTrace(tenant, copy.id);
    copy.expected = (await readTrace(reference, copy.referenceId)).replaceAll(copy.referenceId, copy.id);
    if (copy.before === copy.expected) violations.add("a trace had nothing to mask");
  }
  const plantedBefore = await countPlanted();
  console.log(`${copies.length} traces stored twice; ${plantedBefore.size} values in the dump`);

  await setLevel(tenant, "personal", rules);
  expectStatus(await tenant.user.post("/api/masking/apply", {}), 202);
  const reads = new Tally();
  let isOver = false;
  const readers = [readMeanwhile(), readMeanwhile()];
  let [killsInTransaction, killsWithUnmasked, versions] = [0, 0, 1];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await waitForProgress();
    await sleep(randomInt(MAX_KILLED_AFTER_MS));
    const job = await readJob();
    if (job?.status !== "running") {
      violations.add(`the job was ${job?.status} at kill ${kill}`);
      break;
    }
    // The rest would be done before the last kill.
    const isAlmostDone = Number(job.done) > 0.9 * Number(job.total);
    if (kill % RULES_CHANGE_EVERY === 0 || isAlmostDone) {
      await setLevel(tenant, "personal", [...rules, { ...CANARY_RULE, name: `${kill}`, isEnabled: false }]);
      versions += 1;
    }
    // Half of the kills wait for a transaction, which they interrupt.
    if (await waitForTransaction(kill % 2 === 0 ? MAX_AWAITED_MS : 0)) killsInTransaction += 1;
    await killServer(server);
    if ((await countUnmasked()) > 0) killsWithUnmasked += 1;
    server = await startTrialServer(database.url, env);
  }
  const job = await waitUntilDone();
  isOver = true;
  await Promise.all(readers);

  await compareAll();
  await killServer(server);
  await execute(database.url, "vacuum full");
  const plantedAfter = await countPlanted();
  for (const value of [...plantedAfter].slice(0, 10)) console.log(`  left: ${value}`);
  console.log(
    `${KILLS} kills, ${killsInTransaction} in a transaction, ${killsWithUnmasked} while traces were unmasked, ${versions} versions of the rules; ` +
      `the job: ${job?.status}, ${job?.done} of ${job?.total} traces, ${job?.changed} changed; reads ${reads}; ` +
      `${plantedAfter.size} values in the dump; violations ${violations}`,
  );
  return (
    violations.isOnly() &&
    plantedAfter.size === 0 &&
    plantedBefore.size > 1_000 &&
    job?.status === "done" &&
    job.done === job.total &&
    reads.isOnly("unmasked", "masked", "connection lost", "refused")
  );

  async function setLevel({ user }: Tenant, level: string, sent: object[]) {
    const { version } = expectStatus(await user.get("/api/masking"), 200).json;
    expectStatus(await user.put("/api/masking", { version, level, rules: sent }), 200);
  }

  async function sendAll(): Promise<Copy[]> {
    const sent: Copy[] = [];
    let next = 0;
    const sendNext = async () => {
      for (let n = next++; n < TRACES; n = next++) {
        const planted = plantedTrace(n, WHOLE_EVERY);
        const copy = {
          planted,
          id: `a${planted.id.slice(1)}`,
          referenceId: `b${planted.id.slice(1)}`,
          before: "",
          expected: "",
        };
        await send(tenant, planted, copy.id);
        await send(reference, planted, copy.referenceId);
        if (!planted.isOtlp && n % SCORED_EVERY === 0) {
          const canaries = new Canaries(n);
          const comment = canaries.text("score.comment");
          const metadata = canaries.payload("score.metadata");
          await judge(tenant, copy.id, comment, metadata);
          await judge(reference, copy.referenceId, comment, metadata);
        }
        sent.push(copy);
      }
    };
    await Promise.all(Array.from({ length: SENT_AT_ONCE }, sendNext));
    return sent;
  }

  async function send({ key }: Tenant, { requests }: PlantedTrace, id: string) {
    for (const { path, contentType, body } of requests) {
      const response = await fetch(server.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": contentType },
        body: body(id),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
    }
  }

  async function judge({ user }: Tenant, traceId: string, comment: string, metadata: object) {
    const scores = [{ traceId, name: "helpful", value: 0.5, comment, metadata }];
    expectStatus(await user.post("/api/scores", { scores }), 200);
    const verdict = { traceId, decisionPointId: DECISION_ID, verdict: "right", note: comment };
    expectStatus(await user.put("/api/insights/verdicts", verdict), 200);
  }

  async function waitUntilDerived() {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(500)) {
      const [waiting] = await select<{ count: string }>(
        database.url,
        "select count(*) as count from traces where derive_after is not null",
      );
      if (waiting?.count === "0") return;
    }
    throw new Error("traces are not derived");
  }

  async function readTrace({ user }: Tenant, id: string): Promise<string> {
    const { json } = expectStatus(await user.get(`/api/traces/${id}`), 200);
    return withoutHashes(JSON.stringify(comparableTrace(json)));
  }

  /** Reads random traces: each is as it was or as it is to be. */
  async function readMeanwhile() {
    while (!isOver) {
      const copy = copies[randomInt(copies.length)];
      if (!copy) return;
      const found = await readTrace(tenant, copy.id).catch(describeConnectionError);
      if (found === copy.before) reads.add("unmasked");
      else if (found === copy.expected) reads.add("masked");
      else {
        reads.add(found.startsWith("{") ? "half masked" : found);
        if (found.startsWith("{"))
          violations.add(`read meanwhile: ${firstDifference(JSON.parse(found), JSON.parse(copy.expected))}`);
      }
      await sleep(20);
    }
  }

  async function readJob(): Promise<Job | undefined> {
    const [job] = await select<Job & Record<string, unknown>>(
      database.url,
      `select status, phase, version, done, total, changed from masking_jobs where workspace_id = '${tenant.user.workspaceId}'`,
    );
    return job;
  }

  /** Waits until the job has gone on, or ended. */
  async function waitForProgress() {
    const before = JSON.stringify(await readJob());
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(5)) {
      const job = await readJob();
      if (job?.status !== "running" || JSON.stringify(job) !== before) return;
    }
    throw new Error("the job does not go on");
  }

  async function waitUntilDone(): Promise<Job | undefined> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; await sleep(200)) {
      const job = await readJob();
      if (job?.status !== "running") return job;
    }
    return readJob();
  }

  /** Waits until a transaction has locked the row of the job: it masks traces. Returns false if none does in time. */
  async function waitForTransaction(maxMs: number): Promise<boolean> {
    for (const deadline = performance.now() + maxMs; ; await sleep(1)) {
      const { rowCount } = await watch.query(
        "select 1 from pg_locks where relation = 'masking_jobs'::regclass and mode = 'RowShareLock'",
      );
      if (rowCount || performance.now() > deadline) return rowCount !== 0;
    }
  }

  async function countUnmasked(): Promise<number> {
    const [row] = await select<{ count: string }>(
      database.url,
      `select count(*) as count from traces where workspace_id = '${tenant.user.workspaceId}' and masked is null`,
    );
    return Number(row?.count);
  }

  async function compareAll() {
    const [stored, expected] = [await readColumns(tenant), await readColumns(reference)];
    for (const { id, referenceId, expected: trace } of copies) {
      const difference =
        firstDifference(JSON.parse(await readTrace(tenant, id)), JSON.parse(trace)) ??
        firstDifference(
          JSON.parse(stored.get(id) ?? "{}"),
          JSON.parse(asOf(tenant, expected.get(referenceId) ?? "{}").replaceAll(referenceId, id)),
        );
      if (difference !== undefined) violations.add(difference);
    }
  }

  /** A member who judges is the author of the score. */
  function asOf({ user }: Tenant, columns: string): string {
    return columns.replaceAll(reference.user.userId, user.userId);
  }

  /** What is stored of traces beside what a request for a trace returns. */
  async function readColumns({ user: { workspaceId } }: Tenant): Promise<Map<string, string>> {
    const rows = await select<{ id: string; columns: string }>(
      database.url,
      `select id, json_build_object('agent', agent_hash::text, 'facts', decision_facts::text, 'pairs', metadata_pairs, 'outcome', outcome,
         'state', json_build_array(merge_state ->> 'hasRoot', merge_state ->> 'searchedName', merge_state ->> 'nextEvent'),
         'decisions', (select json_agg(json_build_array(search_text, choice) order by position) from decision_points as one
           where one.workspace_id = traces.workspace_id and one.trace_id = traces.id),
         'scores', (select json_agg(json_build_array(name, author, label, comment, metadata) order by name, author, comment, metadata::text)
           from scores as one where one.workspace_id = traces.workspace_id and one.trace_id = traces.id),
         'notes', (select json_agg(json_build_array(note, should_have_been) order by note) from verdicts as one
           where one.workspace_id = traces.workspace_id and one.trace_id = traces.id),
         'problems', (select json_agg(text order by text) from problem_runs as one
           where one.workspace_id = traces.workspace_id and one.trace_id = traces.id))::text as columns
       from traces where workspace_id = '${workspaceId}'`,
    );
    return new Map(rows.map(({ id, columns }) => [id, withoutHashes(columns)]));
  }

  async function countPlanted(): Promise<Set<string>> {
    const found = new Set<string>();
    await scanDump(database.url, LEFT_OUT_TABLES, (text) => {
      for (const { type, number } of canariesIn(text)) found.add(`${type} ${number}`);
    });
    return found;
  }
});

/**
 * A session id that comes by OTLP is an attribute, whose values get tokens that stay distinct, also in the metadata of its span. In
 * metadata that is stored already it is a value as any other.
 */
function withoutHashes(text: string): string {
  return text.replace(/\[(card|secret):[\da-f]{16}\]/g, "[$1]");
}
