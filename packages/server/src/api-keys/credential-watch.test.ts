import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { type Client, PASSWORD, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { CredentialWatch } from "./credential-watch.ts";

let here: Booted;
/** Another server on the same database. */
let there: Booted;
beforeAll(async () => {
  here = await boot({}, { pausesMs: { credentials: 100 } });
  there = await boot({ DATABASE_URL: here.databaseUrl });
});

/** A long response, read slowly at first. */
class SlowReader {
  text = "";
  /** So long that a response of megabytes lasts even if a busy machine takes a while to notice what ended. */
  pauseMs = 100;
  isClosed = false;

  private constructor(response: IncomingMessage) {
    response
      .on("error", () => {})
      .once("close", () => {
        this.isClosed = true;
      });
    response.on("data", async (chunk: Buffer) => {
      this.text = (this.text + chunk.toString("latin1")).slice(-1_000);
      response.pause();
      await sleep(this.pauseMs);
      response.resume();
    });
  }

  static async open(client: Client, path: string): Promise<SlowReader> {
    const request = get(there.server.url + client.pathOf("GET", path), {
      agent: false,
      headers: client.cookie === undefined ? {} : { cookie: client.cookie },
    });
    request.on("error", () => {});
    // What is left of it would take memory from the responses of the next test.
    onTestFinished(() => void request.destroy());
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(200);
    return new SlowReader(response);
  }
}

/** More than the buffers of a connection hold, so that the export lasts as long as the reader is slow. */
const storeLargeTraces = (workspaceId: string, { megabytes = 8, count = 5 } = {}) =>
  sql`
    insert into traces (workspace_id, id, name, status, tags, metadata, started_at, span_count, decision_point_count, event_count)
    select ${workspaceId}, ${workspaceId} || n, 'run', 'COMPLETED', '{}', to_json(repeat('x', ${sql.lit(megabytes * 1_000_000)})), now(), 0, 0, 0
    from generate_series(1, ${sql.lit(count)}) as n`.execute(here.db);

describe("a stream and an export", () => {
  it.each<[string, (user: SignedInUser) => Promise<unknown>]>([
    ["a logout", (user) => user.post("/api/auth/logout")],
    [
      "ending the session from another one",
      async (user) => (await here.client.signIn(user.email)).delete("/api/account/sessions"),
    ],
    [
      "a password change",
      async (user) =>
        (await here.client.signIn(user.email)).post("/api/account/password", {
          currentPassword: PASSWORD,
          password: "another good password",
        }),
    ],
    ["deleting the account", (user) => user.delete("/api/account", { password: PASSWORD })],
  ])("end soon after %s on another server", async (_, endSession) => {
    const user = await here.client.newUser();
    const other = await here.client.newUser();
    for (const { workspaceId } of [user, other]) await storeLargeTraces(workspaceId);
    const ending = [
      await SlowReader.open(user, "/api/stream"),
      await SlowReader.open(user, "/api/account/export"),
    ];
    const staying = [
      await SlowReader.open(other, "/api/stream"),
      await SlowReader.open(other, "/api/account/export"),
    ];
    // Until its first trace is read, an export of an account that is deleted has an end: no trace is left.
    await expect.poll(() => ending[1]?.text).toContain("xxx");
    await endSession(user);
    await expect.poll(() => ending[0]?.isClosed).toBe(true);
    // What the server sent before is still in the buffers of the connection.
    for (const reader of ending) reader.pauseMs = 0;
    await expect.poll(() => ending.map((reader) => reader.isClosed)).toEqual([true, true]);
    expect(ending[1]?.text).not.toContain('{"kind":"end"');
    expect(staying.map((reader) => reader.isClosed)).toEqual([false, false]);
  });
});

it("a stream and an export of a workspace end soon after it demands another sign-in", async () => {
  const user = await here.client.newUser();
  await storeLargeTraces(user.workspaceId);
  const readers = [
    await SlowReader.open(user, "/api/stream"),
    await SlowReader.open(user, "/api/workspace/export"),
  ];
  await sql`update workspaces set require_second_factor = true where id = ${user.workspaceId}`.execute(
    here.db,
  );
  await expect.poll(() => readers[0]?.isClosed).toBe(true);
  for (const reader of readers) reader.pauseMs = 0;
  await expect.poll(() => readers.map((reader) => reader.isClosed)).toEqual([true, true]);
  expect(readers[1]?.text).not.toContain('{"kind":"end"');
});

describe("every other long response", () => {
  const COMPLETE = /"nextCursor":null}$|"events":\[\]}$/;
  /**
   * Reads the rest, after both servers have noticed what ended. What they sent before is still in the buffers of the
   * connection.
   */
  const readOn = async (readers: SlowReader[]) => {
    const checks = vi.spyOn(CredentialWatch.prototype, "check");
    // When a server's second check begins, its first one has ended.
    const began = () =>
      [...Map.groupBy(checks.mock.contexts, (watch) => watch).values()].map((calls) => calls.length >= 2);
    await expect.poll(began).toEqual([true, true]);
    checks.mockRestore();
    for (const reader of readers) reader.pauseMs = 0;
    await expect.poll(() => readers.every(({ isClosed }) => isClosed)).toBe(true);
  };
  const largeTrace = (workspaceId: string) => `${workspaceId}1`;
  const newLink = async (user: SignedInUser) => {
    const { id, url } = (await user.post(`/api/traces/${largeTrace(user.workspaceId)}/shares`, {})).json;
    return { id, path: `/api/shared/${url.split("/").pop()}` };
  };

  it("ends soon after its session: a list and a trace", async () => {
    const user = await here.client.newUser();
    await storeLargeTraces(user.workspaceId, { megabytes: 24, count: 2 });
    const other = await here.client.signIn(user.email);
    const paths = ["/api/traces?cursor=start", `/api/traces/${largeTrace(user.workspaceId)}`];
    const open = (from: Client) => Promise.all(paths.map((path) => SlowReader.open(from, path)));
    const [ending, staying] = [await open(user), await open(other)];
    await user.post("/api/auth/logout");
    await readOn([...ending, ...staying]);
    for (const reader of ending) expect(reader.text).not.toMatch(COMPLETE);
    for (const reader of staying) expect(reader.text).toMatch(COMPLETE);
  });

  it("ends soon after its link is revoked or expires, or its trace is deleted", async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => here.client.newUser()));
    for (const { workspaceId } of users) await storeLargeTraces(workspaceId, { megabytes: 24, count: 1 });
    const links = await Promise.all(users.map(newLink));
    const readers = await Promise.all(links.map(({ path }) => SlowReader.open(here.client, path)));
    const [revoking, , deleting] = users;
    const [revoked, expired] = links;
    await revoking?.delete(`/api/shares/${revoked?.id}`);
    await sql`update trace_shares set expires_at = now() where id = ${expired?.id}`.execute(here.db);
    await deleting?.delete(`/api/traces/${largeTrace(deleting.workspaceId)}`);
    await readOn(readers);
    expect(readers.map(({ text }) => COMPLETE.test(text))).toEqual([false, false, false, true]);
  });
});

describe("a response to an API key", () => {
  it.each<[string, (user: SignedInUser, id: string) => Promise<unknown>]>([
    ["is revoked", (user, id) => user.delete(`/api/keys/${id}`)],
    ["expires", (_user, id) => sql`update api_keys set expires_at = now() where id = ${id}`.execute(here.db)],
  ])("ends when the key %s, and not before", async (_, end) => {
    const user = await here.client.newUser();
    const [ending, staying] = [await newKeyId(user), await newKeyId(user)];
    const watch = new CredentialWatch(here.db);
    const ended: string[] = [];
    for (const id of [ending, staying]) watch.watch(id, () => ended.push(id));
    await watch.check();
    expect(ended).toEqual([]);
    await end(user, ending);
    await watch.check();
    expect(ended).toEqual([ending]);
  });

  const newKeyId = async (user: SignedInUser): Promise<string> =>
    (await user.post("/api/keys", { name: "reader", scope: "read" })).json.id;
});
