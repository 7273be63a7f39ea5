import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fastestMs, leastOf } from "@whytrace/testing/least-of.ts";
import { DatabaseProxy } from "@whytrace/testing/postgres/database-proxy.ts";
import { createTestDatabase } from "@whytrace/testing/postgres/test-database.ts";
import { newSender, type Sender, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { Client, expectStatus, type SignedInUser } from "@whytrace/testing/server/client.ts";
import { EventReader } from "@whytrace/testing/server/event-reader.ts";
import { startServerProcess } from "@whytrace/testing/server/server-process.ts";
import { startStopwatch } from "@whytrace/testing/stopwatch.ts";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { EventStream, encodeEvent } from "./event-stream.ts";
import { Live, MAX_STREAMS_PER_WORKSPACE } from "./live.ts";

let here: Booted;
/** Another server on the same database. */
let there: Booted;
let alice: Sender;
beforeAll(async () => {
  here = await boot(
    { METRICS_TOKEN: "a-token-for-the-metrics-of-this-test" },
    { pausesMs: { credentials: 200 } },
  );
  there = await boot({ DATABASE_URL: here.databaseUrl });
  alice = await newSender(here.client, here.db);
});

const readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});

async function open(client: Client, cursor?: string): Promise<EventReader> {
  const reader = await EventReader.open(client, cursor);
  readers.push(reader);
  await reader.until("ready");
  return reader;
}
const onOtherServer = (user: SignedInUser) => user.at(there.client.url);
const withIds = (reader: EventReader) => expect.poll(() => reader.ids, { interval: 5 });

/** What a reader was sent of traces. A heartbeat comes when it is due, which on a slow machine is at any moment. */
const eventsOf = ({ events }: EventReader) =>
  events.map(({ event }) => event).filter((event) => event !== "heartbeat" && event !== "issues");

/** A seeded generator: the same numbers in every run. */
function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Stores changes of 30 KB each. */
async function addLongChanges(workspaceId: string, from: number, to: number) {
  await sql`
    insert into trace_changes (workspace_id, position, traces)
    select ${workspaceId}, n, format('[{"id":"t%s-%s","change":"deleted"}]', n, repeat('x', 30000))::json
    from generate_series(${from}::integer, ${to}::integer) as n`.execute(here.db);
  await sql`update trace_totals set version = ${to} where workspace_id = ${workspaceId}`.execute(here.db);
}

