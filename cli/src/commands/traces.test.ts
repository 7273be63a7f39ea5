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
});
