import { decision, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
let sender: Sender;

/** A run that looks up a policy in the cache or not; after the cache, most runs fail. */
function run(id: string, index: number, chosen: "cached" | "fresh", isFailed: boolean) {
  const startedAt = new Date(Date.now() - (100 - index) * 60_000).toISOString();
  const status = isFailed ? "ERROR" : "COMPLETED";
  return trace({
    id,
    name: "refund agent",
    status,
    startedAt,
    spans: [
      span({
        id: "refund",
        name: "post refund\u001b[2J",
        startedAt: new Date(Date.parse(startedAt) + 500).toISOString(),
        status,
        ...(isFailed && { statusMessage: "policy outdated" }),
      }),
    ],
    decisionPoints: [
      decision({
        id: "lookup",
        timestamp: startedAt,
        chosen,
        alternatives: [chosen === "cached" ? "fresh" : "cached"],
        reasoning: "the policy rarely changes",
        contextSnapshot: { policy: chosen === "cached" ? "old" : "new" },
      }),
    ],
  });
}

beforeAll(async () => {
  sender = await signIn();
  const runs = Array.from({ length: 40 }, (_, index) => [
    run(`cached ${index}`, index, "cached", index % 4 > 0),
    run(`fresh ${index}`, index, "fresh", false),
  ]).flat();
  await sender.send([...runs, run("failed", 50, "cached", true)]);
});

describe("why", () => {
  it("names the error, the choice that likely explains it, and the nearest run that went well", async () => {
    const { code, stdout } = await call(["why", "failed"], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^✕ post refund: policy outdated\nrefund agent · failed · 1 decision before it · 81 runs compared, 31 of them bad · 31 with this error\n\n/,
    );
    expect(stdout).toMatch(
      /\n1\. Likely: `cached`, at turn 1\. It explains \d+ of 31 failed runs of this agent\. In the same situation 76 % of runs that chose it failed, of others 0 % /,
    );
    expect(stdout).toMatch(/Nearest run that went well: fresh \d+ \(b\); this run is a\./);
    expect(stdout).toContain('policy: "old" → "new"');
    expect((await call(["why", "--last"], env)).stdout).toBe(stdout);
  });

  it("prints both parts as JSON", async () => {
    const { blame, comparison } = JSON.parse((await call(["why", "failed", "--json"], env)).stdout);
    expect(blame.suspects[0]).toMatchObject({ decisionPointId: "lookup", suspicion: "likely" });
    expect(comparison.divergence.line).toBe(0);
  });

  it("without an id says which options explain failed runs, and how much is left", async () => {
    const { code, stdout } = await call(["why"], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^1 option explains \d+ of 31 failed runs\.\n\n• `cached` explains \d+ of 31 failed runs\. In the same situation 76 % /,
    );
    expect(stdout).toMatch(
      /\n {2}refund agent · Tool selection · [0-9a-f]{14}\n {2}Only something that makes both /,
    );
    expect(stdout).toMatch(/\nNo row explains \d+ of 31 failed runs: chance, /);
    expect(stdout).toContain("81 runs compared · association in the same situation, not cause\nComputed ");
    const found = JSON.parse((await call(["why", "--json", "--agent", "refund agent"], env)).stdout);
    expect(found).toMatchObject({
      agent: "refund agent",
      badRuns: 31,
      rows: [{ option: "cached", group: "worse" }],
    });
    expect((await call(["why", "--lens", "scored"], env)).stdout).toMatch(
      /^None of 81 runs had a bad score\.\n/,
    );
    expect((await call(["why", "--lens", "bad"], env)).stderr).toContain("Invalid lens: bad");
  });

  it("says why there is no run to compare with", async () => {
    await sender.send([
      trace({ id: "undecided", name: "silent agent", status: "ERROR", decisionPoints: [] }),
    ]);
    const { code, stdout, stderr } = await call(["why", "undecided"], env);
    expect(code).toBe(0);
    expect(stdout).toContain("No decision explains this.\n");
    expect(stderr).toBe("The run decided nothing, so there is nothing to compare it by.\n");
    expect(await call(["diff", "undecided"], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("The run decided nothing"),
    });
    await sender.delete("/api/traces/undecided");
  });

  it("exits with 4 if there is no such trace or nothing failed, and with 2 for options that do not belong together", async () => {
    expect(await call(["why", "nowhere"], env)).toMatchObject({
      code: 4,
      stderr: "whytrace: Trace not found\n",
    });
    expect(await call(["why", "fresh 1"], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Nothing went wrong here"),
    });
    for (const args of [
      ["failed", "--last"],
      ["failed", "--lens", "error"],
      ["--span", "refund"],
    ])
      expect((await call(["why", ...args], env)).code).toBe(2);
  });
});

describe("diff", () => {
  it("shows the first difference and all decisions side by side, with the nearest good run or any other", async () => {
    const { code, stdout } = await call(["diff", "failed", "fresh 7"], env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^a ✕ refund agent failed · .*policy outdated\nb ✓ refund agent fresh 7 · /);
    expect(stdout).toContain("First difference, decision 1: Tool selection");
    expect(stdout).toMatch(/\n≠ Tool selection {3}cached → fresh\n$/);
    expect((await call(["diff", "failed"], env)).stdout).toMatch(/\nb ✓ refund agent fresh \d+/);
    expect(JSON.parse((await call(["diff", "failed", "fresh 7", "--json"], env)).stdout).a.id).toBe("failed");
    expect((await call(["diff", "fresh 1", "fresh 2"], env)).stdout).toContain("Both runs decided the same.");
    expect(await call(["diff", "failed", "nowhere"], env)).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("Trace b not found"),
    });
  });
});

