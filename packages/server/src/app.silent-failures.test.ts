import { randomBytes } from "node:crypto";
import type { Blame, Findings } from "@whytrace/contract";
import { otlpRun } from "@whytrace/lab/worlds/otlp-run.ts";
import type { WorldRun } from "@whytrace/lab/worlds/world.ts";
import { sendOtlp } from "@whytrace/testing/otlp/sample-otlp.ts";
import { newSender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { describe, expect, it } from "vitest";
import type { Lens } from "./insights/findings/runs/lens.ts";

const { client, db } = await boot();

const RUNS = 300;
const RUNS_PER_REQUEST = 50;
const STEP_MS = 60_000;
const AGENT = "refund agent";
const JUDGED_BY = ["answered", "readings", "answers"];
const tools = ["get_customer", "lookup_order", "lookup_cache", "issue_refund", "send_email"];
const startedAtMs = Date.now() - RUNS * STEP_MS - 3_600_000;

/** 120 of 300 runs look up the cache, and half of them go wrong; of the others 15. */
const isCached = (index: number) => index % 5 < 2;
const isBad = (index: number) => (isCached(index) ? index % 2 === 0 : index % 60 < 5);

function drawRun(index: number): WorldRun {
  const names = [
    ...(index % 3 === 0 ? [] : ["get_customer"]),
    isCached(index) ? "lookup_cache" : "lookup_order",
    "issue_refund",
    ...(index % 7 < 4 ? ["send_email"] : []),
  ];
  return {
    turns: names.map((tool) => [{ tool, error: null }]),
    status: "COMPLETED",
    message: null,
    isScoredBad: false,
    session: null,
    release: null,
    situation: null,
    sampleProbability: 1,
    culprits: [],
    missing: null,
  };
}

/** Sends the runs by OpenTelemetry, and returns how to read what Why says about them, without their own ids. */
async function play(asBad: (run: WorldRun) => WorldRun, lens: Lens, hasDefinitions: boolean) {
  const user = await newSender(client, db);
  const prefix = randomBytes(10).toString("hex");
  const traceId = (index: number) => prefix + index.toString(16).padStart(12, "0");
  const indexes = Array.from({ length: RUNS }, (_, index) => index);
  for (let first = 0; first < RUNS; first += RUNS_PER_REQUEST) {
    const resourceSpans = indexes.slice(first, first + RUNS_PER_REQUEST).map((index) => {
      const run = drawRun(index);
      return otlpRun(
        isBad(index) ? asBad(run) : run,
        { tools, guilty: [], run: () => run },
        {
          traceId: traceId(index),
          agent: AGENT,
          startedAtMs: startedAtMs + index * STEP_MS,
          hasDefinitions,
          isJudged: lens === "scored",
        },
      );
    });
    expect(expectStatus(await sendOtlp(client, user.key, { resourceSpans }), 200).json).toEqual({});
  }
  const read = async (path: string) => {
    const { text } = expectStatus(await user.get(path), 200);
    // Who judged the runs is known of the silent ones alone.
    return JSON.parse(text.replaceAll(prefix, "run-"), (key, value) =>
      JUDGED_BY.includes(key) ? undefined : value,
    );
  };
  return { read, lens, traceId };
}

type Played = Awaited<ReturnType<typeof play>>;
const agent = encodeURIComponent(AGENT);
/** A bad run. */
const BAD = 0;

async function findings({ read, lens }: Played) {
  const path = `/api/insights/findings?agent=${agent}&lens=${lens}`;
  await expect.poll(async () => (await read(path)).progress, { timeout: 60_000 }).toBeNull();
  const { rows }: Findings = await read(path);
  return rows.map(({ group, kind, option, decisions, rate, otherRate, ratio, explains }) => ({
    group,
    kind,
    option,
    decisions,
    rate,
    otherRate,
    ratio,
    explains,
  }));
}

async function blame({ read, traceId }: Played, query = "") {
  const { suspects, comparedRuns, badRuns, partner, ending }: Blame = await read(
    `/api/insights/blame/${traceId(BAD)}${query}`,
  );
  const [first] = suspects.map(({ kind, option, suspicion, turns, rate, otherRate, comparable }) => ({
    kind,
    option,
    suspicion,
    turns,
    rate,
    otherRate,
    comparable,
  }));
  return { kind: ending.kind, turn: ending.turn, first, comparedRuns, badRuns, partner };
}

describe.each([
  ["with", true],
  ["without", false],
] as const)("silent failures of an agent %s definitions of its tools", (_, hasDefinitions) => {
  it("are explained like errors: the same runs, judged by evaluators instead of ended in ERROR, give the same Why", async () => {
    const loud = await play((run) => ({ ...run, status: "ERROR" }), "failed", hasDefinitions);
    const silent = await play((run) => ({ ...run, isScoredBad: true }), "scored", hasDefinitions);
    const same = async (path: string) => {
      const heard = await loud.read(path);
      expect(await silent.read(path), path).toEqual(heard);
      return heard;
    };

    const list = await same(`/api/insights/decisions?agent=${agent}`);
    expect(list).toMatchObject({ runs: RUNS, failedRuns: 75 });
    for (const { signature } of list.rows) await same(`/api/insights/decisions/${signature}?agent=${agent}`);
    await same(`/api/insights/map?agent=${agent}`);

    const found = await findings(loud);
    expect(found[0]).toMatchObject({ group: "worse", kind: "chose", option: "lookup_cache", rate: 0.5 });
    // How many runs an option explains depends on whether it is known at which turn they went wrong.
    const withoutShares = (rows: typeof found) => rows.map(({ explains: _, ...row }) => row);
    expect(withoutShares(await findings(silent))).toEqual(withoutShares(found));

    const good = 7;
    const compare = async ({ read, traceId }: typeof loud) => {
      const {
        a: _a,
        b: _b,
        ...compared
      } = await read(`/api/insights/compare?a=${traceId(BAD)}&b=${traceId(good)}`);
      return compared;
    };
    expect(await compare(silent)).toEqual(await compare(loud));

    const { kind: failed, ...blamed } = await blame(loud);
    expect(blamed).toMatchObject({
      first: { kind: "chose", option: "lookup_cache", rate: 0.5 },
      comparedRuns: RUNS,
      badRuns: 75,
    });
    expect(await blame(silent)).toEqual({ kind: "scored", ...blamed });
    expect(failed).toBe("failed");
    expect(await blame(silent, "?reason=0")).toEqual({ kind: "scored", ...blamed });
  });

  it("are explained at the turn of the span that an evaluator judged, as an error of that span is", async () => {
    const refundOf = ({ turns }: WorldRun) => turns.findIndex(([call]) => call?.tool === "issue_refund");
    const loud = await play(
      (run) => {
        const failing = refundOf(run);
        const turns = run.turns.map((calls, turn) =>
          calls.map((call) => (turn === failing ? { ...call, error: "refused" } : call)),
        );
        return { ...run, turns };
      },
      "error",
      hasDefinitions,
    );
    const silent = await play(
      (run) => ({ ...run, isScoredBad: true, scoredTurn: refundOf(run) }),
      "scored",
      hasDefinitions,
    );
    const found = await findings(loud);
    expect(found[0]).toMatchObject({ group: "worse", kind: "chose", option: "lookup_cache", rate: 0.5 });
    expect(await findings(silent)).toEqual(found);
    const { kind, ...blamed } = await blame(loud);
    expect(blamed).toMatchObject({ turn: refundOf(drawRun(BAD)), first: { option: "lookup_cache" } });
    expect(blamed.turn).toBeLessThan(drawRun(BAD).turns.length - 1);
    expect(await blame(silent)).toEqual({ kind: "scored", ...blamed });
    expect(kind).toBe("error");
  });
});
