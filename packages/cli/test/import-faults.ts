/* What an import of the files of export-files.ts has to leave in the server, whatever tool wrote them. */

interface Span {
  name: string;
  type: string;
  status: string;
  model: string | null;
  tokenCount: number | null;
  costUsd: number | null;
  input: unknown;
  output: unknown;
  error: string | null;
}

interface Run {
  id: string;
  name: string;
  status: string;
  sessionId: string | null;
  tags: string[];
  startedAt: string;
  metadata: unknown;
  spans: Span[];
  events: { name: string }[];
  decisionPoints: { chosen: unknown; alternatives: unknown; reasoning: string | null }[];
}

interface Score {
  traceId: string;
  spanId: string | null;
  name: string;
  value: unknown;
  source: string;
  comment: string | null;
  timestamp: string;
}

type Get = (path: string) => Promise<{ json: unknown }>;

const START = Date.parse("2026-11-01T00:00:00Z");
const PAGE = 100;

/** Reads all runs and scores of a workspace back and says what is missing or wrong; empty if nothing is. */
export async function importFaults(get: Get, count: number): Promise<string[]> {
  const faults: string[] = [];
  const fault = (isFault: boolean, text: string) => isFault && faults.push(text);
  const runs = await readAll<Run>(get, "traces", count);
  const scores = new Map((await readAll<Score>(get, "scores", count)).map((one) => [one.traceId, one]));
  fault(runs.length !== count, `${runs.length} of ${count} traces`);
  fault(scores.size !== count, `${scores.size} of ${count} scores`);
  for (const { id } of runs) {
    const run = (await get(`/api/traces/${encodeURIComponent(id)}`)).json as Run;
    const number = Math.round((Date.parse(run.startedAt) - START) / 60_000);
    const isFailed = number % 10 === 0;
    const check = (what: string, found: unknown, wanted: unknown) =>
      fault(
        JSON.stringify(found) !== JSON.stringify(wanted),
        `run ${number}: ${what} is ${JSON.stringify(found)}`,
      );
    const has = (what: string, found: unknown, text: string) =>
      fault(
        !JSON.stringify(found ?? null).includes(text),
        `run ${number}: ${what} has no ${text}: ${JSON.stringify(found)}`,
      );
    check("name", run.name, "support-agent");
    check("status", run.status, isFailed ? "ERROR" : "COMPLETED");
    check("session", run.sessionId, `session-${number % 50}`);
    check("tags", run.tags, ["production"]);
    check("spans", run.spans.length, 3);
    check("events", run.events.length, 1);
    has("the run", run, "Where is my refund?");
    has("the run", run, "2.3.0");
    const model = run.spans.find(({ type }) => type === "LLM_CALL");
    check("model", model?.model, "gpt-4o-mini");
    check("tokens", model?.tokenCount, 120);
    check("cost", model?.costUsd, 0.002);
    const tool = run.spans.find(({ type }) => type === "TOOL_CALL");
    check("tool", tool?.name, "search_docs");
    has("input of the tool", tool?.input, "refund");
    if (!isFailed) has("output of the tool", tool?.output, "policy.md");
    if (isFailed) has("the run", run, "policy not found");
    check("decisions", run.decisionPoints.length, 1);
    has("chosen", run.decisionPoints[0]?.chosen, "search_docs");
    has("alternatives", run.decisionPoints[0]?.alternatives, "ask_human");
    const score = scores.get(id);
    check("score", [score?.name, score?.source, score?.comment], ["helpful", "judge", "judged"]);
    check("value", Number(score?.value), isFailed ? 0 : 1);
    check("time of the score", score?.timestamp, new Date(START + number * 60_000 + 3_000).toISOString());
  }
  return faults;
}

async function readAll<T>(get: Get, list: "traces" | "scores", count: number): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; (page - 1) * PAGE < count; page += 1) {
    const json = (await get(`/api/${list}?limit=${PAGE}&page=${page}`)).json as Record<string, T[]>;
    all.push(...(json[list] ?? []));
  }
  return all;
}
