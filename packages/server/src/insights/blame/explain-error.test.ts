import type { Blame } from "@whytrace/contract";
import type { WorldRun } from "@whytrace/lab/worlds/world.ts";
import { type WorldTraces, worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender, type Sender } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";

const { client, db } = await boot();

const MINUTE_MS = 60_000;
const RUNS = 300;
const BLAMED = 20;

type Played = WorldTraces & { user: Sender };
const played = new Map<string, Promise<Played>>();

/** A workspace with an agent of a world, which several tests read. */
function play(world: string, runs = RUNS): Promise<Played> {
  const playing = played.get(`${world} ${runs}`) ?? send(world, runs);
  played.set(`${world} ${runs}`, playing);
  return playing;
}

/** The runs started within the last 20 days. Nothing came of open ones for two hours. */
async function send(world: string, runs: number): Promise<Played> {
  const user = await newSender(client, db);
  const stepMs = 90 * MINUTE_MS;
  const startedAtMs = Date.now() - (runs + 2) * stepMs;
  const drawn = worldTraces({ world, name: "worker", runs, startedAtMs, stepMs });
  expectStatus(await user.send(drawn.traces), 200);
  await sql`
    update traces set created_at = now() - interval '2 hours' where workspace_id = ${user.workspaceId}`.execute(
    db,
  );
  return { ...drawn, user };
}

const explain = async (user: Sender, traceId: string, query = ""): Promise<Blame> =>
  expectStatus(await user.get(`/api/insights/blame/${traceId}${query}`), 200).json;

interface BlamedRun {
  run: WorldRun;
  traceId: string;
  blame: Blame;
}

/** Blames the newest runs that are of interest. */
async function blameRuns(
  { runs, traces, user }: Played,
  isWanted: (run: WorldRun) => boolean,
): Promise<BlamedRun[]> {
  const wanted = [...runs.entries()].filter(([, run]) => isWanted(run)).slice(-BLAMED);
  const blamed: BlamedRun[] = [];
  for (const [index, run] of wanted) {
    const traceId = traces[index]?.id ?? "";
    blamed.push({ run, traceId, blame: await explain(user, traceId) });
  }
  expect(blamed.length).toBeGreaterThan(5);
  return blamed;
}

const isFailed = ({ status }: WorldRun) => status === "ERROR";
const isCaused = (run: WorldRun) => isFailed(run) && run.culprits.length > 0;
/** Whether the first suspect is the tool that made the run go wrong. */
const isRight = ({ run, blame }: BlamedRun) =>
  run.culprits.some((turn) => run.turns[turn]?.some(({ tool }) => tool === blame.suspects[0]?.option));
const shareOf = <T>(all: readonly T[], isSo: (one: T) => boolean) => all.filter(isSo).length / all.length;
const suspectsOf = (blamed: readonly BlamedRun[]) => blamed.flatMap(({ blame }) => blame.suspects);

