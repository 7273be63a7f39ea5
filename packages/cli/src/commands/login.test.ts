import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMember, prefixOf } from "@whytrace/testing/samples/add-member.ts";
import { newSender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { boot } from "@whytrace/testing/server/boot.ts";
import { expectStatus, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { addApp } from "@whytrace/testing/server/second-factor.ts";
import { afterAll, expect, it } from "vitest";
import { call, finish, type Result, start } from "../../test/call.ts";

const { client, db, server } = await boot({ ENCRYPTION_KEYS: randomBytes(32).toString("base64") });
const folder = await mkdtemp(join(tmpdir(), "whytrace-login-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
// `true` does nothing with the address: the tests play the browser.
const environment = (name: string) => ({
  XDG_CONFIG_HOME: join(folder, name),
  WHYTRACE_DATA: join(folder, "data"),
  WHYTRACE_URL: server.url,
  BROWSER: "true",
});

/** Starts `login` and returns the search of the page that it opens. */
async function openLogin(args: string[], env: Record<string, string>) {
  const child = start(["login", ...args], env);
  const page = new Promise<URLSearchParams>((resolve) => {
    let text = "";
    child.stderr?.on("data", (chunk) => {
      text += chunk;
      const found = /\/cli\?(\S+)\s/.exec(text)?.[1];
      if (found !== undefined) resolve(new URLSearchParams(found));
    });
  });
  return { child, search: await page };
}
const approve = async (user: SignedInUser, prefix: string, search: URLSearchParams): Promise<string> => {
  const body = { challenge: search.get("challenge"), name: search.get("name") };
  return expectStatus(await user.post(`${prefix}/api/cli-codes`, body), 201).json.code;
};
const lines = ({ stdout }: Result) => stdout.trim().split("\n");

it("signs in with the browser, in the workspace that was chosen there; `use` and --workspace choose others", async () => {
  const env = environment("browser");
  const [owner, user] = [await newSender(client, db), await newSender(client, db)];
  const prefix = await addMember(db, owner, user, "viewer");
  const slug = prefix.slice("/w/".length);
  const { child, search } = await openLogin([], env);
  const ended = finish(child);
  const back = `http://127.0.0.1:${search.get("port")}/`;
  expect((await fetch(`${back}favicon.ico`)).status).toBe(404);
  const answer = await fetch(`${back}?code=${await approve(user, prefix, search)}`);
  expect(await answer.text()).toContain("return to the terminal");
  expect(await ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${prefix} as ${user.email}`),
  });

  const [theirs, own] = [trace({ agentName: "theirs" }), trace({ agentName: "own" })];
  await owner.send([theirs]);
  await user.send([own]);
  const listed = async (args: string[] = [], more = {}) =>
    lines(await call(["traces", "--json", ...args], { ...env, ...more })).map((line) => JSON.parse(line).id);
  const other = (await prefixOf(db, user)).slice("/w/".length);
  expect(await listed()).toEqual([theirs.id]);
  expect(await listed(["--workspace", other])).toEqual([own.id]);
  expect(await listed([], { WHYTRACE_WORKSPACE: other })).toEqual([own.id]);
  // The id of a trace is enough.
  expect((await call(["trace", own.id], env)).code).toBe(0);
  expect((await call(["trace", "unknown"], env)).code).toBe(4);
  const marked = lines(await call(["workspaces"], env)).filter((line) => line.startsWith("*"));
  expect(marked).toEqual([expect.stringContaining(slug)]);
  expect((await call(["use", "unknown"], env)).code).toBe(4);
  expect((await call(["use", other], env)).code).toBe(0);
  expect(await listed()).toEqual([own.id]);
});

it("takes a pasted code where the browser runs elsewhere, and says if it is wrong", async () => {
  const env = environment("pasted");
  const user = await client.newUser();
  const wrong = await openLogin(["--no-browser"], env);
  expect(wrong.search.has("port")).toBe(false);
  expect(await finish(wrong.child, "forged\n")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Invalid or expired code"),
  });
  const { child, search } = await openLogin(["--no-browser"], env);
  const code = await approve(user, "", search);
  expect((await finish(child, `http://127.0.0.1:1025/?code=${code}\n`)).code).toBe(0);
  expect(await readFile(join(folder, "pasted/whytrace/sign-ins.json"), "utf8")).toContain(user.email);
  const unused = await openLogin(["--no-browser"], env);
  expect(await finish(unused.child)).toMatchObject({ code: 3, stderr: expect.stringContaining("No code") });
});

it("asks for a code after the password of a person with a second factor", async () => {
  const env = environment("password");
  const user = await client.newUser();
  const { recoveryCodes } = await addApp(user);
  const logIn = (code: string) =>
    finish(start(["login", "--email", user.email], env), `${PASSWORD}\n${code}\n`);
  expect(await logIn("aaaa-bbbb-cccc-dddd")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("Invalid code"),
  });
  expect(await logIn(recoveryCodes[0] ?? "")).toMatchObject({ code: 0 });
});
