import { type Blame, blameSentence, type SharedWhy, suspectSentence } from "@whytrace/contract";
import { worldTraces } from "@whytrace/lab/worlds/world-traces.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

const RUNS = 300;
const STEP_MS = 30 * 60_000;
type WorldTrace = ReturnType<typeof worldTraces>["traces"][number];
interface Played {
  blame: Blame;
  run: WorldTrace;
  others: WorldTrace[];
}

let booted: Booted;
let owner: Sender;
beforeAll(async () => {
  booted = await boot();
  owner = await newSender(booted.client, booted.db);
});

/** Sends runs of an agent whose faults are known, and finds the newest bad one of which the server says what likely explains it. */
async function play(
  world: string,
  { kind = "chose", toOption = (tool: string): unknown => tool } = {},
): Promise<Played> {
  const startedAtMs = Date.now() - (RUNS + 4) * STEP_MS;
  const { traces } = worldTraces({
    world,
    name: `agent of ${world}`,
    runs: RUNS,
    startedAtMs,
    stepMs: STEP_MS,
  });
  const sent = traces.map(({ decisionPoints, ...rest }) => ({
    ...rest,
    decisionPoints: decisionPoints.map(({ chosen, alternatives, ...decided }) => ({
      ...decided,
      chosen: toOption(chosen),
      alternatives: alternatives.map(toOption),
    })),
  }));
  expectStatus(await owner.send(sent), 200);
  for (const run of traces.filter(({ status }) => status === "ERROR").toReversed()) {
    const blame: Blame = expectStatus(await owner.get(`/api/insights/blame/${run.id}`), 200).json;
    const [first] = blame.suspects;
    if (first?.suspicion === "likely" && first.kind === kind)
      return { blame, run, others: traces.filter((one) => one !== run) };
  }
  throw new Error(`nothing is likely in the world ${world}`);
}

/** Makes a link, and reads with it as a stranger. */
async function share(traceId: string, body: object) {
  const created = expectStatus(await owner.post(`/api/traces/${traceId}/shares`, body), 201).json;
  const token = new URL(created.url).pathname.replace("/shared/", "");
  const reader = new Client(booted.client.url);
  return { created, read: (path: string) => reader.get(`/api/shared/${token}${path}`) };
}

const suspected = ({ suspects }: Blame) =>
  suspects.filter(({ suspicion }) => suspicion !== "none").slice(0, 3);

describe("a link with Why", () => {
  it("says what its owner saw when it was made, in the same words, and computes nothing", async () => {
    const { blame, run, others } = await play("near culprit");
    const { created, read } = await share(run.id, { why: true });
    expect(created.hasWhy).toBe(true);
    expect((await read("/link")).json.hasWhy).toBe(true);
    // Were it computed for the reader, there would be nothing to compare with.
    await sql`
      delete from traces where workspace_id = ${owner.workspaceId} and id = any(${others.map(({ id }) => id)})`.execute(
      booted.db,
    );
    const why: SharedWhy = expectStatus(await read("/why"), 200).json;
    expect(why).toMatchObject({ computedAt: created.createdAt, isChanged: false });
    expect(blameSentence(why).text).toBe(blameSentence(blame).text);
    expect(why.suspects.map((suspect) => suspectSentence(suspect, why).text)).toEqual(
      suspected(blame).map((suspect) => suspectSentence(suspect, blame).text),
    );
    expect(why.suspects.map(({ decisionPointId, place }) => [decisionPointId, place])).toEqual(
      suspected(blame).map(({ decisionPointId, place }) => [decisionPointId, place]),
    );
  });

  it("says nothing of other runs: no ids, names or texts of them, no partner, clue or verdict", async () => {
    const { blame, run, others } = await play("left out anywhere", { kind: "left-out" });
    const { read } = await share(run.id, { why: true });
    const { text, json } = expectStatus(await read("/why"), 200);
    expect(Object.keys(json).sort()).toEqual(["badRuns", "computedAt", "ending", "isChanged", "suspects"]);
    expect(json.suspects[0]).toMatchObject({
      kind: "left-out",
      decisionPointId: null,
      option: "",
      place: null,
    });
    expect(blameSentence(json).text).toBe("Likely: something that other runs chose was left out.");
    const [first] = blame.suspects;
    for (const foreign of [first?.option, first?.step, first?.signature, ...others.map(({ id }) => id)])
      expect(text).not.toContain(foreign);
    for (const field of ["partner", "clue", "verdict", "signature", "step", "agent", "comparedRuns"])
      expect(text).not.toContain(`"${field}"`);
  });

  it("without payloads names an option as the trace does: by its name, or not at all", async () => {
    const named = (tool: string) => ({ tool, arguments: { card: `payload of ${tool}` } });
    const one = await play("near culprit", { toOption: named });
    const hidden = await share(one.run.id, { why: true, payloads: false });
    const { text, json } = expectStatus(await hidden.read("/why"), 200);
    expect(json.suspects[0].option).toBe(one.blame.suspects[0]?.option);
    expect(text).not.toContain("payload");

    const nameless = await play("near culprit", { toOption: (tool) => ({ card: `payload of ${tool}` }) });
    const open = await share(nameless.run.id, { why: true });
    expect((await open.read("/why")).json.suspects[0].option).toContain("payload");
    const closed = await share(nameless.run.id, { why: true, payloads: false });
    const answer = expectStatus(await closed.read("/why"), 200);
    expect(answer.json.suspects[0]).toMatchObject({ option: "{}", suspicion: "likely" });
    expect(answer.text).not.toContain("payload");
  });

  it("leaves out a suspect whose decision has changed since, and says so", async () => {
    const { blame, run } = await play("near culprit");
    const { read } = await share(run.id, { why: true });
    const [first] = blame.suspects;
    const decisionPoints = run.decisionPoints.map((decided) =>
      decided.id === first?.decisionPointId ? { ...decided, chosen: "something else" } : decided,
    );
    expectStatus(await owner.send([{ ...run, decisionPoints }]), 200);
    const why: SharedWhy = expectStatus(await read("/why"), 200).json;
    expect(why.isChanged).toBe(true);
    expect(why.suspects.map(({ decisionPointId }) => decisionPointId)).not.toContain(first?.decisionPointId);
  });

  it("is made only if the owner asks for it, and only of a run that went wrong", async () => {
    const [good, bad] = [trace(), trace({ status: "ERROR" })];
    expectStatus(await owner.send([good, bad]), 200);
    const plain = await share(bad.id, {});
    expect(plain.created.hasWhy).toBe(false);
    expect([(await plain.read("/why")).status, (await plain.read("/why")).json]).toEqual([
      403,
      { error: "This link does not include Why" },
    ]);
    const refused = await owner.post(`/api/traces/${good.id}/shares`, { why: true });
    expect([refused.status, refused.json]).toEqual([400, { error: "There is no error here" }]);
    const unexplained = await share(bad.id, { why: true });
    expect((await unexplained.read("/why")).json).toMatchObject({ suspects: [], isChanged: false });
  });
});
