import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { call } from "../../../test/call.ts";
import { bootSignedIn } from "../../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
let sender: Sender;
let folder: string;
let keyed: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whytrace-judge-"));
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  sender = await signIn();
  const { key } = (await sender.post("/api/keys", { name: "review", scope: "review" })).json;
  keyed = { ...env, PATH: process.env.PATH ?? "", WHYTRACE_READ_KEY: key };
  await sender.send(["good", "bad", "odd"].map((name) => trace({ id: name, name })));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const judge = (...args: string[]) => call(["judge", "--name", "correct", ...args], keyed);
const listed = async (query: string) =>
  (await sender.get(`/api/scores?${query}`)).json.scores.map(
    ({ traceId, value, source }: Record<string, unknown>) => `${traceId} ${value} ${source}`,
  );

describe("judge", () => {
  it("scores runs with a module, skips what it skips for good, and starts anew when the module changes", async () => {
    const write = (more = "") =>
      writeFile(
        join(folder, "judge.mjs"),
        `export default (run) => run.name === "odd" ? null : { value: run.name === "good" };${more}`,
      );
    await write();
    const dry = await judge("--with", "judge.mjs", "--dry-run");
    expect(dry.stdout.trim().split("\n")).toHaveLength(2);
    expect(await listed("name=correct")).toEqual([]);
    const first = await judge("--with", "judge.mjs");
    expect(first).toMatchObject({ code: 0, stdout: "2 scored, 1 skipped, 0 failed of 3.\n" });
    expect(first.stderr).toMatch(/^judge\.mjs@[0-9a-f]{8} · 3 runs unscored · 3 chosen, the newest\n$/);
    expect((await listed("name=correct")).sort()).toEqual(["bad false judge", "good true judge"]);
    expect(await readdir(join(folder, ".whytrace"))).toEqual([
      expect.stringMatching(/^judge-[0-9a-f]{8}\.json$/),
    ]);
    expect((await judge("--with", "judge.mjs")).stdout).toBe("0 scored, 0 skipped, 0 failed of 0.\n");
    await write("// changed");
    expect((await judge("--with", "judge.mjs", "--sample", "random:2")).stdout).toMatch(/ of 2\.\n$/);
  });

  it("scores runs with a command, in whatever order it answers, and exits with 1 if more than a tenth fails", async () => {
    await writeFile(
      join(folder, "command.cjs"),
      `const lines = require("node:readline").createInterface({ input: process.stdin });
      const answers = { good: { value: "fine" }, bad: { error: "no idea" }, odd: { skip: "odd" } };
      const seen = [];
      lines.on("line", (line) => {
        seen.unshift(JSON.parse(line).run.id);
        if (seen.length === 3) for (const traceId of seen) console.log(JSON.stringify({ traceId, ...answers[traceId] }));
      });`,
    );
    const command = `"${process.execPath}" "${join(folder, "command.cjs")}"`;
    expect((await judge("--with", command)).code).toBe(2);
    const { code, stdout, stderr } = await judge(
      "--with",
      command,
      "--author",
      "mine@1",
      "--concurrency",
      "3",
    );
    expect([code, stdout]).toEqual([1, "1 scored, 1 skipped, 1 failed of 3.\n"]);
    expect(stderr).toContain("bad: no idea\n");
    expect(await listed("author=mine@1")).toEqual(["good fine judge"]);
  });

  it("fails what throws or does not answer in time, and stops at the highest cost", async () => {
    await writeFile(
      join(folder, "slow.mjs"),
      `export default (run) => { if (run.name === "bad") throw new Error("broken"); return new Promise(() => {}); };`,
    );
    const slow = await judge("--with", "slow.mjs", "--timeout", "1");
    expect([slow.code, slow.stdout]).toEqual([1, "0 scored, 0 skipped, 3 failed of 3.\n"]);
    expect(slow.stderr).toContain("bad: broken\n");
    expect(slow.stderr).toContain("good: no answer in time\n");
    await writeFile(join(folder, "costly.mjs"), "export default () => ({ value: 1, costUsd: 2 });");
    const costly = await judge("--with", "costly.mjs", "--concurrency", "1", "--max-cost", "3");
    expect(costly.stdout).toBe("2 scored, 0 skipped, 0 failed of 3.\n");
  });

  it("refuses invalid usage with 2, and a session without a key with 3", async () => {
    for (const args of [[], ["--with", "x.mjs", "--sample", "best:1"], ["--with", "missing.mjs"]])
      expect((await judge(...args)).code, args.join(" ")).toBe(2);
    expect((await call(["judge", "--name", "a", "--with", "judge.mjs"], env)).code).toBe(3);
  });
});

describe("score", () => {
  it("stores booleans, numbers and labels, which scores lists and scores export prints", async () => {
    for (const value of ["true", "4.5", "rude"])
      expect((await call(["score", "good", `is ${value}`, value, "--source", "user"], keyed)).code).toBe(0);
    expect((await listed("traceId=good&source=user")).sort()).toEqual([
      "good 4.5 user",
      "good rude user",
      "good true user",
    ]);
    expect((await call(["scores", "--name", "is rude"], keyed)).stdout).toMatch(
      /is rude +rude +user +good\n$/,
    );
    const lines = (await call(["scores", "export"], keyed)).stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).name)).toContain("is 4.5");
  });

  it("says that a score waits for a run that has not arrived", async () => {
    const early = await call(["score", "nosuchrun", "early", "true"], keyed);
    expect(early).toMatchObject({
      code: 0,
      stdout:
        "Scored nosuchrun: early is true.\nNo run with this id has arrived yet: the score waits for it.\n",
    });
    expect((await call(["score", "good", "early", "true"], keyed)).stdout).toBe(
      "Scored good: early is true.\n",
    );
  });

  it("refuses an unknown source and says which there are", async () => {
    const { code, stderr } = await call(["score", "good", "helpful", "true", "--source", "customer"], keyed);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--source must be one of user, judge, code, person, not "customer"'),
    ]);
  });
});
