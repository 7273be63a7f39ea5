// Plays agents whose users do not all say whether they are happy, by HTTP: sends their runs and votes, and reads the lists of Why. An
// option of one decision doubles unhappy users (15 to 30 %), in some rows one of another doubles errors (8 to 16 %); other options are
// innocent, but one of them changes who is asked or who answers. Prints how often the guilty options are listed, and how many innocent
// ones. Fails if more than 0.3 innocents an agent are listed as worse.
import { parseArgs } from "node:util";
import type { Findings } from "@whytrace/contract";
import {
  drawSilentRuns,
  GUILTY_BY_ERRORS,
  GUILTY_BY_SCORES,
  SILENCES,
  type Silence,
  type SilentRun,
  silentOption,
} from "@whytrace/lab/worlds/agent-simulator/draw-silent-runs.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";

const { values: flags } = parseArgs({
  options: {
    /** Beginnings of names, with commas between. */
    rows: { type: "string", default: "" },
    runs: { type: "string", default: "500,1000" },
    agents: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
  },
});
const SIZES = flags.runs.split(",").map(Number);
const AGENTS = Number(flags.agents);
const SEED = Number(flags.seed);
const MAX_INNOCENTS = 0.3;
const BATCH_SIZE = 100;
const SCORES_PER_REQUEST = 1_000;
const DAY_MS = 24 * 3_600_000;
const RANGE_MS = 20 * DAY_MS;

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const starts = flags.rows.split(",");
  const failures: string[] = [];
  for (const silence of SILENCES.filter(({ name }) => starts.some((start) => name.startsWith(start))))
    for (const runs of SIZES) {
      const result = { byScores: 0, byErrors: 0, innocents: 0, unclear: 0 };
      for (let number = 0; number < AGENTS; number += 1) {
        const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
        await send(server.url, tenant, drawSilentRuns(silence, { runs, seed: SEED * 1_000 + number }));
        addLists(result, await read(tenant, "scored"), GUILTY_BY_SCORES, "byScores");
        if (silence.hasErrors) addLists(result, await read(tenant, "failed"), GUILTY_BY_ERRORS, "byErrors");
      }
      console.log(describe(silence, runs, result));
      if (result.innocents > MAX_INNOCENTS * AGENTS)
        failures.push(`${silence.name}, ${runs} runs: ${result.innocents} innocents in ${AGENTS} agents`);
    }
  console.log(failures.length === 0 ? "passed" : `failed:\n  ${failures.join("\n  ")}`);
  return failures.length === 0;
});

interface Result {
  byScores: number;
  byErrors: number;
  innocents: number;
  unclear: number;
}

function addLists(result: Result, { rows }: Findings, guilty: number, found: "byScores" | "byErrors") {
  const isGuilty = ({ option, kind }: Findings["rows"][number]) =>
    option === silentOption(guilty, true) && kind === "chose";
  const worse = rows.filter(({ group }) => group === "worse");
  if (worse.some(isGuilty)) result[found] += 1;
  result.innocents += worse.filter((row) => !isGuilty(row)).length;
  result.unclear += rows.filter((row) => row.group === "unclear" && !isGuilty(row)).length;
}

function describe({ name, hasErrors }: Silence, runs: number, result: Result): string {
  const percent = (count: number) => `${Math.round((100 * count) / AGENTS)} %`;
  const perAgent = (count: number) => (count / AGENTS).toFixed(2);
  const byErrors = hasErrors ? `, by errors ${percent(result.byErrors)}` : "";
  return (
    `${name}, ${runs} runs, ${AGENTS} agents: found by scores ${percent(result.byScores)}${byErrors}; innocents listed ` +
    `${perAgent(result.innocents)} an agent, named without a clear difference ${perAgent(result.unclear)}`
  );
}

async function read({ user }: Tenant, lens: Findings["lens"]): Promise<Findings> {
  const from = new Date(Date.now() - RANGE_MS - 2 * DAY_MS).toISOString();
  for (;;) {
    // A range of its own is not watched: everything that holds now is listed.
    const path = `/api/insights/findings?agent=worker&lens=${lens}&from=${from}&to=${new Date().toISOString()}`;
    const list: Findings = expectStatus(await user.get(path), 200).json;
    if (!list.progress) return list;
  }
}

async function send(url: string, { user, key }: Tenant, runs: readonly SilentRun[]) {
  const startMs = Date.now() - RANGE_MS - DAY_MS / 12;
  const stepMs = RANGE_MS / runs.length;
  for (let first = 0; first < runs.length; first += BATCH_SIZE) {
    const traces = runs
      .slice(first, first + BATCH_SIZE)
      .map((run, offset) =>
        toTrace(run, `${user.workspaceId}-${first + offset}`, startMs + (first + offset) * stepMs),
      );
    const { status, text } = await postBatch(url, key, JSON.stringify({ traces }));
    if (status !== 200) throw new Error(`${status} ${text}`);
  }
  const scores = runs.flatMap(({ vote }, index) =>
    vote === null
      ? []
      : [{ traceId: `${user.workspaceId}-${index}`, name: "helpful", value: vote, source: "user" }],
  );
  for (let first = 0; first < scores.length; first += SCORES_PER_REQUEST) {
    const body = { scores: scores.slice(first, first + SCORES_PER_REQUEST) };
    const headers = { authorization: `Bearer ${key}` };
    expectStatus(await user.post("/api/scores", body, { headers }), 200);
  }
}

function toTrace({ choices, isError, isAsked }: SilentRun, id: string, startedAtMs: number) {
  const at = (ms: number) => new Date(startedAtMs + ms).toISOString();
  const status = isError ? "ERROR" : "COMPLETED";
  const endedAt = at(100 * (choices.length + 1));
  return {
    id,
    name: "worker",
    status,
    startedAt: at(0),
    endedAt,
    tags: [],
    metadata: isAsked ? { "whytrace.feedback": ["helpful"] } : {},
    spans: [{ id: "root", name: "worker", type: "AGENT", status, startedAt: at(0), endedAt }],
    decisionPoints: choices.map((choseA, decision) => ({
      id: `${decision}`,
      parentSpanId: "root",
      type: "TOOL_SELECTION",
      chosen: silentOption(decision, choseA),
      alternatives: [silentOption(decision, !choseA)],
      timestamp: at(100 * decision),
    })),
    events: [],
  };
}
