import { maskText } from "@whytrace/contract";
import { newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { volume } from "@whytrace/testing/volume.ts";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { maskMessage } from "../../decision-facts/messages/mask-message.ts";
import { problemKey } from "../../outcomes/problems-of-run.ts";

const { client, db } = await boot();

const MESSAGES = [
  "order 4711 not found",
  "order 23 not found",
  "policy outdated",
  "status code 429",
  "status code 500",
];
const AGENTS = ["support 1001", "support 1002", "coder"];

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

interface Run {
  id: string;
  name: string;
  status: "ERROR" | "COMPLETED" | "RUNNING";
  message: string;
  isHelpful: boolean | undefined;
}

/** What the problems of a run are, in the plainest words: filter, mask, group. */
function modelOf({ name, status, message, isHelpful }: Run): number[] {
  if (status === "RUNNING") return [];
  const agent = maskText(name);
  return [
    ...(status === "ERROR" ? [problemKey("error", agent, maskMessage(message))] : []),
    ...(isHelpful === false ? [problemKey("score", agent, "helpful is bad")] : []),
  ];
}

const sentRun = ({ id, name, status, message }: Run) =>
  trace({
    id,
    name,
    status,
    startedAt: new Date(Date.now() - 60_000).toISOString(),
    tags: ["release:1"],
    spans: [span({ id: `${id} s`, status: "ERROR", statusMessage: message })],
  });

interface StoredRow {
  traceId: string;
  problem: number;
  version: number;
}

/** In one snapshot: what the rows of traces say, and what the rows of problems say. */
async function snapshot({ workspaceId }: Sender) {
  const { rows } = await sql<{ traces: string; problems: string }>`
    select (select coalesce(json_agg(json_build_array(id, problem) order by id, problem), '[]') from traces, unnest(problems) as problem
        where workspace_id = ${workspaceId}) as traces,
      (select coalesce(json_agg(json_build_array(trace_id, problem) order by trace_id, problem), '[]') from problem_runs
        where workspace_id = ${workspaceId}) as problems`.execute(db);
  const [{ traces, problems } = { traces: "", problems: "" }] = rows;
  return {
    traces: JSON.parse(traces) as [string, number][],
    problems: JSON.parse(problems) as [string, number][],
  };
}

async function rowsOf({ workspaceId }: Sender): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select trace_id, problem, version from problem_runs where workspace_id = ${workspaceId}
    order by trace_id, problem`.execute(db);
  return rows;
}

describe("the problems of runs", () => {
  it.each([1, 2, 3].slice(0, volume(3, 1)))(
    "equal a plain model after random sends, re-sends, scores and deletions, and keep their versions (seed %i)",
    async (seed) => {
      const user = await newSender(client, db);
      const random = randomOf(seed);
      const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
      const runs = new Map<string, Run>();
      const score = (id: string, isHelpful: boolean) =>
        new Client(client.url).request("POST", "/api/scores", {
          body: { scores: [{ traceId: id, name: "helpful", value: isHelpful, source: "user" }] },
          headers: { authorization: `Bearer ${user.key}` },
        });
      let before: StoredRow[] = [];
      for (let step = 0; step < 60; step++) {
        const action = random();
        const known = [...runs.values()];
        if (action < 0.6 || known.length === 0) {
          const batch = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
            const id = `${seed} run ${Math.floor(random() * 25)}`;
            return {
              id,
              name: pick(AGENTS),
              status: pick(["ERROR", "ERROR", "COMPLETED", "RUNNING"] as const),
              message: pick(MESSAGES),
              isHelpful: runs.get(id)?.isHelpful,
            };
          });
          for (const run of batch) runs.set(run.id, run);
          expectStatus(await user.send(batch.map(sentRun)), 200);
        } else if (action < 0.85) {
          const run = pick(known);
          run.isHelpful = random() < 0.3;
          expectStatus(await score(run.id, run.isHelpful), 200);
        } else {
          const run = pick(known);
          runs.delete(run.id);
          expectStatus(await user.delete(`/api/traces/${encodeURIComponent(run.id)}`), 200);
        }
        const { traces, problems } = await snapshot(user);
        expect(problems).toEqual(traces);
        const wanted = [...runs.values()].flatMap((run) =>
          modelOf(run).map((problem) => `${run.id} ${problem}`),
        );
        expect(problems.map(([id, problem]) => `${id} ${problem}`).sort()).toEqual(wanted.sort());
        const after = await rowsOf(user);
        const versionBefore = new Map(before.map((row) => [`${row.traceId} ${row.problem}`, row.version]));
        for (const row of after) {
          const known = versionBefore.get(`${row.traceId} ${row.problem}`);
          if (known !== undefined) expect(row.version).toBe(known);
        }
        before = after;
      }
      // Issues are what the model groups, once the worker has counted.
      const groups = Map.groupBy([...runs.values()].flatMap(modelOf), (problem) => problem);
      const counts = [...groups.values()].map((group) => group.length).sort();
      await vi.waitFor(async () => {
        const { issues } = (await user.get("/api/issues?state=all&limit=100")).json;
        expect(issues.map((issue: { runs: number }) => issue.runs).sort()).toEqual(counts);
      }, 30_000);
    },
  );

  it("cost no statement if no run is bad", async () => {
    const user = await newSender(client, db);
    const query = vi.spyOn(pg.Client.prototype, "query");
    /** The statements of issues that storing these runs sends for this workspace. */
    const statementsOf = async (status: Run["status"]) => {
      query.mockClear();
      const runs = Array.from({ length: 50 }, (_, index) =>
        sentRun({ id: `${status} ${index}`, name: "coder", status, message: "no", isHelpful: undefined }),
      );
      const untagged = runs.map((run) => ({ ...run, tags: [] }));
      expectStatus(await user.send(untagged), 200);
      const sent = query.mock.calls.map((call) => JSON.stringify(call));
      const own = sent.filter((text) => text.includes(user.workspaceId));
      expect(own.length).toBeGreaterThan(0);
      return own.filter((text) =>
        /problem_runs|problems_version|agent_releases|select version from trace_totals/.test(text),
      ).length;
    };
    try {
      expect(await statementsOf("COMPLETED")).toBe(0);
      expect(await statementsOf("ERROR")).toBeGreaterThan(0);
    } finally {
      query.mockRestore();
    }
  });

  it("are written for spans of OpenTelemetry, too, and name the release at its first sight", async () => {
    const user = await newSender(client, db);
    const now = BigInt(Date.now()) * 1_000_000n;
    const body = {
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.version", value: { stringValue: "2.4.0" } }] },
          scopeSpans: [
            {
              spans: [
                {
                  traceId: "5b8efff798038103d269b633813fc60c",
                  spanId: "eee19b7ec3c1b174",
                  name: "agent",
                  kind: 1,
                  startTimeUnixNano: String(now),
                  endTimeUnixNano: String(now + 1_000_000n),
                  status: { code: 2, message: "order 4711 not found" },
                },
              ],
            },
          ],
        },
      ],
    };
    const headers = { authorization: `Bearer ${user.key}`, "content-type": "application/json" };
    expectStatus(await new Client(client.url).request("POST", "/v1/traces", { body, headers }), 200);
    const { rows } = await sql<{ text: string; name: string }>`
      select problem_runs.text, agent_releases.name from problem_runs join agent_releases
        on agent_releases.workspace_id = problem_runs.workspace_id and agent_releases.agent_hash = problem_runs.agent_hash
          and agent_releases.release_hash = problem_runs.release_hash
      where problem_runs.workspace_id = ${user.workspaceId}`.execute(db);
    expect(rows).toEqual([{ text: "order # not found", name: "2.4.0" }]);
  });

  it("are quiet if the run was stored more than a day after it started, or a definition changed", async () => {
    const user = await newSender(client, db);
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString();
    const recent = new Date(Date.now() - 60_000).toISOString();
    await user.send([
      trace({ id: "imported", status: "ERROR", startedAt: old }),
      trace({ id: "live", status: "ERROR", startedAt: recent }),
      trace({ id: "tagged", tags: ["refunded"], startedAt: recent }),
    ]);
    expectStatus(
      await user.put("/api/outcomes", {
        agent: null,
        version: 0,
        bad: [
          { kind: "status", is: "ERROR" },
          { kind: "tag", is: "refunded" },
        ],
      }),
      200,
    );
    await vi.waitFor(async () => {
      const { rows } = await sql<{ traceId: string; isQuiet: boolean }>`
        select trace_id, is_quiet from problem_runs where workspace_id = ${user.workspaceId} order by trace_id`.execute(
        db,
      );
      expect(rows).toEqual([
        { traceId: "imported", isQuiet: true },
        { traceId: "live", isQuiet: false },
        { traceId: "tagged", isQuiet: true },
      ]);
    }, 30_000);
  });
});