describe("a stream", () => {
  it("reports a trace sent to another server within a second: new, replaced, deleted, in this order", async () => {
    const bob = await newSender(here.client, here.db);
    const reader = await open(onOtherServer(bob));
    expect(reader.response.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    const one = trace({ status: "RUNNING" });
    await bob.send([one]);
    await withIds(reader).toEqual([one.id]);
    const replaced: object[] = [];
    // Without a signal, each would wait for the check that comes every 5 s.
    const reported = await fastestMs(1_000, async () => {
      await bob.send([{ ...one, status: "ERROR" }]);
      replaced.push({ id: one.id, change: "replaced", status: "ERROR" });
      await withIds(reader).toHaveLength(1 + replaced.length);
    });
    expect(reported).toBeLessThan(1_000);
    await bob.delete(`/api/traces/${one.id}`);
    await withIds(reader).toHaveLength(2 + replaced.length);
    expect(reader.changes).toEqual([
      { id: one.id, change: "new", status: "RUNNING" },
      ...replaced,
      { id: one.id, change: "deleted" },
    ]);
  });

  it("receives the changes of its own user and no other, on both servers", async () => {
    const [bob, carol] = await Promise.all([1, 2].map(() => newSender(here.client, here.db)));
    if (!bob || !carol) throw new Error("no users");
    const streams = await Promise.all(
      [bob, carol].flatMap((user) => [open(user), open(onOtherServer(user))]),
    );
    const sent = { bob: [] as string[], carol: [] as string[] };
    for (let i = 0; i < 20; i += 1)
      for (const [name, user] of [
        ["bob", bob],
        ["carol", carol],
      ] as const) {
        const one = trace();
        sent[name].push(one.id);
        // A trace with another user's id is skipped and reported to nobody.
        const foreign = sent[name === "bob" ? "carol" : "bob"][0];
        expectStatus(await user.send([one, ...(foreign && i > 0 ? [trace({ id: foreign })] : [])]), 200);
      }
    for (const [index, reader] of streams.entries())
      await withIds(reader).toEqual(index < 2 ? sent.bob : sent.carol);
  });

  it("reports nothing about a rejected batch", async () => {
    const bob = await newSender(here.client, here.db);
    const reader = await open(bob);
    expect((await bob.send([trace(), trace({ status: "DONE" })])).status).toBe(400);
    const one = trace();
    await bob.send([one]);
    await withIds(reader).toEqual([one.id]);
  });

  it("requires a session, and ends soon after the session ends on another server", async () => {
    const stranger = await new Client(here.client.url).get("/api/stream");
    expect([stranger.status, stranger.json]).toEqual([401, { error: "Unauthorized" }]);
    const user = await here.client.newUser();
    const again = await here.client.signIn(user.email);
    const [ended, other] = [await open(onOtherServer(user)), await open(onOtherServer(again))];
    await user.post("/api/auth/logout");
    await expect.poll(() => ended.isEnded).toBe(true);
    expect(other.isEnded).toBe(false);
    await sql`update sessions set expires_at = now() where user_id = ${user.userId}`.execute(here.db);
    await expect.poll(() => other.isEnded).toBe(true);
  });

  it(`is one of at most ${MAX_STREAMS_PER_WORKSPACE} per workspace; closing one allows another; the metrics count them`, async () => {
    const user = await here.client.newUser();
    const all = await Promise.all(Array.from({ length: MAX_STREAMS_PER_WORKSPACE }, () => open(user)));
    const rejected = await user.get("/api/stream");
    expect([rejected.status, rejected.json]).toEqual([429, { error: "Too many open streams" }]);
    expect(rejected.headers.get("retry-after")).toBe("5");
    const openStreams = async () => {
      const { text } = await here.client.get("/metrics", {
        headers: { authorization: "Bearer a-token-for-the-metrics-of-this-test" },
      });
      return Number(/^whytrace_live_streams (\d+)$/m.exec(text)?.[1]);
    };
    expect(await openStreams()).toBeGreaterThanOrEqual(MAX_STREAMS_PER_WORKSPACE);
    for (const reader of all) reader.close();
    await expect.poll(openStreams).toBeLessThan(MAX_STREAMS_PER_WORKSPACE);
    await open(user);
  });

  it("is not sent more while its reader has not taken what was sent, and goes on when it has", async () => {
    let drained = 0;
    const stream = new EventStream(() => {
      drained += 1;
    });
    const event = encodeEvent("changes", JSON.stringify("x".repeat(60_000)));
    for (let sent = 0; sent < 3; sent += 1) stream.send(event);
    expect([stream.isFull, stream.destroyed, drained]).toEqual([true, false, 0]);
    stream.endIfStuck(60_000);
    expect(stream.destroyed).toBe(false);
    while (stream.read() !== null);
    expect([stream.isFull, drained]).toEqual([false, 1]);
    for (let sent = 0; sent < 3; sent += 1) stream.send(event);
    await sleep(20);
    stream.endIfStuck(10);
    expect(stream.destroyed).toBe(true);
  });

  it("is closed after a bounded number of bytes if its reader does not read", async () => {
    const stream = new EventStream();
    const server = createServer((_request, response) => stream.pipe(response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.pause();
    await sleep(50);
    let bytes = 0;
    for (; !stream.destroyed && bytes < 64 * 2 ** 20; bytes += 60_000) {
      stream.send(encodeEvent("changes", JSON.stringify("x".repeat(60_000))));
      expect(stream.readableLength).toBeLessThan(2 ** 19);
      await new Promise(setImmediate);
    }
    expect(stream.destroyed).toBe(true);
    socket.destroy();
    server.close();
  });
});

describe("resuming", () => {
  it("continues after the last event received, given in the header or the query", async () => {
    const bob = await newSender(here.client, here.db);
    const reader = await open(bob);
    const [a, b, c] = [trace(), trace(), trace()];
    await bob.send([a]);
    await withIds(reader).toEqual([a.id]);
    reader.close();
    await bob.send([b]);
    await bob.send([c]);
    const resumed = await open(onOtherServer(bob), reader.lastEventId);
    expect(resumed.ids).toEqual([b.id, c.id]);
    const response = await fetch(bob.url + bob.pathOf("GET", `/api/stream?cursor=${reader.lastEventId}`), {
      headers: { cookie: bob.cookie ?? "" },
    });
    const chunks = response.body?.getReader();
    let text = "";
    while (!text.includes("event: ready"))
      text += Buffer.from((await chunks?.read())?.value ?? []).toString();
    await chunks?.cancel();
    expect(text).toContain(b.id);
    expect(text).not.toContain(a.id);
  });

  it("sends resync once if the cursor is too old, has another time, or is invalid", async () => {
    const bob = await newSender(here.client, here.db);
    const first = await open(bob);
    await bob.send([trace()]);
    await withIds(first).toHaveLength(1);
    const cursor = first.lastEventId ?? "";
    for (const unknown of ["nonsense", "999.5", `1.${Number(cursor.split(".")[1]) + 1}`, "0.7"]) {
      const reader = await open(bob, unknown);
      expect(eventsOf(reader)).toEqual(["resync", "ready"]);
      expect(reader.lastEventId).toBe(cursor);
    }
    await sql`
      insert into trace_changes (workspace_id, position, traces)
      select ${bob.workspaceId}, n, '[]' from generate_series(2, 598) as n`.execute(here.db);
    await sql`update trace_totals set version = 598 where workspace_id = ${bob.workspaceId}`.execute(here.db);
    for (let i = 0; i < 5; i += 1) await bob.send([trace()]);
    const { rows } = await sql<{ count: number }>`
      select count(*) from trace_changes where workspace_id = ${bob.workspaceId}`.execute(here.db);
    expect(rows[0]?.count).toBe(503);
    const late = await open(bob, cursor);
    expect(eventsOf(late)).toEqual(["resync", "ready"]);
    const one = trace();
    await bob.send([one]);
    await withIds(late).toEqual([one.id]);
  });

  it("sends ready after all missed changes, however many reads they take; changes without a trace are left out", async () => {
    const bob = await newSender(here.client, here.db);
    const first = await open(bob);
    await bob.send([trace()]);
    await withIds(first).toHaveLength(1);
    await sql`
      insert into trace_changes (workspace_id, position, traces)
      select ${bob.workspaceId}, n, case when n % 50 = 0 then '[]'
        else format('[{"id":"t%s","change":"deleted","padding":"%s"}]', n, repeat('x', 300)) end::json
      from generate_series(2, 450) as n`.execute(here.db);
    await sql`update trace_totals set version = 450 where workspace_id = ${bob.workspaceId}`.execute(here.db);
    const reader = await open(bob, first.lastEventId);
    const missed = Array.from({ length: 449 }, (_, index) => index + 2).filter((n) => n % 50 !== 0);
    expect(reader.ids).toEqual(missed.map((n) => `t${n}`));
    expect(eventsOf(reader)).toEqual(["changes", "changes", "changes", "ready"]);
  });

  it("sends resync if the missed changes are more than a reader is sent, however many they are", async () => {
    const bob = await newSender(here.client, here.db);
    const first = await open(bob);
    await bob.send([trace()]);
    await withIds(first).toHaveLength(1);
    await addLongChanges(bob.workspaceId, 2, 10);
    expect(eventsOf(await open(bob, first.lastEventId))).toEqual(["resync", "ready"]);
    const { rows } = await sql<{ us: number }>`
      select (extract(epoch from changed_at) * 1000000)::bigint as us from trace_changes
      where workspace_id = ${bob.workspaceId} and position = 7`.execute(here.db);
    const late = await open(bob, `7.${rows[0]?.us}`);
    expect(late.ids.map((id) => id.slice(0, 3))).toEqual(["t8-", "t9-", "t10"]);
  });

  it("takes one read for all streams of a user, of few bytes, whatever their cursors are", async () => {
    const bob = await newSender(here.client, here.db);
    await bob.send([trace()]);
    await addLongChanges(bob.workspaceId, 2, 300);
    const { rows } = await sql<{ position: number; us: number }>`
      select position, (extract(epoch from changed_at) * 1000000)::bigint as us from trace_changes
      where workspace_id = ${bob.workspaceId} order by position`.execute(here.db);
    let [queries, bytes] = [0, 0];
    const counted = here.db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => {
        bytes += JSON.stringify(result.rows).length;
        return result;
      },
    });
    const live = new Live(counted);
    const streams = rows
      .slice(0, 29)
      .map(({ position, us }) =>
        live
          .open({ workspaceId: bob.workspaceId, cursor: { position, changedAtUs: us } })
          .setEncoding("utf8"),
      );
    const texts = await Promise.all(
      streams.map(async (stream) => {
        let text = "";
        for await (const chunk of stream) {
          text += chunk;
          if (text.includes("event: ready")) break;
        }
        return text;
      }),
    );
    for (const text of texts) expect(text).toContain("event: resync");
    // One read for the stream that was opened first, one for the others.
    expect(queries).toBeLessThanOrEqual(4);
    expect(bytes).toBeLessThan(queries * 256 * 1_024);
  });

  it("sends resync instead of listing thousands of traces of one batch", async () => {
    const bob = await newSender(here.client, here.db);
    const reader = await open(bob);
    await bob.send(Array.from({ length: 2_000 }, () => trace()));
    await reader.until("resync");
    const { rows } =
      await sql`select traces from trace_changes where workspace_id = ${bob.workspaceId}`.execute(here.db);
    expect(rows).toEqual([{ traces: null }]);
    const one = trace();
    await bob.send([one]);
    await withIds(reader).toEqual([one.id]);
  });

  it("misses and repeats nothing with 8 writers on two servers and many disconnects", async () => {
    const random = seeded(7);
    const bob = await newSender(here.client, here.db);
    const start = await open(bob);
    let cursor = start.lastEventId;
    start.close();
    const sent: string[][] = Array.from({ length: 8 }, () => []);
    let isOver = false;
    const writers = sent.map(async (own, writer) => {
      for (let i = 0; i < 40; i += 1) {
        const batch = Array.from({ length: 1 + random(3) }, (_, n) =>
          trace({ id: `${writer}-${i}-${n}-${bob.workspaceId}` }),
        );
        const server = writer % 2 ? here : there;
        const response = await new Client(server.client.url).request("POST", "/api/traces", {
          body: { traces: batch },
          headers: { authorization: `Bearer ${bob.key}` },
        });
        expectStatus(response, 200);
        own.push(...batch.map(({ id }) => id));
        // A server reads for a user at most every 200 ms: the fastest machine must not be done after a few reads.
        await sleep(random(40));
      }
    });
    const over = Promise.all(writers).then(() => {
      isOver = true;
    });
    const seen: string[] = [];
    let disconnects = 0;
    for (; !isOver || seen.length < sent.flat().length; disconnects += 1) {
      const reader = await EventReader.open(random(2) ? bob : onOtherServer(bob), cursor);
      await sleep(random(60));
      // Now and then a reader stays until it has what it missed, so that a slow machine gets on, too.
      if (disconnects % 5 === 4) await reader.until("ready");
      reader.close();
      seen.push(...reader.ids);
      cursor = reader.lastEventId ?? cursor;
      expect(eventsOf(reader)).not.toContain("resync");
      expect(disconnects).toBeLessThan(500);
    }
    await over;
    expect(disconnects).toBeGreaterThan(10);
    expect(seen).toHaveLength(new Set(seen).size);
    expect(new Set(seen)).toEqual(new Set(sent.flat()));
    // Commit order: each writer's traces appear in the order it sent them.
    for (const [writer, own] of sent.entries())
      expect(seen.filter((id) => id.startsWith(`${writer}-`))).toEqual(own);
  });
});

describe("a signal", () => {
  it("covers many traces of a request, and several requests", async () => {
    const listener = new pg.Client(here.databaseUrl);
    await listener.connect();
    const heard: string[] = [];
    // Signals of other tests' users may still be under way, also in the same payload.
    listener.on("notification", ({ payload = "" }) => {
      if (payload.split(" ").includes(alice.workspaceId)) heard.push(payload);
    });
    await listener.query("listen whytrace_changes");
    await alice.send(Array.from({ length: 300 }, () => trace()));
    await expect.poll(() => heard).toHaveLength(1);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 200 }, () => alice.send([trace()])));
    await sleep(200);
    expect(heard.length).toBeLessThanOrEqual(3 + (performance.now() - startedAt) / 50);
    await listener.end();
  });

  it("that was never sent, because the process died, delays the change by only a few seconds", async () => {
    const bob = await newSender(here.client, here.db);
    const reader = await open(bob);
    const reported = await fastestMs(9_000, async (round) => {
      await sql`
        insert into trace_changes (workspace_id, position, traces)
        values (${bob.workspaceId}, ${1 + round}, '[{"id":"orphan","change":"new","status":"RUNNING"}]')`.execute(
        here.db,
      );
      await withIds(reader).toEqual(Array(1 + round).fill("orphan"));
    });
    expect(reported).toBeLessThan(9_000);
  });
});

