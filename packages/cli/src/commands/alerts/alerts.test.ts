import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import { HookReceiver } from "@whytrace/testing/server/hook-receiver.ts";
import { expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { bootSignedIn } from "../../../test/signed-in.ts";

const receiver = new HookReceiver();
const origin = await receiver.listen();
const { env, signIn } = await bootSignedIn({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", ALERT_TICK: "1h" });
const lines = async (...args: string[]) => (await call(args, env)).stdout.trimEnd().split("\n");

it("lists rules, pauses and resumes them, with exit codes that scripts can use", async () => {
  const user = await signIn();
  expect(await lines("alerts")).toEqual(["0 rules, 0 firing."]);
  const rule = { kind: "failure_rate", name: "failures", agent: "support-agent", above: 0.1 };
  expectStatus(await user.post("/api/alerts/rules", rule), 201);
  const [row, last] = await lines("alerts");
  expect(row).toMatch(/^no data {2}failures {2}support-agent +0 runs {2}since now/);
  expect(last).toBe("1 rule, 0 firing.");
  expect((await call(["alerts", "--fail-on-firing"], env)).code).toBe(0);

  expect((await lines("alerts", "pause", "failures", "--hours", "2"))[0]).toMatch(
    /^failures is paused until /,
  );
  expect((await lines("alerts"))[0]).toContain("paused until");
  expect(await lines("alerts", "resume", "failures")).toEqual(["failures is not paused."]);
  expect((await lines("alerts"))[0]).not.toContain("paused until");

  expectStatus(await user.post("/api/alerts/rules", rule), 201);
  for (const [args, code] of [
    [["alerts", "pause", "other"], 4],
    [["alerts", "resume", "other"], 4],
    [["alerts", "pause", "failures"], 2],
    [["alerts", "pause", "failures", "--hours", "1", "--until", "2099-01-01"], 2],
    [["alerts", "pause", "failures", "--until", "soon"], 2],
    [["alerts", "pause"], 2],
  ] as const)
    expect((await call([...args], env)).code).toBe(code);
});

it("says when a rule of a file would have fired", async () => {
  await signIn();
  const file = join(await mkdtemp(join(tmpdir(), "whytrace-alerts-")), "rule.json");
  await writeFile(
    file,
    JSON.stringify({ kind: "failure_rate", name: "f", agent: "a", comparedWith: "past" }),
  );
  expect((await lines("alerts", "preview", file))[0]).toMatch(/^Nothing can be said: 0 of the 200 runs/);
  expect((await call(["alerts", "preview", `${file}.none`], env)).code).toBe(2);
});

it("sends a test message to a channel, and fails if its receiver refuses it", async () => {
  const user = await signIn();
  for (const name of ["good", "bad"])
    expectStatus(
      await user.post("/api/alerts/channels", { kind: "webhook", name, url: `${origin}/${name}` }),
      201,
    );
  receiver.answer = ({ path }) => (path === "/bad" ? { status: 500 } : undefined);
  const good = await call(["alerts", "test", "good"], env);
  expect([good.stdout, good.code]).toEqual(["good: delivered (200)\n", 0]);
  const bad = await call(["alerts", "test", "bad"], env);
  expect([bad.stdout, bad.code]).toEqual(["bad: not delivered (500)\n", 1]);
  expect((await call(["alerts", "test", "none"], env)).code).toBe(4);
});
