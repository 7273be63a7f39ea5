// Sends the worst shapes that a tenant can send, each at one, two and four times its size, then reads them by every route of
// the reference and every tool for assistants, lets a second server run all background jobs over them, and deletes them.
// For each it measures CPU of server and PostgreSQL, the longest stall, memory and what a second tenant saw. Fails if work
// grows faster than the shape, anybody waits more than 100 ms for the event loop, the server needs more memory than it may, a
// response is a 5xx, or the second tenant is refused or slowed down. `--only text` runs the shapes whose names contain it,
// `--skip text` the others.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { percentile } from "@whytrace/testing/percentile.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { findPostmaster, postgresCpuMs, processCpuMs } from "../bench/measure/cpu-time.ts";
import { Neighbour, type NeighbourReport } from "./support/neighbour.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./support/process-memory.ts";
import { postRaw } from "./support/raw-request.ts";
import {
  type KnownValues,
  type ListedTool,
  type ReferenceDocument,
  type ReferenceRequest,
  referenceRequests,
  toolRequests,
} from "./support/reference-requests.ts";
import { type SentShape, TRACE_SHAPES, type TraceShape } from "./support/trace-shapes.ts";

const { values: flags } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    skip: { type: "string" },
    /** Only these routes and jobs, for example `--route blame`. */
    route: { type: "string", default: "" },
    /** How often a read above a limit is measured: the machine has other work, too. */
    repeats: { type: "string", default: "3" },
    /** Also each other parameter of a route, with the largest shape: takes several times as long. */
    parameters: { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
  },
});
const REPEATS = Number(flags.repeats);
const SCALES = [1, 2, 4];
const LARGEST = 4;
const MAX_STALL_MS = 100;
const MAX_GROWN_MIB = 200;
const MAX_RSS_MIB = 1_000;
/** Work that takes less is not compared between scales: it is mostly the request itself. */
const MIN_COMPARED_CPU_MS = 80;
/** How many times the CPU four times the shape may take; quadratic work takes 16 times. */
const MAX_GROWTH = 6.5;
const MAX_NEIGHBOUR_RATIO = 2;
/** The p99 of fewer requests is just the slowest. */
const MIN_COMPARED_REQUESTS = 200;
const QUIET_MS = 20_000;
const MAX_QUIET_WAIT_MS = 60_000;
const QUIET_ROUND_MS = 250;
/** CPU beyond what the second tenant takes, of a round in which the server rests. */
const MAX_RESTING_CPU_MS = 60;

/** What was done: a request or a job, over a shape at a scale. */
interface Work {
  route: string;
  parameter?: string | undefined;
  shape: string;
  scale: number;
}

interface Measured {
  cpuMs: number;
  stallMs: number;
  grownMib: number;
  rssMib: number;
  statuses: string;
  neighbour: NeighbourReport;
}