describe("search", () => {
  it("prints where text is, and exits with 4 if it is nowhere", async () => {
    const { code, stdout, stderr } = await call(["search", "POLICY OUTDATED", "--last", "2"], env);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^2 hits in \d+ traces?; there may be more\.\n$/),
    ]);
    expect(stdout).toMatch(/^✕ refund agent › post refund statusMessage · .*\n {2}…policy outdated…/);
    const json = await call(["search", "outdated", "--trace", "failed", "--json"], env);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: "hit", traceId: "failed", field: "statusMessage" });
    expect((await call(["search", "nowhere to be found"], env)).code).toBe(4);
    expect((await call(["search", ""], env)).code).toBe(1);
  });
});

describe("export", () => {
  it("prints whole traces, one per line, those that the filters let through", async () => {
    const lines = async (...args: string[]) =>
      (await call(["export", ...args], env)).stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
    const [whole, ...others] = await lines("--ids", "failed");
    expect(others).toEqual([]);
    expect(whole).toEqual({ ...(await sender.get("/api/traces/failed")).json, outcome: "bad" });
    expect(await lines("--status", "error")).toHaveLength(31);
    const [outline] = await lines("--ids", "failed", "--no-payloads");
    expect(outline.decisionPoints[0].contextSnapshot).toBeUndefined();
    expect((await call(["export", "--status", "BAD"], env)).code).toBe(2);
  });
});

describe("a read key", () => {
  const newKey = async (scope: string): Promise<string> =>
    (await sender.post("/api/keys", { name: scope, scope })).json.key;
  /** Without the saved session. */
  const elsewhere = () => ({ ...env, XDG_CONFIG_HOME: `${env.XDG_CONFIG_HOME}-key` });

  it("in the environment is enough to read", async () => {
    const withKey = { ...elsewhere(), WHYTRACE_READ_KEY: await newKey("read") };
    expect(await call(["traces", "--last", "1"], withKey)).toMatchObject({ code: 0, stderr: "" });
    expect((await call(["why", "failed"], withKey)).code).toBe(0);
    expect((await call(["traces"], elsewhere())).code).toBe(3);
  });

  it("that is unknown or may only send exits with 3 and says what to do", async () => {
    for (const key of [sender.key, "wt_unknown"])
      expect(await call(["trace", "--last"], { ...elsewhere(), WHYTRACE_READ_KEY: key })).toMatchObject({
        code: 3,
        stderr: expect.stringContaining("with the scope read"),
      });
  });
});
