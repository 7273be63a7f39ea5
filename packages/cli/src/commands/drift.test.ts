import { decidedRuns, signatureOf } from "@whytrace/testing/samples/decided-runs.ts";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();

const OPTIONS = ["search", "ask_human"];
const V1 = { tags: ["v1.0.0"], daysAgo: 5 };
const V2 = { tags: ["v1.1.0"], daysAgo: 2 };

describe("drift", () => {
  it("says in words what moved between two releases, and exits with 1 only with --fail", async () => {
    const sender = await signIn();
    await sender.send(decidedRuns({ search: 70, ask_human: 30 }, V1));
    await sender.send(decidedRuns({ search: 30, ask_human: 70 }, V2));
    const { code, stdout, stderr } = await call(["drift"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^1 decision of 1 drifts\.\n\nBase {5}release v1\.0\.0, .*: 100 runs, 100 decisions\nCurrent {2}release v1\.1\.0, /,
    );
    expect(stdout).toContain("↗ Tool selection of support agent: 40 points moved, p < 0.001\n");
    expect(stdout).toMatch(/ {2}search +70 % of 100 → +30 % of 100\n/);
    expect(stdout).toMatch(/ {2}ask_human +30 % of 100 → +70 % of 100\n/);
    expect((await call(["drift", "--fail"], env)).code).toBe(1);
    expect((await call(["drift", "--fail", "--release", "v1.0.0", "--base", "v1.0.0"], env)).code).toBe(0);
    const json = await call(["drift", "--fail", "--json"], env);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({ isFailed: true, rows: [{ agent: "support agent" }] });
    expect((await call(["drift", "--release", "v9.9.9", "--base", "v1.0.0"], env)).code).toBe(4);
  });

  it("names a broken rule with a trace that breaks it", async () => {
    const sender = await signIn();
    const [run] = decidedRuns({ ask_human: 1 }, { options: OPTIONS });
    await sender.send([run]);
    const rule = {
      agent: "support agent",
      type: "TOOL_SELECTION",
      option: "ask_human",
      kind: "never",
      note: "too \u001b[2Jslow",
      ...signatureOf(OPTIONS, "ask_human"),
    };
    expect((await sender.post("/api/insights/rules", rule)).status).toBe(400);
    expect((await sender.post("/api/insights/rules", { ...rule, note: "too slow" })).status).toBe(201);
    const { code, stdout } = await call(["drift", "--fail"], env);
    expect(code).toBe(1);
    expect(stdout).toContain("✕ Tool selection of support agent: never ask_human\n");
    expect(stdout).toContain(`  chosen 1 of 1 times, for example in trace ${run?.id}\n  “too slow”\n`);
    expect(stdout).toMatch(/^Nothing could be compared; 1 could not be tested; 1 rule, 1 broken\.\n/);
  });

  it("exits with 3 if something could not be tested and nothing drifts, and says why", async () => {
    const sender = await signIn();
    const steady = { search: 50, ask_human: 50 };
    await sender.send([...decidedRuns(steady, V1), ...decidedRuns(steady, V2)]);
    const fail = async (...args: string[]) => (await call(["drift", "--fail", ...args], env)).code;
    expect(await fail()).toBe(0);
    await sender.send(decidedRuns({ approve: 30 }, { ...V2, name: "new agent" }));
    const { code, stdout } = await call(["drift", "--fail"], env);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Nothing drifts among 1 decision; 1 could not be tested\.\n\nBase/);
    expect(stdout).toContain("Not tested:\n  1 decision made on one side only\n");
    expect(await fail("--allow-untested")).toBe(0);
    expect((await call(["drift"], env)).code).toBe(0);
    expect(await fail("--agent", "an agent without runs")).toBe(3);
    expect(await fail("--allow-untested", "--agent", "an agent without runs")).toBe(0);
    await sender.send(decidedRuns({ search: 400 }, { ...V2, options: OPTIONS }));
    expect(await fail("--allow-untested")).toBe(1);
    expect(await fail()).toBe(1);
  });

  it.each([
    [["--tag", "a"]],
    [["--allow-untested"]],
    [["--tag", "a", "--base-tag", "b", "--release", "c"]],
    [["--from", "yesterday"]],
    [["--unknown"]],
  ])("refuses %j as invalid usage", async (args) => {
    await signIn();
    expect((await call(["drift", ...args], env)).code).toBe(2);
  });
});
