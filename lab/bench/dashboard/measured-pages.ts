import { setTimeout as sleep } from "node:timers/promises";
import { demoMonth, demoScores } from "@whytrace/demo";
import { Client, expectStatus, type TestResponse } from "@whytrace/testing/server/client.ts";
import { paths } from "../../../packages/dashboard/src/paths.ts";

const BATCH_SIZE = 50;
const MAX_SCORES = 1_000;
const DEMO_TRACES = 300;
const ISSUE_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 500;

/** Nobody needs to be signed in to see these. */
export const PUBLIC_PAGES = {
  [paths.login]: paths.login,
  [paths.register]: paths.register,
  [paths.forgotPassword]: paths.forgotPassword,
  [paths.resetPassword]: `${paths.resetPassword}?token=x`,
  [paths.verifyEmail]: `${paths.verifyEmail}?token=x`,
};

/** The pages of a workspace that are measured, by their path; one with a parameter shows a record that the workspace has. */
export async function privatePages(client: Client): Promise<Record<string, string>> {
  await addRecords(client);
  const issue = await firstIssue(client);
  const { traces } = await read(client, "/api/traces?limit=1");
  const { sessions } = await read(client, "/api/sessions?limit=1");
  const { rows } = await read(client, "/api/insights/decisions");
  const { agents } = await read(client, "/api/insights/agents/health");
  const released = agents.find((one: { release: string | null }) => one.release !== null);
  const agent = encodeURIComponent(agents[0].name);
  return {
    [paths.home]: paths.home,
    [paths.welcome]: paths.welcome,
    [paths.issues]: paths.issues,
    [paths.issue]: `/issues/${issue.number}`,
    [paths.alerts]: paths.alerts,
    [paths.traces]: paths.traces,
    [paths.trace]: `/traces/${encodeURIComponent(traces[0].id)}`,
    [paths.decisions]: paths.decisions,
    [paths.why]: paths.why,
    [paths.decisionMap]: `${paths.decisionMap}?agent=${agent}`,
    [paths.scorecard]: `/why/${rows[0].signature}`,
    [paths.scores]: paths.scores,
    [paths.agents]: paths.agents,
    [paths.agent]: `/agents/${agent}`,
    [paths.releases]: `/agents/${encodeURIComponent(released.name)}/releases`,
    [paths.agentSessions]: paths.agentSessions,
    [paths.agentSession]: `/sessions/${encodeURIComponent(sessions[0].sessionId)}`,
    [paths.members]: paths.members,
    [paths.audit]: paths.audit,
    [paths.apiKeys]: paths.apiKeys,
    [paths.billing]: paths.billing,
    [paths.account]: paths.account,
  };
}

const read = async (client: Client, path: string): Promise<TestResponse["json"]> =>
  expectStatus(await client.get(path), 200).json;

/** Traces that are written to the tables have no scores, issues and releases: sends some that have. */
async function addRecords(client: Client): Promise<void> {
  const { key } = expectStatus(await client.post("/api/keys", { name: "pages" }), 201).json;
  const headers = { authorization: `Bearer ${key}` };
  const sender = new Client(client.url);
  const traces = [...demoMonth({ seed: 7, now: new Date(), traces: DEMO_TRACES })];
  for (let from = 0; from < traces.length; from += BATCH_SIZE) {
    const body = { traces: traces.slice(from, from + BATCH_SIZE) };
    expectStatus(await sender.request("POST", "/api/traces", { body, headers }), 200);
  }
  const scores = traces.flatMap(demoScores).slice(0, MAX_SCORES);
  expectStatus(await sender.request("POST", "/api/scores", { body: { scores }, headers }), 200);
  const silence = { kind: "no_runs", name: "silence", agent: traces[0]?.name, forMinutes: 60 };
  expectStatus(await client.post("/api/alerts/rules", silence), 201);
}

/** Issues are made of traces after these are stored. */
async function firstIssue(client: Client): Promise<{ number: number }> {
  for (const deadline = Date.now() + ISSUE_TIMEOUT_MS; Date.now() < deadline; await sleep(POLL_INTERVAL_MS)) {
    const [issue] = (await read(client, "/api/issues")).issues;
    if (issue) return issue;
  }
  throw new Error("No issue was made of the traces");
}
