import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type Booted, boot } from "@whytrace/testing/boot.ts";
import { type Client, PASSWORD, type SignedInUser } from "@whytrace/testing/client.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";

let here: Booted;
/** Another server on the same database. */
let there: Booted;
beforeAll(async () => {
  here = await boot();
  there = await boot({ DATABASE_URL: here.databaseUrl });
});

/** A long response, read slowly at first. */
class SlowReader {
  text = "";
  pauseMs = 50;
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

  static async open(user: Client, path: string): Promise<SlowReader> {
    const request = get(there.server.url + path, { agent: false, headers: { cookie: user.cookie } });
    request.on("error", () => {});
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(200);
    return new SlowReader(response);
  }
}

/** More than the buffers of a connection hold, so that the export lasts as long as the reader is slow. */
const storeLargeTraces = (userId: string) =>
  sql`
    insert into traces (user_id, id, name, status, tags, metadata, started_at, span_count, decision_point_count, event_count)
    select ${userId}, ${userId} || n, 'run', 'COMPLETED', '{}', to_json(repeat('x', 8000000)), now(), 0, 0, 0
    from generate_series(1, 5) as n`.execute(here.db);

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
  ])(
    "end within 5 s of %s on another server",
    async (_, endSession) => {
      const user = await here.client.newUser();
      const other = await here.client.newUser();
      for (const { id } of [user, other]) await storeLargeTraces(id);
      const ending = [
        await SlowReader.open(user, "/api/stream"),
        await SlowReader.open(user, "/api/account/export"),
      ];
      const staying = [
        await SlowReader.open(other, "/api/stream"),
        await SlowReader.open(other, "/api/account/export"),
      ];
      await endSession(user);
      await sleep(3_000);
      // What the server sent before is still in the buffers of the connection.
      for (const reader of ending) reader.pauseMs = 0;
      await expect
        .poll(() => ending.map((reader) => reader.isClosed), { timeout: 2_000, interval: 50 })
        .toEqual([true, true]);
      expect(ending[1]?.text).not.toContain('{"kind":"end"');
      expect(staying.map((reader) => reader.isClosed)).toEqual([false, false]);
    },
    20_000,
  );
});
