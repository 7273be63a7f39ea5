// Measures the inbox of a workspace with 100,000 runs in 30 days (`--traces`), of which one in ten is bad, in 300 issues: the list with
// each order and filter, and one issue. A bad run is sent before each request. Passes if the p95 of each list is at most 150 ms, and that
// of one issue at most 300 ms. Also prints the CPU time of the server for each request, which a busy machine changes less, and what a bad run
// costs: its disk space with all indexes (at most 0.6 KB), and the CPU time of server and PostgreSQL for counting it (at most 0.15 ms).
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "@whytrace/testing/percentile.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { sql } from "kysely";
import { createDatabase, createPool } from "../../../packages/server/src/db/database.ts";
import { transaction } from "../../../packages/server/src/db/transaction.ts";
import type { WorkspaceId } from "../../../packages/server/src/db/workspace-id.ts";
import { countProblems } from "../../../packages/server/src/issues/count-problems.ts";
import { deleteAllIssues } from "../../../packages/server/src/issues/drop-empty-issues.ts";
import { processCpuMs } from "../../bench/measure/cpu-time.ts";

const { values } = parseArgs({
  options: { traces: { type: "string", default: "100000" }, rounds: { type: "string", default: "100" } },
});
const TRACES = Number(values.traces);
const ROUNDS = Number(values.rounds);
const TRACES_PER_REQUEST = 500;
const SENDERS = 2;
const WARM_UPS = 5;
const ISSUES = 300;
const AGENTS = 8;
const MAX_LIST_P95_MS = 150;
const MAX_ISSUE_P95_MS = 300;
const MAX_BAD_RUN_BYTES = 600;
const MAX_BAD_RUN_CPU_MS = 0.15;
const RANGE_MS = 29 * 24 * 3_600_000;
const NOW_MS = Date.now();

const word = (index: number) =>
  [index % 20, Math.floor(index / 20) % 20].map((at) => "abcdefghijklmnopqrst"[at]).join("");

function toTrace(id: string, index: number, startMs: number) {
  const startedAt = new Date(startMs).toISOString();
  const isBad = index % 10 === 3;
  const problem = Math.floor(index / 10) % ISSUES;
  const status = isBad ? "ERROR" : "COMPLETED";
  return {
    id,
    name: `agent ${"abcdefgh"[isBad ? problem % AGENTS : index % AGENTS]}`,
    status,
    startedAt,
    endedAt: new Date(startMs + 5_000).toISOString(),
    tags: [`release:1.${Math.floor((startMs - NOW_MS + RANGE_MS) / (RANGE_MS / 20))}`],
    metadata: { userId: `user ${index % 977}` },
    spans: [
      {
        id: "0",
        name: "call",
        type: "TOOL_CALL",
        status,
        startedAt,
        ...(isBad && { statusMessage: `order ${index} failed in ${word(problem)}` }),
      },
    ],
    decisionPoints: [
      {
        id: "d",
        parentSpanId: "0",
        type: "TOOL_SELECTION",
        chosen: index % 3 === 0 ? "search" : "lookup",
        alternatives: [index % 3 === 0 ? "lookup" : "search"],
        timestamp: startedAt,
      },
    ],
    events: [],
  };
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user, key } = await newTenant(server.url, database.url, LARGE_PLAN);
  const post = async (traces: object[]) => {
    const { status, text } = await postBatch(server.url, key, JSON.stringify({ traces }));
    if (status !== 200) throw new Error(`${status} ${text}`);
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < TRACES) {
        const first = next;
        next += TRACES_PER_REQUEST;
        const startMs = (index: number) => NOW_MS - RANGE_MS + (index * RANGE_MS) / TRACES;
        await post(
          Array.from({ length: TRACES_PER_REQUEST }, (_, offset) =>
            toTrace(`${user.workspaceId}-${first + offset}`, first + offset, startMs(first + offset)),
          ),
        );
      }
    }),
  );
  const isCounted = async () => {
    const [row] = await select<{ counted: boolean }>(
      database.url,
      "select bool_and(problems_version <= coalesce(issue_cursors.version, 0) and not is_behind) as counted from trace_totals join issue_cursors using (workspace_id)",
    );
    return row?.counted === true;
  };
  while (!(await isCounted())) await sleep(200);
  await execute(database.url, "vacuum analyze");
  const listed = expectStatus(await user.get("/api/issues?state=all"), 200).json;
  console.log(`${TRACES} runs, ${listed.total} issues`);

  const paths = {
    inbox: "",
    "100 a page": "?limit=100",
    "by runs": "?sort=runs",
    "by people": "?sort=people",
    "of an agent": "?agent=agent%20a",
    "of a release": "?release=1.10",
    search: "?search=failed%20in%20b",
    "one issue": `/${listed.issues[0]?.number}`,
  };
  let hasPassed = listed.total === ISSUES;
  let sent = 3;
  for (const [name, path] of Object.entries(paths)) {
    const times: number[] = [];
    let usedMs = 0;
    for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
      sent += 10;
      await post([toTrace(`later-${user.workspaceId}-${sent}`, sent, Date.now() - 1_000)]);
      const before = processCpuMs(server.child.pid ?? 0);
      const startedAt = performance.now();
      expectStatus(await user.get(`/api/issues${path}`), 200);
      if (round < 0) continue;
      times.push(performance.now() - startedAt);
      usedMs += processCpuMs(server.child.pid ?? 0) - before;
    }
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((fraction) => percentile(times, fraction));
    const format = (ms = Number.NaN) => ms.toFixed(0);
    console.log(
      `${name}: p50 ${format(p50)}, p95 ${format(p95)}, p99 ${format(p99)} ms, CPU of the server ${format(usedMs / ROUNDS)} ms`,
    );
    hasPassed &&= (p95 ?? Number.NaN) <= (name === "one issue" ? MAX_ISSUE_P95_MS : MAX_LIST_P95_MS);
  }
  await killServer(server);
  return (await isCheap(database.url)) && hasPassed;
});

/** Whether a bad run needs little disk and little CPU time: counts all of them again, without a server beside it. */
async function isCheap(databaseUrl: string): Promise<boolean> {
  const pool = createPool(databaseUrl, { max: 1 });
  const db = createDatabase(pool, undefined);
  try {
    const { rows } = await sql<{ workspaceId: WorkspaceId; runs: number; bytes: number; backend: number }>`
      select workspace_id, count(*) as runs, pg_total_relation_size('problem_runs') as bytes, pg_backend_pid() as backend
      from problem_runs group by workspace_id`.execute(db);
    const [row] = rows;
    if (!row) return false;
    const { workspaceId, runs, bytes, backend } = row;
    await transaction(db, (trx) => deleteAllIssues(trx, workspaceId));
    const usedMs = () => processCpuMs(process.pid) + processCpuMs(backend);
    const before = usedMs();
    let counted = 0;
    for (let isBehind = true; isBehind; ) {
      const slice = await transaction(db, (trx) => countProblems(trx, workspaceId));
      counted += slice?.counted ?? 0;
      isBehind = slice?.isBehind ?? false;
    }
    const [eachBytes, eachMs] = [bytes / runs, (usedMs() - before) / counted];
    console.log(
      `a bad run: ${eachBytes.toFixed(0)} bytes of ${runs} rows, ${eachMs.toFixed(3)} ms CPU, counting ${counted}`,
    );
    return counted === runs && eachBytes <= MAX_BAD_RUN_BYTES && eachMs <= MAX_BAD_RUN_CPU_MS;
  } finally {
    await db.destroy();
  }
}
