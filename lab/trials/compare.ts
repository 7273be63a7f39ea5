// A tenant with 100,000 runs of 12 agents asks for runs to compare with, and two runs of 5,000 decisions each are compared.
// Passes if a partner agrees with its run as long as any other completed run of the agent does, the request takes at
// most 25 ms longer (p50) than one that reads only the session, and a comparison takes less than 200 ms of CPU. `--traces n` changes the number of runs.
import { parseArgs } from "node:util";
import { finishSteps, hash53 } from "@whytrace/contract";
import { median } from "@whytrace/testing/percentile.ts";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  runTrial,
  select,
  startTrialServer,
} from "@whytrace/testing/trial.ts";
import { agentHash } from "../../packages/server/src/decision-facts/agent-hash.ts";
import { compareDecisions } from "../../packages/server/src/insights/compare/compare-decisions.ts";

const AGENTS = 12;
const REQUESTS = 200;
const MAX_P50_MS = 25;
const MAX_CPU_MS = 200;
const DECISIONS = 5_000;
const OPTIONS = 40;

const { values } = parseArgs({ options: { traces: { type: "string", default: "100000" } } });
const traceCount = Number(values.traces);

await runTrial(async (onCleanup) => {
  const isFastEnough = compareUnrelated();
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const { user } = await newTenant(server.url, database.url, LARGE_PLAN);
  await insertRuns(database.url, user.workspaceId);
  const runs = await select<{ id: string }>(
    database.url,
    `select id from traces where status = 'ERROR' order by md5(id) limit ${REQUESTS}`,
  );
  const times: number[] = [];
  const sessionTimes: number[] = [];
  let different = 0;
  for (const { id } of runs) {
    sessionTimes.push(await timeOf(() => user.get("/api/auth/session")));
    times.push(await timeOf(() => user.get(`/api/insights/partners/${id}`)));
    const { json } = await user.get(`/api/insights/partners/${id}`);
    const found = json.partners.find(({ kind }: { kind: string }) => kind === "otherwise-well");
    if (found?.sameDecisions !== (await longestAgreement(database.url, user.workspaceId, id))) different += 1;
  }
  const [p50, sessionP50] = [median(times), median(sessionTimes)];
  console.log(
    `${runs.length} partners among ${traceCount} runs: p50 ${p50.toFixed(1)} ms, of a session ${sessionP50.toFixed(1)} ms; ${different} not the most similar`,
  );
  return isFastEnough && different === 0 && p50 - sessionP50 < MAX_P50_MS;
});

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Runs of 3 to 14 decisions. Most choose the first option, so many agree for long. */
async function insertRuns(url: string, workspaceId: string) {
  const hashes = Array.from({ length: AGENTS }, (_, agent) => agentHash(`agent ${agent}`));
  await execute(
    url,
    `set synchronous_commit = off; select setseed(0.5);
     insert into traces (workspace_id, id, name, status, tags, started_at, span_count, decision_point_count, event_count,
       agent_hash, decision_path)
     select '${workspaceId}', md5(n::text), 'agent ' || n % ${AGENTS}, case when random() < 0.1 then 'ERROR' else 'COMPLETED' end,
       '{}', timestamptz '2026-01-01' + n * interval '1 second', 0, length, 0,
       (array[${hashes.join(",")}])[n % ${AGENTS} + 1],
       (select string_agg(int4send((i * 7 + floor(3 * random() * random() * random()))::integer), ''::bytea order by i)
        from generate_series(1, length) as i)
     from (select n, 3 + (n * 7919) % 12 as length from generate_series(1, ${traceCount}) as n) as runs;
     analyze traces`,
  );
}

/** The most steps that another completed run of the agent has in common with a run, and then chose otherwise. */
async function longestAgreement(url: string, workspaceId: string, id: string): Promise<number> {
  const [row] = await select<{ longest: number }>(
    url,
    `select max(agreement) as longest from (
       select (select count(*) from generate_series(1, length(own.decision_path) / 4) as i
               where substring(other.decision_path for i * 4) = substring(own.decision_path for i * 4))::integer as agreement,
         length(own.decision_path) / 4 as length
       from traces as own join traces as other on other.workspace_id = own.workspace_id and other.agent_hash = own.agent_hash
         and other.status = 'COMPLETED' and other.id <> own.id
         and substring(other.decision_path for 4) = substring(own.decision_path for 4)
       where own.workspace_id = '${workspaceId}' and own.id = '${id}') as agreements
     where agreement < length`,
  );
  return row?.longest ?? 0;
}

/** Compares runs of 5,000 decisions that share nothing but some steps, the most expensive case. */
function compareUnrelated(): boolean {
  const line = () =>
    Array.from({ length: DECISIONS }, () => {
      const option = Math.floor(Math.random() * OPTIONS);
      return {
        signature: option % 10,
        step: hash53(String(option)) >>> 0,
        type: "ROUTING",
        path: String(option % 7),
      };
    });
  const times = Array.from({ length: 9 }, () => {
    const [a, b] = [line(), line()];
    const before = process.cpuUsage();
    finishSteps(compareDecisions(a, b));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  const cpuMs = median(times);
  console.log(`${DECISIONS} and ${DECISIONS} unrelated decisions: ${cpuMs.toFixed(0)} ms of CPU`);
  return cpuMs < MAX_CPU_MS;
}