describe("a lost database", () => {
  it("does not end a stream: changes stored by another server are sent after reconnecting", async () => {
    const DATABASE_URL = await createTestDatabase();
    const proxy = new DatabaseProxy(DATABASE_URL);
    const behind = await boot({ DATABASE_URL: await proxy.open() });
    const direct = await boot({ DATABASE_URL });
    const bob = await newSender(direct.client, direct.db);
    const reader = await open(bob.at(behind.client.url));
    const sent: string[] = [];
    const send = async () => {
      const one = trace();
      expectStatus(await bob.send([one]), 200);
      sent.push(one.id);
    };
    await send();
    await withIds(reader).toEqual(sent);
    for (let round = 0; round < 3; round += 1) {
      await proxy.disconnect();
      await send();
      await sleep(300);
      await proxy.open();
      await withIds(reader).toEqual(sent);
      await send();
      await withIds(reader).toEqual(sent);
    }
    expect(reader.isEnded).toBe(false);
    expect(eventsOf(reader)).not.toContain("resync");
  });
});

describe("SIGTERM", () => {
  it("ends open streams and exits in time; readers miss nothing across the restart", async () => {
    const env = { DATABASE_URL: here.databaseUrl, RATE_LIMIT_REGISTER: "1000/1h" };
    const bob = await newSender(here.client, here.db);
    let cursor: string | undefined;
    const exitMs = async () => {
      const { child, url } = await startServerProcess(env);
      const reader = await open(bob.at(url));
      const exited = once(child, "exit");
      const elapsedMs = startStopwatch();
      child.kill("SIGTERM");
      const [code] = await exited;
      const tookMs = elapsedMs();
      await expect.poll(() => reader.isEnded).toBe(true);
      expect(code).toBe(0);
      cursor = reader.lastEventId;
      return tookMs;
    };
    expect(await leastOf(9_000, exitMs)).toBeLessThan(9_000);
    const one = trace();
    await bob.send([one]);
    expect((await open(bob, cursor)).ids).toEqual([one.id]);
  });
});
