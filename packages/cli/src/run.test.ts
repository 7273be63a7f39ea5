import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execute } from "@whytrace/testing/postgres/databases.ts";
import { addMember, prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, finish, MAIN, start } from "../test/call.ts";
import { Output } from "./print/output.ts";
import { isSameServer } from "./target.ts";

let booted: Booted;
let folder: string;
let sender: Sender;
let env: Record<string, string>;
beforeAll(async () => {
  // `login --email` chooses the only workspace.
  booted = await boot({ FREE_SESSIONS_PER_DAY: "unlimited" }, { memberships: 1 });
  folder = await mkdtemp(join(tmpdir(), "whytrace-cli-"));
  env = {
    XDG_CONFIG_HOME: join(folder, "config"),
    WHYTRACE_DATA: join(folder, "data"),
    WHYTRACE_URL: booted.server.url,
  };
  sender = await newSender(booted.client, booted.db);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const logIn = (who: SignedInUser, password = PASSWORD) =>
  finish(start(["login", "--email", who.email], env), `${password}\n`);

describe("every command", () => {
  it.each([
    "dev",
    "seed",
    "tail",
    "trace",
    "traces",
    "why",
    "diff",
    "search",
    "export",
    "import",
    "drift",
    "compare-releases",
    "score",
    "scores",
    "scores export",
    "scores import",
    "outcome show",
    "outcome preview",
    "outcome set",
    "judge",
    "login",
    "logout",
    "workspaces",
    "use",
    "doctor",
    "admin add-user",
    "admin cluster",
    "admin cluster add",
    "admin cluster drain",
    "admin cluster rebalance",
    "admin cluster remove",
    "admin distribute",
    "admin link",
    "admin recount",
    "admin reprice",
    "admin reset-second-factor",
    "admin show",
    "admin workspace create",
    "admin workspace invite",
    "admin workspace list",
    "admin workspace set-owner",
  ])("%s has a help text", async (name) => {
    const { code, stdout } = await call([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`Usage: whytrace ${name} .*\\[options\\]`));
    expect(stdout).toContain("--json");
    expect((await call(["--help"])).stdout).toContain(`whytrace ${name}`);
  });

  it("rejects invalid usage with exit code 2 and names the help command", async () => {
    for (const args of [
      ["nonsense"],
      ["trace"],
      ["trace", "a", "b"],
      ["seed", "--nonsense"],
      ["seed", "--traces", "many"],
      ["tail", "--url", "x"],
    ]) {
      const { code, stdout, stderr } = await call(args);
      expect([code, stdout], args.join(" ")).toEqual([2, ""]);
      expect(stderr).toMatch(/^whytrace: .*\nRun `whytrace .*--help` for usage\.\n$/);
    }
  });

  it("suggests the command that was probably meant", async () => {
    expect((await call(["tracess"])).stderr).toContain('Unknown command "tracess". Did you mean traces?\n');
    expect((await call(["admin", "lnik"])).stderr).toContain("Did you mean admin link?\n");
    expect((await call(["nonsense"])).stderr).not.toContain("Did you mean");
  });

  it("prints advice as it was started: through npx, with npx", async () => {
    const bin = join(folder, "node_modules/.bin");
    await mkdir(bin, { recursive: true });
    await symlink(MAIN, join(bin, "whytrace"));
    const { stdout, stderr } = await finish(start(["traces", "x"], env, join(bin, "whytrace")));
    expect([stdout, stderr]).toEqual([
      "",
      expect.stringContaining("Run `npx whytrace traces --help` for usage."),
    ]);
    expect((await finish(start(["traces", "x"], env))).stderr).toContain("Run `whytrace traces --help`");
  });

  it("says that the server cannot be reached before it says that nobody is signed in", async () => {
    const nobody = { XDG_CONFIG_HOME: join(folder, "nobody"), WHYTRACE_DATA: join(folder, "nobody") };
    const stopped = { ...nobody, WHYTRACE_URL: "http://127.0.0.1:1", WHYTRACE_API_KEY: "wt_x" };
    for (const args of [["traces"], ["score", "run", "helpful", "true"]]) {
      const { code, stderr } = await call(args, stopped);
      expect([code, stderr]).toEqual([1, expect.stringContaining("Cannot connect to http://127.0.0.1:1")]);
      expect(stderr).toContain("Is the server running?");
    }
    const running = { ...nobody, WHYTRACE_URL: booted.server.url };
    expect(await call(["traces"], running)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("Not signed in"),
    });
  });

  it("prints errors as JSON with --json", async () => {
    const { stdout } = await call(["seed", "--json", "--traces", "0"]);
    expect(JSON.parse(stdout).error).toContain("--traces must be a whole number");
  });

  it("lists the commands of a group, and names an unknown one", async () => {
    const { code, stdout } = await call(["admin", "--help"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("whytrace admin link")]);
    expect(stdout).not.toContain("whytrace tail");
    expect(await call(["admin"])).toMatchObject({ code: 2, stdout });
    expect(await call(["admin", "nonsense"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Unknown command "admin nonsense"\nRun `whytrace admin --help`'),
    });
  });

  it.each(["doctor", "traces", "trace --last", "export", "tail"])(
    "%s ends quietly, as if by SIGPIPE, when the reader of a pipe goes away",
    async (command) => {
      await logIn(sender);
      const child = start(command.split(" "), env);
      const exit = once(child, "exit");
      let stderr = "";
      child.stderr?.on("data", (chunk) => (stderr += chunk));
      child.stdout?.destroy();
      await sender.send([trace({ decisionPoints: [decision()] })]);
      expect([(await exit)[0], stderr]).toEqual([
        141,
        command === "tail" ? expect.stringMatching(/^Watching.*\n$/) : "",
      ]);
    },
  );

  it("prints the version", async () => {
    expect((await call(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("colours", () => {
  const written: string[] = [];
  const output = (isTTY: boolean, isColourDisabled = false) =>
    new Output({
      stdout: { write: (text) => written.push(text), isTTY },
      stderr: { write() {} },
      isJson: false,
      isColourDisabled,
    });
  it("appear only on a terminal, and not when NO_COLOR is set", () => {
    expect(output(true).paint("red", "x")).toBe("\u001b[31mx\u001b[39m");
    expect(output(false).paint("red", "x")).toBe("x");
    expect(output(true, true).paint("red", "x")).toBe("x");
  });
});

describe("login", () => {
  it("saves a session in a file that only its owner can read, and logout ends it", async () => {
    const who = await booted.client.newUser();
    const file = join(folder, "config/whytrace/sign-ins.json");
    expect((await logIn(who, "wrong password")).code).toBe(3);
    const { code, stdout } = await logIn(who);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`as ${who.email}`)]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).not.toContain(PASSWORD);
    expect((await call(["trace", "unknown"], env)).code).toBe(4);
    expect((await who.get("/api/account/sessions")).json.sessions).toHaveLength(2);
    expect((await call(["logout"], env)).code).toBe(0);
    expect((await who.get("/api/account/sessions")).json.sessions).toHaveLength(1);
    expect((await call(["trace", "unknown"], env)).code).toBe(3);
  });

  it("saves a key that reads instead, if the server accepts it; logout deletes it", async () => {
    const own = { ...env, XDG_CONFIG_HOME: join(folder, "config-with-key") };
    const logInWithKey = (key: string) => finish(start(["login", "--with-key"], own), `${key}\n`);
    expect((await logInWithKey(sender.key)).code).toBe(3);
    const { key } = (await sender.post("/api/keys", { name: "reads", scope: "read" })).json;
    expect(await logInWithKey(key)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Saved the key"),
    });
    expect((await stat(join(folder, "config-with-key/whytrace/sign-ins.json"))).mode & 0o777).toBe(0o600);
    expect((await call(["traces"], own)).code).toBe(0);
    expect((await call(["logout"], own)).stdout).toContain("Revoke it under Settings");
    expect((await call(["traces"], own)).code).toBe(3);
  });
});

describe("tail", () => {
  it("shows existing decisions, then new ones as they arrive, each once", async () => {
    const who = await newSender(booted.client, booted.db);
    await logIn(who);
    const before = decision({ reasoning: "there before", timestamp: "2026-01-01T00:00:00Z" });
    await who.send([trace({ decisionPoints: [before] })]);
    const child = start(["tail", "--json", "--last", "5"], env);
    const ended = finish(child);
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      printed += chunk;
    });
    await expect.poll(() => printed).toContain("there before");
    // More decisions at once than one page of the API has.
    const many = Array.from({ length: 250 }, () => decision({ reasoning: "seen live" }));
    await who.send([trace({ decisionPoints: many })]);
    await expect.poll(() => printed.split("seen live").length - 1).toBeGreaterThanOrEqual(many.length);
    // Long enough for one to come twice.
    await sleep(1_500);
    child.kill("SIGINT");
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).reasoning)).toEqual([
      "there before",
      ...many.map(() => "seen live"),
    ]);
  });
});

