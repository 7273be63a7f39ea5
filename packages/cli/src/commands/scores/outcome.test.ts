import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { afterAll, expect, it } from "vitest";
import { call } from "../../../test/call.ts";
import { bootSignedIn } from "../../../test/signed-in.ts";

const { env, signIn } = await bootSignedIn();
const folder = await mkdtemp(join(tmpdir(), "whytrace-outcome-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const file = join(folder, "outcome.json");
const write = (value: unknown) => writeFile(file, JSON.stringify(value));

it("shows, previews and saves a definition from a file, and refuses a stale version", async () => {
  const user = await signIn();
  await user.send([trace({ id: "tagged", tags: ["refunded"], startedAt: new Date().toISOString() })]);
  const shown = JSON.parse((await call(["outcome", "show", "--agent", "support agent"], env)).stdout);
  expect(shown).toMatchObject({ agent: "support agent", version: 0 });
  const bad = [{ kind: "tag", is: "refunded" }];
  await write({ agent: null, version: 0, bad });
  expect((await call(["outcome", "preview", file], env)).stdout).toMatch(
    /^1 of 1 runs would change\.\nbefore {2}1 good, 0 bad, .*\nafter {3}0 good, 1 bad, .*\ngood → bad {2}tagged: /,
  );
  expect((await call(["outcome", "set", file], env)).stdout).toMatch(/^Saved version 1\./);
  expect((await call(["outcome", "set", file], env)).stdout).toBe("Version 1 is the same and in force.\n");
  await write({ agent: null, version: 0, bad: [{ kind: "feedback" }] });
  expect(await call(["outcome", "set", file], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The definition was changed meanwhile (version 1)"),
  });
  await writeFile(file, "{");
  expect((await call(["outcome", "set", file], env)).code).toBe(2);
});

it("imports scores as they were exported, again and again", async () => {
  const user = await signIn();
  const keyed = { ...env, WHYTRACE_API_KEY: user.key };
  await writeFile(
    file,
    ["a", "b"]
      .map((id) => `${JSON.stringify({ id, traceId: "t", name: "n", value: 1, kind: "number" })}\n`)
      .join(""),
  );
  for (let round = 0; round < 2; round += 1)
    expect((await call(["scores", "import", file], keyed)).stdout).toMatch(/^Stored 2 scores at /);
  expect((await user.get("/api/scores")).json.total).toBe(2);
  await writeFile(file, '{"traceId":"t"}\n');
  expect(await call(["scores", "import", file], keyed)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Each score must have a valid 'name'"),
  });
});
