import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openBrowser, openPage } from "@whytrace/testing/browser.ts";
import { addMember } from "@whytrace/testing/samples/add-member.ts";
import type { Booted } from "@whytrace/testing/server/boot.ts";
import { bootAtOrigin } from "@whytrace/testing/server/boot-at-origin.ts";
import { PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { signedInContext } from "@whytrace/testing/server/signed-in-context.ts";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { axeViolations } from "./axe-violations.ts";
import { layoutFaults } from "./layout-faults.ts";

const CLI = fileURLToPath(new URL("../../packages/cli/bin/whytrace.js", import.meta.url));
const NOT_SIGNED_IN = 3;

let browser: Browser;
let booted: Booted;
let folder: string;
/** Belongs to its own workspace, and to another one as viewer. */
let ada: SignedInUser;
let shared: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "whytrace-cli-"));
  booted = await bootAtOrigin();
  const owner = await booted.client.newUser();
  ada = await booted.client.newUser();
  shared = await addMember(booted.db, owner, ada, "viewer");
  await sql`update workspaces set name = 'Shared' where id = ${owner.workspaceId}`.execute(booted.db);
  browser = await openBrowser();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Login {
  child: ChildProcess;
  /** The page that the command asks for. */
  path: string;
  ended: Promise<{ code: number; text: string }>;
}

/** Starts `whytrace login`; nothing opens a browser, that is what the tests do. */
async function startLogin(...args: string[]): Promise<Login> {
  const child = spawn(process.execPath, [CLI, "login", ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      WHYTRACE_URL: booted.client.url,
      BROWSER: "true",
    },
    stdio: "pipe",
  });
  let text = "";
  const address = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
      const found = /(\/cli\?\S+)\s/.exec(text)?.[1];
      if (found) address.resolve(found);
    });
  const ended = once(child, "close").then(([code]) => ({ code, text }));
  void ended.then(() => address.reject(new Error(text)));
  return { child, path: await address.promise, ended };
}

async function expectFits(page: Page) {
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(layoutFaults, 0), `at ${width} px`).toEqual([]);
  }
  expect(await axeViolations(page)).toEqual([]);
}

const countCodes = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from cli_codes where user_id = ${ada.userId}`.execute(booted.db);
  return rows[0]?.count;
};
const openAsAda = async () => openPage(await signedInContext(browser, ada, { baseURL: booted.client.url }));

it("a person who is not signed in signs in first, approves, and the command has the workspace that was chosen", async () => {
  const login = await startLogin();
  const { page, pageErrors } = await openPage(await browser.newContext({ baseURL: booted.client.url }));
  await page.goto(login.path);
  await page.getByLabel("Email").fill(ada.email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "Sign in the command line" }).waitFor();
  await page.getByText("Only if you have just run whytrace login.").waitFor();
  await expectFits(page);
  await page.getByLabel("Workspace").selectOption("Shared");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("return to the terminal").waitFor();
  expect(await login.ended).toMatchObject({
    code: 0,
    text: expect.stringContaining(`${shared} as ${ada.email}`),
  });
  expect(pageErrors).toEqual([]);
  await page.context().close();
});

it("a person who refuses makes no code, and the command goes on waiting", async () => {
  const login = await startLogin();
  const { page, pageErrors } = await openAsAda();
  await page.goto(login.path);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("heading", { name: "Refused" }).waitFor();
  await expectFits(page);
  expect(await countCodes()).toBe(0);
  expect(login.child.exitCode).toBe(null);
  login.child.kill();
  await login.ended;
  expect(pageErrors).toEqual([]);
  await page.context().close();
});

it("a code that is pasted signs in once; a wrong one and an expired one do not, and the page offers another", async () => {
  const wrong = await startLogin("--no-browser");
  const { page, pageErrors } = await openAsAda();
  await page.clock.install();
  const codeFor = async ({ path }: Login) => {
    await page.goto(path);
    return makeCode();
  };
  const makeCode = async () => {
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    return (await page.getByRole("region", { name: "Code" }).textContent()) ?? "";
  };
  const right = await codeFor(wrong);
  await expectFits(page);
  wrong.child.stdin?.end(`${right.slice(0, -3)}xyz\n`);
  const refused = { code: NOT_SIGNED_IN, text: expect.stringContaining("Invalid or expired code") };
  expect(await wrong.ended).toMatchObject(refused);

  const late = await startLogin("--no-browser");
  const expired = await codeFor(late);
  await sql`update cli_codes set expires_at = now() where user_id = ${ada.userId}`.execute(booted.db);
  await page.clock.fastForward("02:01");
  await page.getByText("The code has expired.").waitFor();
  await expectFits(page);
  late.child.stdin?.end(`${expired}\n`);
  expect(await late.ended).toMatchObject(refused);

  const again = await startLogin("--no-browser");
  await codeFor(again);
  await page.clock.fastForward("02:01");
  await page.getByRole("button", { name: "Make another code" }).click();
  const code = await makeCode();
  again.child.stdin?.end(`${code}\n`);
  expect((await again.ended).code).toBe(0);
  // The code of another command is of no use to this one.
  const other = await startLogin("--no-browser");
  other.child.stdin?.end(`${code}\n`);
  expect(await other.ended).toMatchObject(refused);
  expect(pageErrors).toEqual([]);
  await page.context().close();
});

it("an address without the command's part, or with a forged one, signs nobody in", async () => {
  const { page, pageErrors } = await openAsAda();
  await page.goto("/cli");
  await page.getByText("This page is opened by the command whytrace login.").waitFor();
  await expectFits(page);
  await page.goto(`/cli?challenge=forged&port=1&name=${"long-host-name-".repeat(6)}`);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("must be a SHA-256 hash in Base64url").waitFor();
  await expectFits(page);
  expect(pageErrors.filter((text) => !text.includes("status of 400"))).toEqual([]);
  await page.context().close();
});