const measurements: (Work & Measured)[] = [];
const failures: string[] = [];

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const postmaster = await findPostmaster(database.url);
  /** A statement can grow faster than its shape, too. */
  const usedCpuMs = (serverPid: number) => processCpuMs(serverPid) + postgresCpuMs(postmaster);
  const second = await newTenant(server.url, database.url, LARGE_PLAN);
  const neighbour = new Neighbour({ url: server.url, key: second.key, cookie: second.user.cookie ?? "" });
  onCleanup(() => neighbour.stop());
  const reference: ReferenceDocument = (await second.user.get("/api/openapi.json")).json;
  await neighbour.during(() => sleep(3_000));
  /** CPU that a request of the second tenant takes; it is not the work's. */
  let ownCpuMs = 0;
  const { cpuMs, neighbour: quiet } = await measureOnce(() => sleep(QUIET_MS).then(() => ""));
  ownCpuMs = cpuMs / quiet.requests;
  const quietCpuShare = cpuMs / QUIET_MS;
  const quietP99Ms = percentile(quiet.workMs, 0.99);
  console.log(
    `quiet: second tenant p50 ${percentile(quiet.workMs, 0.5).toFixed(1)} ms, p99 ${quietP99Ms.toFixed(1)} ms, stall ${quiet.stallMs.toFixed(0)} ms`,
  );

  const shapes = Object.entries(TRACE_SHAPES).filter(
    ([name]) => name.includes(flags.only) && !(flags.skip && name.includes(flags.skip)),
  );
  for (const [name, shape] of shapes) {
    const first = measurements.length;
    for (const scale of SCALES) await tryShape(name, scale, shape);
    const stallsMs = measurements.slice(first).map(({ stallMs }) => stallMs);
    console.log(`${name}: ${stallsMs.length} requests, longest stall ${Math.max(...stallsMs).toFixed(0)} ms`);
    if (server.child.exitCode !== null || server.child.signalCode !== null) {
      failures.push(`${name}: the server ended`);
      break;
    }
  }
  judge(quietP99Ms);
  console.log(failures.length === 0 ? "no failures" : `failures:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;

  async function tryShape(name: string, scale: number, shape: TraceShape) {
    const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
    const [sent, other] = [shape(scale), shape(scale)];
    await measure({ route: sentBy(sent), shape: name, scale }, () => sendShape(tenant, sent));
    await measure({ route: "job: after traces came", shape: name, scale }, quietDown);
    await sendShape(tenant, other);
    await quietDown();
    const readKey = (await tenant.user.post("/api/keys", { name: "read", scope: "read" })).json.key;
    const known = await knownValues(tenant, sent, other);
    const tools = await callTool(readKey, { method: "tools/list" });
    // The answer is an event of a stream.
    const listed: ListedTool[] = JSON.parse(/^data: (.*)$/m.exec(tools.text)?.[1] ?? tools.text).result.tools;
    for (const request of [...referenceRequests(reference, known), ...toolRequests(listed, known)]) {
      const { route, parameter } = request;
      const isTried = !parameter || (flags.parameters && scale === LARGEST);
      if (!isTried || !route.includes(flags.route)) continue;
      await measure({ route, parameter, shape: name, scale }, () => read(tenant, readKey, request), REPEATS);
    }
    await measure({ route: "DELETE /api/traces/{id}", shape: name, scale }, async () =>
      String((await tenant.user.delete(`/api/traces/${encodeURIComponent(sent.traceId)}`)).status),
    );
    await measureJobs(name, scale, tenant);
  }

  async function sendShape(tenant: Tenant, { requests }: SentShape): Promise<string> {
    const statuses = new Set<number>();
    for (const build of requests) {
      const { status, text } = await postRaw(server.url, tenant.key, build());
      statuses.add(status);
      if (status === 0 || status >= 500)
        failures.push(`${requests.length} requests: ${status} ${text.slice(0, 200)}`);
    }
    return [...statuses].join();
  }

  /** Waits until the server rests. */
  async function quietDown(): Promise<string> {
    const end = performance.now() + MAX_QUIET_WAIT_MS;
    for (let quietRounds = 0; quietRounds < 4; ) {
      const before = usedCpuMs(pid);
      await sleep(QUIET_ROUND_MS);
      const usedMs = usedCpuMs(pid) - before - quietCpuShare * QUIET_ROUND_MS;
      quietRounds = usedMs < MAX_RESTING_CPU_MS ? quietRounds + 1 : 0;
      if (performance.now() > end) return "still busy";
    }
    return "quiet";
  }

  async function knownValues(tenant: Tenant, sent: SentShape, other: SentShape): Promise<KnownValues> {
    const path = `/api/traces/${encodeURIComponent(sent.traceId)}/shares`;
    const url: string = (await tenant.user.post(path, {})).json?.url ?? "";
    const { rows = [] } = (await tenant.user.get("/api/insights/decisions")).json;
    const { traces = [] } = (await tenant.user.get("/api/traces?limit=1")).json;
    const { issues = [] } = (await tenant.user.get("/api/issues?limit=1")).json;
    return {
      ...sent,
      otherTraceId: other.traceId,
      token: url.split("/").pop() || "none",
      signature: rows[0]?.signature ?? "0000000000000000",
      agent: traces[0]?.name ?? "none",
      number: String(issues[0]?.number ?? 1),
    };
  }

  function callTool(key: string, message: object) {
    return postRaw(server.url, key, {
      path: "/mcp",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    });
  }

  async function read(tenant: Tenant, readKey: string, { path, tool }: ReferenceRequest): Promise<string> {
    if (tool) return String((await callTool(readKey, { method: "tools/call", params: tool })).status);
    const response = await fetch(server.url + path, { headers: { cookie: tenant.user.cookie ?? "" } });
    try {
      // The text of a large response would be the trial's own memory and time.
      for await (const _ of response.body ?? []);
    } catch {
      return "0 (closed before its end)";
    }
    return String(response.status);
  }

  /** A new server runs every worker at once. Its start takes the same time for each scale. */
  async function measureJobs(shape: string, scale: number, { user }: Tenant) {
    const work = { route: "job: all workers of a new server", shape, scale };
    if (!work.route.includes(flags.route)) return;
    await user.put("/api/workspace/retention", { days: 7 });
    await select(
      database.url,
      `update traces set created_at = now() - interval '30 days' where workspace_id = '${user.workspaceId}'`,
    );
    const jobs = await startTrialServer(database.url);
    const jobsPid = jobs.child.pid ?? 0;
    const watch = new Neighbour({ url: jobs.url, key: second.key, cookie: second.user.cookie ?? "" });
    const before = { cpuMs: usedCpuMs(jobsPid), rssMib: rssMib(jobsPid) };
    const { seen } = await watch.during(() => sleep(4_000));
    record(work, {
      cpuMs: usedCpuMs(jobsPid) - before.cpuMs,
      stallMs: seen.stallMs,
      grownMib: peakRssMib(jobsPid) - before.rssMib,
      rssMib: peakRssMib(jobsPid),
      statuses: "",
      neighbour: { ...seen, workMs: [] },
    });
    await watch.stop();
    await killServer(jobs);
  }

  /** Measures work up to `times`, and keeps the least of each figure: what is above it was the machine's other work. */
  async function measure(work: Work, run: () => Promise<string>, times = 1) {
    let least = await measureOnce(run);
    // CPU of other parameters is not compared between scales.
    const isCompared = () => !work.parameter && least.cpuMs >= MIN_COMPARED_CPU_MS;
    const isClear = () => least.stallMs <= MAX_STALL_MS && !isCompared();
    for (let round = 1; round < times && !isClear(); round += 1)
      least = leastOf(least, await measureOnce(run));
    record(work, least);
  }

  async function measureOnce(run: () => Promise<string>): Promise<Measured> {
    resetPeakRss(pid);
    const before = { cpuMs: usedCpuMs(pid), rssMib: rssMib(pid) };
    const { result: statuses, seen } = await neighbour.during(run);
    const peakMib = peakRssMib(pid);
    return {
      cpuMs: Math.max(0, usedCpuMs(pid) - before.cpuMs - ownCpuMs * seen.requests),
      stallMs: seen.stallMs,
      grownMib: Math.max(0, peakMib - before.rssMib),
      rssMib: peakMib,
      statuses,
      neighbour: seen,
    };
  }
});

function record(work: Work, measured: Measured) {
  measurements.push({ ...work, ...measured });
  const { cpuMs, stallMs, grownMib, rssMib, statuses, neighbour } = measured;
  const where = `${work.route}${work.parameter ? `, ${work.parameter}` : ""}, ${work.shape} x ${work.scale}`;
  const fail = (reason: string) => failures.push(`${where}: ${reason}`);
  if (flags.verbose)
    console.log(
      `${where}: ${statuses}, CPU ${cpuMs.toFixed(0)}, stall ${stallMs.toFixed(0)} ms, +${grownMib.toFixed(0)} MiB`,
    );
  if (/\b(0|5\d\d)\b/.test(statuses)) fail(statuses);
  if (stallMs > MAX_STALL_MS) fail(`stall ${stallMs.toFixed(0)} ms`);
  if (grownMib > MAX_GROWN_MIB) fail(`${grownMib.toFixed(0)} MiB more`);
  if (rssMib > MAX_RSS_MIB) fail(`${rssMib.toFixed(0)} MiB`);
  for (const refused of neighbour.refused.slice(0, 2)) fail(`the second tenant was refused: ${refused}`);
}

/** Prints a row for each route and notes what grows faster than its shape. */
function judge(quietP99Ms: number) {
  const rows = [...Map.groupBy(measurements, ({ route }) => route)].map(([route, all]) => {
    const growths = [
      ...Map.groupBy(all, ({ shape, parameter }) => `${shape} ${parameter ?? ""}`).values(),
    ].map(growthOf);
    const worst = (of: (one: Measured) => number) => all.reduce((a, b) => (of(b) > of(a) ? b : a));
    const slowest = worst((one) => one.cpuMs);
    const workMs = all.flatMap(({ neighbour }) => neighbour.workMs);
    const p99Ms = workMs.length < MIN_COMPARED_REQUESTS ? undefined : percentile(workMs, 0.99);
    if (p99Ms !== undefined && p99Ms > MAX_NEIGHBOUR_RATIO * quietP99Ms)
      failures.push(`${route}: second tenant p99 ${p99Ms.toFixed(0)} ms, quiet ${quietP99Ms.toFixed(0)}`);
    return {
      route,
      "CPU ms": Math.round(slowest.cpuMs),
      with: `${slowest.shape} x ${slowest.scale}`,
      growth: Math.max(...growths).toFixed(1),
      "stall ms": Math.round(worst((one) => one.stallMs).stallMs),
      "MiB more": Math.round(worst((one) => one.grownMib).grownMib),
      "second tenant p99 ms": p99Ms?.toFixed(1) ?? "",
    };
  });
  console.table(rows);
}

/** How many times the CPU the largest shape takes, compared with the smallest; 0 if both take little. */
function growthOf(measured: (Work & Measured)[]): number {
  const [smallest, largest] = [1, LARGEST].map((scale) => measured.find((one) => one.scale === scale));
  if (!smallest || !largest || largest.cpuMs < MIN_COMPARED_CPU_MS) return 0;
  const growth = largest.cpuMs / Math.max(smallest.cpuMs, MIN_COMPARED_CPU_MS / LARGEST);
  if (growth > MAX_GROWTH)
    failures.push(
      `${largest.route}, ${largest.shape}: CPU ${measured.map(({ cpuMs }) => cpuMs.toFixed(0)).join(", ")} ms at x ${SCALES}`,
    );
  return growth;
}

function sentBy({ requests }: SentShape): string {
  return `POST ${requests[0]?.().path ?? "/api/traces"}`;
}

function leastOf(a: Measured, b: Measured): Measured {
  return {
    ...a,
    cpuMs: Math.min(a.cpuMs, b.cpuMs),
    stallMs: Math.min(a.stallMs, b.stallMs),
    grownMib: Math.min(a.grownMib, b.grownMib),
    neighbour: {
      stallMs: Math.min(a.neighbour.stallMs, b.neighbour.stallMs),
      requests: a.neighbour.requests + b.neighbour.requests,
      workMs: [...a.neighbour.workMs, ...b.neighbour.workMs],
      refused: [...a.neighbour.refused, ...b.neighbour.refused],
    },
  };
}
