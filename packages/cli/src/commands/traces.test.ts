import { span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { describe, expect, it } from "vitest";
import { call } from "../../test/call.ts";
import { bootSignedIn } from "../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();

describe("traces", () => {
  it("lists the latest traces, newest first, with the ids that `trace` takes", async () => {
    const sender = await signIn();
    expect(await call(["traces"], env)).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("No traces"),
    });
    const sent = [
      trace({ id: "one\u001b[2J", name: "older", startedAt: "2026-01-01T00:00:00Z" }),
      trace({ id: "two", name: "newer", status: "ERROR", totalCost: 0.5, spans: [span()] }),
    ];
    await sender.send(sent);
    const lines = (await call(["traces"], env)).stdout.trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^✕ 2026-01-02 03:04:05Z newer .*\$0\.5000.*1 span, 0 decisions .*two$/),
      expect.stringMatching(/^✓ 2026-01-01 00:00:00Z older .*one$/),
    ]);
    expect((await call(["traces", "--last", "1"], env)).stdout).not.toContain("older");
    expect((await call(["traces", "--status", "completed"], env)).stdout).not.toContain("newer");
    const json = (await call(["traces", "--json"], env)).stdout.trimEnd().split("\n");
    expect(json.map((line) => JSON.parse(line).id)).toEqual(["two", "one\u001b[2J"]);
    const listed = async (...args: string[]) => (await call(["traces", ...args], env)).stdout;
    expect(await listed("--name", "OLD")).toMatch(/^✓ .*older/);
    expect(await listed("--from", "2026-01-02")).toMatch(/^✕ .*newer[^\n]*\n$/);
    expect(await listed("--to", "2026-01-02", "--sort", "oldest")).toMatch(/^✓ .*older[^\n]*\n$/);
    expect(await call(["traces", "--tag", "canary"], env)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("No such traces"),
    });
    for (const args of [
      ["--last", "0"],
      ["--status", "BROKEN"],
      ["--sort", "best"],
      ["--from", "yesterday"],
    ])
      expect((await call(["traces", ...args], env)).code).toBe(2);
  });

  it("says the outcome where the status says something else, and finds traces by outcomes and scores", async () => {
    const sender = await signIn();
    const sent = [trace({ id: "liked", name: "liked" }), trace({ id: "disliked", name: "disliked" })];
    await sender.send(sent);
    const scores = [
      { traceId: "liked", name: "helpful", value: true, source: "user" },
      { traceId: "disliked", name: "helpful", value: false, source: "user" },
      { traceId: "disliked", name: "stars", value: 2 },
    ];
    const headers = { authorization: `Bearer ${sender.key}` };
    expect((await sender.request("POST", "/api/scores", { body: { scores }, headers })).status).toBe(200);
    const listed = async (...args: string[]) => (await call(["traces", ...args], env)).stdout;
    const bad = /^✓ .*disliked +bad .*\n$/;
    expect(await listed("--outcome", "bad")).toMatch(bad);
    expect(await listed("--lens", "scored")).toMatch(bad);
    expect(await listed("--score", "helpful", "--score-is", "false")).toMatch(bad);
    expect(await listed("--score", "stars", "--score-below", "3")).toMatch(bad);
    expect(await listed("--score", "stars", "--score-missing", "true")).toMatch(/^✓ .*liked {9}.*\n$/);
    expect((await call(["traces", "--score-is", "false"], env)).code).not.toBe(0);
    expect((await call(["trace", "disliked"], env)).stdout).toMatch(/^✓ disliked {2}bad: .*helpful.*\n/);
    expect((await call(["trace", "liked"], env)).stdout).toMatch(/^✓ liked\n/);
  });
});