describe("tail --last --type", () => {
  it("says the outcome of a run whose status says something else", async () => {
    const who = await newSender(booted.client, booted.db);
    await logIn(who);
    const judged = trace({ name: "judged", decisionPoints: [decision()] });
    await who.send([judged]);
    const score = { traceId: judged.id, name: "helpful", value: false, source: "user" };
    const headers = { authorization: `Bearer ${who.key}` };
    expectStatus(await who.request("POST", "/api/scores", { body: { scores: [score] }, headers }), 200);
    const child = start(["tail", "--last", "1"], env);
    const ended = finish(child);
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGINT");
    expect((await ended).stdout).toContain(`judged bad ${judged.id}`);
  });

  it("shows that many of the latest decisions of the type, however many others are newer", async () => {
    const who = await newSender(booted.client, booted.db);
    await logIn(who);
    const routing = decision({ type: "ROUTING", timestamp: "2026-01-01T00:00:00Z", reasoning: "wanted" });
    const decisionPoints = [routing, ...Array.from({ length: 120 }, () => decision())];
    await who.send([trace({ decisionPoints, status: "RUNNING" })]);
    const child = start(["tail", "--json", "--last", "1", "--type", "routing"], env);
    const ended = finish(child);
    if (child.stdout) await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(JSON.parse((await ended).stdout)).toMatchObject({
      reasoning: "wanted",
      trace: { status: "RUNNING", outcome: "open" },
    });
  });
});