describe("of an agent with a culprit", () => {
  it("names it first, calls it likely only if it is right, and opens at its turn", async () => {
    const played = await play("near culprit");
    const blamed = await blameRuns(played, isCaused);
    expect(shareOf(blamed, isRight)).toBeGreaterThan(0.9);
    const likely = blamed.filter(({ blame }) => blame.suspects[0]?.suspicion === "likely");
    expect(likely.length / blamed.length).toBeGreaterThan(0.5);
    expect(likely.every(isRight)).toBe(true);
    for (const { run, traceId, blame } of likely) {
      const [first] = blame.suspects;
      expect(first).toMatchObject({ kind: "chose", place: "invoke_agent worker", type: "TOOL_SELECTION" });
      expect(first?.decisionPointId).toBe(`${traceId}-${first?.turn}-0`);
      expect(first?.turns[0]).toBe(first?.turn);
      expect(first?.rate).toBeGreaterThan(first?.otherRate ?? 1);
      expect(blame.ending).toEqual({ kind: "failed", turn: run.turns.length - 1, isCircle: false });
      expect(blame).toMatchObject({ comparedRuns: RUNS, decisions: run.turns.length });
    }
    const opened = blamed.filter(({ run, blame }) => run.culprits.includes(blame.suspects[0]?.turn ?? -1));
    expect(opened.length / blamed.length).toBeGreaterThan(0.7);
  });

  it("compares with a run that went well and chose otherwise in the same state", async () => {
    const played = await play("near culprit");
    const byId = new Map(played.traces.map(({ id }, index) => [id, played.runs[index]]));
    const blamed = await blameRuns(played, isCaused);
    const withPartner = blamed.filter(({ blame }) => blame.partner);
    expect(withPartner.length / blamed.length).toBeGreaterThan(0.8);
    for (const { run, blame } of withPartner) {
      const partner = byId.get(blame.partner?.traceId ?? "");
      const [first] = blame.suspects;
      const toolAt = (one: WorldRun | undefined, turn: number) => one?.turns[turn]?.[0]?.tool;
      const [turn, otherTurn] = [first?.turn ?? 0, blame.partner?.turn ?? 0];
      expect(partner?.status).toBe("COMPLETED");
      expect(toolAt(partner, otherTurn)).not.toBe(first?.option);
      expect(toolAt(partner, otherTurn - 1)).toBe(toolAt(run, turn - 1));
    }
  });

  it("says after 50 runs which call failed by itself", async () => {
    const blamed = await blameRuns(await play("new tool", 50), isCaused);
    expect(shareOf(blamed, isRight)).toBeGreaterThan(0.8);
  });

  it("explains an error that the run got over by the choice that led to it", async () => {
    const played = await play("stale cache, handled");
    const hasError = ({ turns, culprits }: WorldRun) =>
      culprits.length > 0 && turns.some((turn) => turn.some(({ error }) => error !== null));
    const blamed = await blameRuns(played, hasError);
    expect(blamed.every(({ blame }) => blame.ending.kind === "error")).toBe(true);
    expect(shareOf(blamed, isRight)).toBeGreaterThan(0.9);
    for (const { blame } of blamed) expect(blame.error?.name).toBe(blame.errors[0]?.name);
  });

  it("names the run that goes in circles, and what led there", async () => {
    const played = await play("circling");
    const blamed = await blameRuns(played, isCaused);
    const circles = blamed.filter(({ blame }) => blame.ending.isCircle);
    expect(circles.length).toBeGreaterThan(5);
    expect(shareOf(circles, isRight)).toBeGreaterThan(0.8);
    for (const { blame } of circles)
      for (const { turns } of blame.suspects)
        expect(Math.max(...turns, 0)).toBeLessThanOrEqual(blame.ending.turn ?? -1);
  });

  it("explains runs that never ended, which say no error", async () => {
    const played = await play("hung runs");
    const blamed = await blameRuns(
      played,
      ({ status, culprits }) => status === "RUNNING" && culprits.length > 0,
    );
    for (const { blame } of blamed)
      expect(blame).toMatchObject({ ending: { kind: "abandoned" }, error: null, errors: [] });
    expect(shareOf(blamed, isRight)).toBeGreaterThan(0.8);
  });
});

it("says that a tool was left out, which has no turn and no decision", async () => {
  const played = await play("left out anywhere");
  const blamed = await blameRuns(played, (run) => isFailed(run) && run.missing !== null);
  const first = blamed.map(({ run, blame }) => ({ missing: run.missing, suspect: blame.suspects[0] }));
  expect(shareOf(first, ({ missing, suspect }) => suspect?.option === missing)).toBeGreaterThan(0.9);
  for (const { missing, suspect } of first)
    if (suspect?.option === missing)
      expect(suspect).toMatchObject({
        kind: "left-out",
        decisionPointId: null,
        turn: null,
        turns: [],
        beforeMs: null,
        clue: null,
        place: "invoke_agent worker",
      });
});

it.each(["chance", "usual order"])("suspects nothing in the world %s", async (world) => {
  const blamed = await blameRuns(await play(world), isFailed);
  expect(new Set(suspectsOf(blamed).map(({ suspicion }) => suspicion))).toEqual(new Set(["none"]));
});

it("suspects no reaction to an error, and nothing after the run went wrong", async () => {
  const blamed = await blameRuns(await play("fallback"), isFailed);
  for (const { run, blame } of blamed)
    for (const { turns, suspicion } of blame.suspects) {
      expect(suspicion).toBe("none");
      for (const turn of turns) {
        expect(turn).toBeLessThanOrEqual(blame.ending.turn ?? -1);
        expect(run.turns[turn - 1]?.some(({ error }) => error !== null) ?? false).toBe(false);
      }
    }
});
