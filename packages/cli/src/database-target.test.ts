import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call } from "../test/call.ts";
import { databaseName } from "./database-target.ts";
import { writeDevState } from "./dev/dev-state.ts";

const UNREACHABLE = "postgres://ada:secret@127.0.0.1:1/elsewhere";
const { client, db, databaseUrl } = await boot();
let folder: string;
let dev: ChildProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whytrace-target-"));
  // Its command line is that of a `whytrace dev`.
  dev = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "whytrace", "dev"], {
    stdio: "ignore",
  });
});
afterAll(async () => {
  dev.kill();
  await rm(folder, { recursive: true });
});

describe("the database of an admin command", () => {
  const commands = (email: string, id: string) => [
    ["admin", "link", email, "--url", "http://127.0.0.1:3000"],
    ["admin", "recount", "--user", email],
    ["admin", "reprice", "--user", email],
    ["admin", "show", id],
  ];

  it("is that of --database, else DATABASE_URL, else that of the running `whytrace dev`", async () => {
    const who = await newSender(client, db);
    const sent = trace();
    await who.send([sent]);
    const withDev = { WHYTRACE_DATA: folder };
    const devOn = (url: string) => writeDevState(folder, { pid: dev.pid, databaseUrl: url });
    for (const args of commands(who.email, sent.id)) {
      const run = async (more: string[], env: Record<string, string>) =>
        (await call([...args, ...more], { ...withDev, ...env })).code;
      await devOn(UNREACHABLE);
      expect(await run(["--database", databaseUrl], { DATABASE_URL: UNREACHABLE })).toBe(0);
      expect(await run([], { DATABASE_URL: databaseUrl })).toBe(0);
      await devOn(databaseUrl);
      expect(await run([], {})).toBe(0);
      expect(await run([], { DATABASE_URL: UNREACHABLE })).toBe(1);
    }
  });

  it("is printed before data changes, without its password", async () => {
    for (const args of commands("ada@example.test", "unknown").slice(0, 3)) {
      const { stderr } = await call(args, { WHYTRACE_DATA: folder, DATABASE_URL: UNREACHABLE });
      expect(stderr).toMatch(/^Database: 127\.0\.0\.1:1\/elsewhere\n/);
      expect(stderr).not.toContain("secret");
    }
    const cluster = await call(["admin", "cluster", "rebalance"], { DATABASE_URL: UNREACHABLE });
    expect(cluster.stderr).toMatch(/^Database: 127\.0\.0\.1:1\/elsewhere\n/);
  });
});

it.each([
  ["postgres://ada:secret@db.example.com/whytrace", "db.example.com:5432/whytrace"],
  ["postgres://ada:secret@[::1]:6432/why%20trace?sslmode=require", "[::1]:6432/why trace"],
  ["postgres:///whytrace?host=/var/run/postgresql", "whytrace at /var/run/postgresql"],
  ["postgres:///whytrace", "whytrace at the local socket"],
  ["postgres://ada:secret@a:1,b:2/whytrace", "as given"],
  ["postgres://ada:12/secret@a:1/whytrace", "as given"],
])("the name of %s is %s", (url, name) => {
  expect(databaseName(url)).toBe(name);
});
