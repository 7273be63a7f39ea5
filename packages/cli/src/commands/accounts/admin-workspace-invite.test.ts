import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boot } from "@whytrace/testing/server/boot.ts";
import { type Client, expectStatus, PASSWORD } from "@whytrace/testing/server/client.ts";
import { afterAll, expect, it } from "vitest";
import { call } from "../../../test/call.ts";

const { client, databaseUrl } = await boot({ REGISTRATION: "closed", WORKSPACE_CREATION: "closed" });
const folder = await mkdtemp(join(tmpdir(), "whytrace-admin-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const env = { WHYTRACE_DATA: folder, DATABASE_URL: databaseUrl, PUBLIC_URL: client.url };
const admin = (...args: string[]) => call(["admin", "workspace", ...args], env);
const newAddress = () => `${randomUUID()}@example.test`;

/** An account that the operator makes, and its session. */
async function addUser(email: string): Promise<Client> {
  const { stdout } = await call(["admin", "add-user", email], env);
  const token = new URL(stdout.trim()).searchParams.get("token");
  expectStatus(await client.post("/api/auth/reset-password", { token, password: PASSWORD }), 200);
  return client.signIn(email);
}

it("creates workspaces, invites people who have no account yet, and makes owners, on a closed server", async () => {
  const ada = newAddress();
  const owner = await addUser(ada);
  expect((await admin("create", "Acme", "--owner", newAddress())).code).toBe(4);
  const slug = (await admin("create", "Acme", "--owner", ada)).stdout.trim();
  expect((await admin("list")).stdout).toMatch(new RegExp(`^${slug} +1  Acme +${ada}$`, "m"));

  const colleagues = Array.from({ length: 20 }, newAddress);
  const viewer = newAddress();
  const file = join(folder, "people.csv");
  await writeFile(file, `${colleagues.join("\n")}\n\n${viewer}, viewer\n${ada}\n`);
  expect((await admin("invite", "unknown", file)).code).toBe(4);
  const first = (await admin("invite", slug, file)).stdout.trim().split("\n");
  const { stdout } = await admin("invite", slug, file);
  const lines = stdout.trim().split("\n");
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe(`${ada} member is a member already`);
  expect((await owner.get(`/w/${slug}/api/invitations`)).json.invitations).toHaveLength(21);

  const tokenOf = (line = "") => new URL(line.split(" ")[2] ?? "").searchParams.get("token");
  const register = (email: string, invitation: string | null) =>
    client.post("/api/auth/register", { email, password: PASSWORD, invitation });
  // The second list has ended the links of the first.
  expect((await register(viewer, tokenOf(first.at(-2)))).status).toBe(400);
  expectStatus(await register(viewer, tokenOf(lines.at(-2))), 200);
  const grace = await client.signIn(viewer);
  const accepted = await grace.post("/api/invitations/accept", { token: tokenOf(lines.at(-2)) });
  expect(expectStatus(accepted, 200).json.workspace).toMatchObject({ slug, role: "viewer" });

  expect((await admin("set-owner", slug, newAddress())).code).toBe(4);
  expect((await admin("set-owner", slug, viewer)).code).toBe(0);
  expect((await grace.get("/api/workspace")).json).toMatchObject({ slug, role: "owner" });
  const { events } = (await grace.get("/api/audit?limit=2")).json;
  expect(events[0]).toMatchObject({
    action: "member.role-changed",
    actor: { kind: "operator" },
    details: { from: "viewer", to: "owner" },
  });
});

it("refuses a list with a line that is no address", async () => {
  const file = join(folder, "wrong.csv");
  for (const line of ["ada", "ada@example.test, king"]) {
    await writeFile(file, `grace@example.test\n${line}\n`);
    expect(await admin("invite", "k3v9q2mxab", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Line 2"),
    });
  }
});
