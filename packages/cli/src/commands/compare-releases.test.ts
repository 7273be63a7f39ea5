import { decidedRuns } from "@whytrace/testing/samples/decided-runs.ts";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();

const failing = (count: number, bad: number, given: { tags: string[]; daysAgo: number }) =>
  decidedRuns({ search: count }, { ...given, options: ["search", "ask"] }).map((run, index) =>
    index < bad ? { ...run, status: "ERROR" } : run,
  );

describe("compare-releases", () => {
  it("begins with the sentence, and exits with 1 for a worse release only with --fail", async () => {
    const sender = await signIn();
    await sender.send(failing(60, 3, { tags: ["v1.0.0"], daysAgo: 5 }));
    await sender.send(failing(60, 30, { tags: ["v1.1.0"], daysAgo: 2 }));
    const { code, stdout, stderr } = await call(["compare-releases"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^v1\.1\.0 is worse than v1\.0\.0: 50 % of runs are bad, before 5 % \(/);
    expect(stdout).toMatch(/\nBase {5}release v1\.0\.0, .*: 60 runs in 60 sessions, 3 bad\n/);
    expect(stdout).toMatch(/\nBad runs {2}5\.0 % → 50 %, worse \(/);
    expect((await call(["compare-releases", "--fail"], env)).code).toBe(1);
    const back = ["compare-releases", "support agent", "--release", "v1.0.0", "--base", "v1.1.0", "--fail"];
    expect((await call(back, env)).code).toBe(0);
    const json = await call(["compare-releases", "--json"], env);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict: "worse", agent: "support agent" });
    expect((await call(["compare-releases", "--release", "v9", "--base", "v1.0.0"], env)).code).toBe(4);
    await sender.send(failing(3, 0, { tags: ["v1.2.0"], daysAgo: 1 }));
    expect((await call(["compare-releases", "--fail"], env)).code).toBe(3);
  });

  it("asks for a name if there are several agents, and rejects what is no date", async () => {
    const sender = await signIn();
    await sender.send([...decidedRuns({ a: 1 }, { name: "one" }), ...decidedRuns({ a: 1 }, { name: "two" })]);
    const { code, stderr } = await call(["compare-releases"], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"one", "two"')]);
    expect((await call(["compare-releases", "one", "--from", "soon"], env)).code).toBe(2);
  });
});