describe("the running dev", () => {
  it("is found by either name of this machine", () => {
    expect(isSameServer("http://127.0.0.1:3000", "http://localhost:3000")).toBe(true);
    expect(isSameServer("http://[::1]:3000", "http://localhost:3000")).toBe(true);
    expect(isSameServer("http://127.0.0.1:3001", "http://localhost:3000")).toBe(false);
    expect(isSameServer("https://localhost:3000", "http://localhost:3000")).toBe(false);
    expect(isSameServer("http://example.com:3000", "http://localhost:3000")).toBe(false);
  });
});

describe("seed", () => {
  it("sends traces with a URL and a key, and replaces them when run again with the same seed", async () => {
    const who = await newSender(booted.client, booted.db);
    for (let round = 0; round < 2; round += 1) {
      const { code, stdout } = await call(
        ["seed", "--key", who.key, "--traces", "60", "--seed", "9", "--json"],
        env,
      );
      expect([code, JSON.parse(stdout).stored]).toEqual([0, 60]);
    }
    expect((await who.get("/api/traces")).json.total).toBe(60);
  });

  it("writes traces to a database for a user", async () => {
    const who = await booted.client.newUser();
    const into = ["seed", "--database", booted.databaseUrl, "--traces", "60"];
    expect((await call([...into, "--email", who.email], env)).stdout).toMatch(/^Stored 60 traces at/);
    expect((await who.get("/api/traces")).json.total).toBe(60);
    expect(await call([...into, "--email", "nobody@example.test"], env)).toMatchObject({ code: 1 });
  });

  it("asks which workspace of the database if the user owns several", async () => {
    const [who, other] = [await booted.client.newUser(), await booted.client.newUser()];
    const slug = (await addMember(booted.db, other, who, "owner")).slice("/w/".length);
    const into = ["seed", "--database", booted.databaseUrl, "--email", who.email, "--traces", "60"];
    expect(await call(into, env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${who.email} owns several workspaces:`),
    });
    expect((await call([...into, "--workspace", slug], env)).code).toBe(0);
    expect((await other.get("/api/traces")).json.total).toBe(60);
    expect((await who.get(`${await prefixOf(booted.db, who)}/api/traces`)).json.total).toBe(0);
    expect((await call([...into, "--workspace", "unknown"], env)).stderr).toContain(
      "owns no workspace unknown",
    );
  });

  it("reports an invalid API key", async () => {
    const { code, stderr } = await call(["seed", "--key", "wt_nonsense", "--traces", "1"], env);
    expect([code, stderr]).toEqual([3, expect.stringContaining("Invalid API key")]);
  });
});

describe("admin recount", () => {
  it("corrects the totals of a user, and says what was wrong", async () => {
    const who = await newSender(booted.client, booted.db);
    await who.send([trace(), trace({ decisionPoints: [decision()] })]);
    await execute(booted.databaseUrl, `delete from traces where workspace_id = '${who.workspaceId}'`);
    const recount = (...args: string[]) =>
      call(["admin", "recount", "--database", booted.databaseUrl, ...args]);
    expect((await recount("--user", who.email)).stdout).toBe(
      `${who.email}: COMPLETED -2, TOOL_SELECTION -1, traces whose remains were deleted: 2\n1 workspace counted, 1 corrected\n`,
    );
    const all = await recount("--all", "--json");
    expect(
      all.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toContainEqual({
      email: who.email,
      removedTraces: 0,
      correctedAgentSessions: 0,
      corrections: {},
    });
    expect((await recount("--user", "nobody@example.test")).code).toBe(4);
    for (const args of [[], ["--all", "--user", who.email]]) expect((await recount(...args)).code).toBe(2);
  });
});

describe("admin reprice", () => {
  it("applies new prices to stored traces, and says what changed", async () => {
    const who = await newSender(booted.client, booted.db);
    const metadata = { model: "our-model", inputTokens: 1_000_000, outputTokens: 0 };
    await who.send([trace({ spans: [span({ metadata })] }), trace()]);
    await who.put("/api/prices", { model: "our-*", inputUsd: 2, outputUsd: 0 });
    const reprice = (...args: string[]) =>
      call(["admin", "reprice", "--database", booted.databaseUrl, "--user", who.email, ...args]);
    const changed = `${who.email}: 1 of 1 traces, 1 spans, $0.0000 → $2.0000\n`;
    expect((await reprice("--dry-run")).stdout).toBe(`${changed}1 trace would change. Nothing was changed\n`);
    expect((await reprice("--from", "2026-02-01")).stdout).toBe("0 traces changed\n");
    expect((await reprice()).stdout).toBe(`${changed}1 trace changed\n`);
    expect(JSON.parse((await reprice("--json")).stdout)).toEqual({
      email: who.email,
      traces: 1,
      changedTraces: 0,
      changedSpans: 0,
      costBeforeUsd: 2,
      costAfterUsd: 2,
      isDryRun: false,
    });
    expect((await reprice("--from", "soon")).code).toBe(2);
    const unknown = ["--database", booted.databaseUrl, "--user", "nobody@example.test"];
    expect((await call(["admin", "reprice", ...unknown])).code).toBe(4);
  });
});

describe("admin show", () => {
  it("prints a trace of any user with its payloads, byte for byte", async () => {
    const who = await newSender(booted.client, booted.db);
    const sent = trace({ spans: [span({ id: "s", input: "PAYLOAD" })], decisionPoints: [decision()] });
    const raw = JSON.stringify({ traces: [sent] }).replace(
      '"PAYLOAD"',
      '{ "n":9007199254740993, "n":1e400 }',
    );
    const headers = { authorization: `Bearer ${who.key}`, "content-type": "application/json" };
    expect((await booted.client.request("POST", "/api/traces", { raw, headers })).status).toBe(200);
    const show = (...args: string[]) => call(["admin", "show", "--database", booted.databaseUrl, ...args]);
    const { text } = await who.get(`/api/traces/${sent.id}`);
    expect(text).toContain('"input":{ "n":9007199254740993, "n":1e400 }');
    expect(await show(sent.id)).toMatchObject({ code: 0, stdout: `${text}\n` });
    expect((await show(sent.id, "--json")).stdout).toBe(`${text}\n`);
    expect((await show("no-such-trace")).code).toBe(4);
    expect((await show()).code).toBe(2);
  });
});

describe("admin distribute", () => {
  it("says what is missing if the database is not the coordinator of a cluster", async () => {
    const args = ["admin", "distribute", "--database", booted.databaseUrl];
    const { code, stderr } = await call(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /cannot be distributed yet\n- The database \w+ has no extension citus\.\n {2}On every node/,
    );
    expect((await call([...args, "--shards", "0"])).code).toBe(2);
    expect((await call(["admin", "distribute"])).stderr).toContain("Missing --database");
  });
});

describe("admin cluster", () => {
  it("says that a database is in no cluster, and rejects addresses that are none", async () => {
    const database = ["--database", booted.databaseUrl];
    for (const args of [[], ["rebalance"], ["add", "10.0.0.1:5432"], ["drain", "10.0.0.1:5432"]]) {
      const { code, stderr } = await call(["admin", "cluster", ...args, ...database]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("not part of a Citus cluster")]);
    }
    for (const address of ["10.0.0.1", "a b:5432", "10.0.0.1:65536", "postgres://a:5432"])
      expect((await call(["admin", "cluster", "add", address, ...database])).code).toBe(2);
  });
});

describe("admin reset-second-factor", () => {
  it("lets a user sign in with the password alone, and names an unknown address", async () => {
    const who = await booted.client.newUser();
    const at = ["--database", booted.databaseUrl];
    const reset = (email: string) => call(["admin", "reset-second-factor", email, ...at]);
    expect((await reset(who.email)).stdout).toContain("with the password alone");
    expect((await who.get("/api/auth/session")).status).toBe(401);
    expect((await reset("nobody@example.test")).code).toBe(4);
    expect((await call(["admin", "reset-second-factor"])).code).toBe(2);
  });
});

describe("admin add-user", () => {
  it("creates an account whose owner chooses the password, and refuses an address that has one", async () => {
    const at = ["--database", booted.databaseUrl, "--url", booted.server.url];
    const { code, stdout } = await call(["admin", "add-user", "Grace@example.test", ...at]);
    expect(code).toBe(0);
    const token = new URL(stdout.trim()).searchParams.get("token");
    const body = { token, password: "a password of her own" };
    expect((await booted.client.post("/api/auth/reset-password", body)).status).toBe(200);
    const grace = await booted.client.signIn("grace@example.test", body.password);
    expect((await grace.get("/api/auth/session")).json.user).toMatchObject({ name: "Grace" });
    const again = await call(["admin", "add-user", "grace@example.test", ...at]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("has an account already")]);
    expect((await call(["admin", "add-user", "no address", ...at])).code).toBe(2);
  });
});

describe("admin link", () => {
  it("creates sign-in and password-reset links for an existing user", async () => {
    const who = await booted.client.newUser();
    const at = ["--database", booted.databaseUrl, "--url", booted.server.url];
    const link = (await call(["admin", "link", who.email, ...at])).stdout.trim();
    const response = await fetch(link, { redirect: "manual" });
    expect([response.status, response.headers.getSetCookie()[0]]).toEqual([
      302,
      expect.stringContaining("whytrace_session="),
    ]);
    expect((await call(["admin", "link", who.email, "--reset", ...at])).stdout).toMatch(
      /\/reset-password\?token=/,
    );
    expect((await call(["admin", "link", "nobody@example.test", ...at])).code).toBe(4);
  });
});

describe("doctor", () => {
  it("passes every check with a valid URL, key and database", async () => {
    const { code, stdout } = await call(
      ["doctor", "--json", "--key", sender.key, "--database", booted.databaseUrl],
      env,
    );
    expect(code).toBe(0);
    const findings = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { check: string; status: string });
    expect(Object.fromEntries(findings.map(({ check, status }) => [check, status]))).toMatchObject({
      "Node.js": "ok",
      Database: "ok",
      Service: "ok",
      Clock: "ok",
      "API key": "ok",
    });
  });

  it("checks on the machine of a server nothing that only `whytrace dev` needs", async () => {
    const server = { ...env, DATABASE_URL: booted.databaseUrl, WHYTRACE_DATA: "/proc/nowhere" };
    const { code, stdout } = await call(["doctor"], server);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ Database");
    expect(stdout).not.toContain("Data folder");
    expect(stdout).not.toContain("Port");
  });

  it("gives advice for every failed check and exits with 1", async () => {
    const broken = { ...env, DATABASE_URL: "postgres://127.0.0.1:1/nowhere", PORT: "many" };
    const { code, stdout } = await call(
      [
        "doctor",
        "--json",
        "--key",
        "wt_nonsense",
        "--data",
        join(folder, "config/whytrace/sign-ins.json/below-a-file"),
      ],
      broken,
    );
    expect(code).toBe(1);
    const findings = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { check: string; status: string; advice?: string });
    const failed = findings.filter(({ status }) => status === "fail");
    expect(failed.map(({ check }) => check)).toEqual(["Data folder", "Configuration", "Database", "API key"]);
    for (const { advice } of failed) expect(advice).toMatch(/\.$/);
    expect(
      (await call(["doctor", "--url", "http://127.0.0.1:1"], { ...env, WHYTRACE_URL: "" })).stdout,
    ).toContain("Cannot connect to http://127.0.0.1:1");
  });
});
