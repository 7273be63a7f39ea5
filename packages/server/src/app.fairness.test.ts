import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decision, newSender, type Sender, span, trace } from "@whytrace/testing/samples/sample-traces.ts";
import { type Booted, boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";

const MIB = 1024 * 1024;
const METRICS_TOKEN = "a-token-for-metrics";
let booted: Booted;
let alice: Sender;
let bob: Sender;
beforeAll(async () => {
  booted = await boot({ METRICS_TOKEN, READ_CONNECTIONS: "2", READ_CONNECTIONS_PER_WORKSPACE: "1" });
  alice = await newSender(booted.client, booted.db);
  bob = await newSender(booted.client, booted.db);
});

async function metric(name: string): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await booted.client.get("/metrics", { headers });
  return Number(new RegExp(`^whytrace_${name} (\\S+)$`, "m").exec(text)?.[1]);
}

/** Claims a trace id in a transaction that stays open until the test ends or the returned function is called. */
async function claim(id: string): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isClaimed = () => {};
  const claimed = new Promise<void>((resolve) => {
    isClaimed = resolve;
  });
  const ended = booted.db
    .transaction(async (trx) => {
      await sql`insert into trace_owners (trace_id, workspace_id) values (${id}, ${alice.workspaceId})`.execute(
        trx,
      );
      isClaimed();
      await held;
      throw new Error("rolled back on purpose");
    })
    .catch(() => {});
  await claimed;
  const end = async () => {
    release();
    await ended;
  };
  onTestFinished(end);
  return end;
}

/** A socket that announces a body and sends `sent` of it. */
function openBody(key: string, contentLength: number, sent: string | Buffer = "") {
  const { hostname, port } = new URL(booted.client.url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(
    `POST /api/traces HTTP/1.1\r\nhost: test\r\nauthorization: Bearer ${key}\r\ncontent-length: ${contentLength}\r\n\r\n`,
  );
  socket.write(sent);
  return socket;
}

describe("a list of large rows", () => {
  it("is complete, although it is larger than what is read at a time", async () => {
    const large = await newSender(booted.client, booted.db);
    for (const letter of ["a", "b", "c"])
      await large.send([
        trace({
          id: `large-${letter}`,
          metadata: { text: letter.repeat(7 * MIB) },
          decisionPoints: [decision({ contextSnapshot: { text: `${letter}é`.repeat(MIB / 2) } })],
        }),
      ]);
    const { traces } = (await large.get("/api/traces?sort=oldest")).json;
    expect(
      traces.map(({ id, metadata }: { id: string; metadata: { text: string } }) => [
        id,
        metadata.text.length,
        new Set(metadata.text).size,
      ]),
    ).toEqual(["a", "b", "c"].map((letter) => [`large-${letter}`, 7 * MIB, 1]));
    const { decisions } = (await large.get("/api/decisions")).json;
    expect(
      decisions.map((row: { contextSnapshot: { text: string }; trace: { id: string }; traceId: string }) => [
        row.traceId,
        row.trace.id,
        row.contextSnapshot.text.length,
      ]),
    ).toEqual(["c", "b", "a"].map((letter) => [`large-${letter}`, `large-${letter}`, MIB]));
  });

  it("has one row less, and not half a row, if a trace is deleted while it is read", async () => {
    const reader = await newSender(booted.client, booted.db);
    await reader.send([trace({ id: "stays" }), trace({ id: "goes", decisionPoints: [decision()] })]);
    await reader.delete("/api/traces/goes");
    expect((await reader.get("/api/decisions")).json.decisions).toEqual([]);
    expect((await reader.get("/api/traces")).json.traces).toHaveLength(1);
  });
});

describe("reads of one user", () => {
  it("wait for each other and not for anybody else's, and too many at once are 429 with Retry-After", async () => {
    await alice.send(Array.from({ length: 50 }, () => trace({ spans: [span()] })));
    const finished: string[] = [];
    // Nothing is read before a request was refused, so that all wait at the same time, however slow the machine is.
    const refusal = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const unlocked = booted.db.transaction(async (trx) => {
      await sql`lock table traces in access exclusive mode`.execute(trx);
      locked.resolve();
      await refusal.promise;
    });
    await locked.promise;
    const aliceReads = Array.from({ length: 130 }, () =>
      alice.get("/api/traces?limit=50").then((response) => {
        finished.push("alice");
        if (response.status === 429) refusal.resolve();
        return response;
      }),
    );
    await unlocked;
    const bobRead = bob.get("/api/traces").then((response) => {
      finished.push("bob");
      return response;
    });
    expect((await bobRead).status).toBe(200);
    const responses = await Promise.all(aliceReads);
    const refused = responses.filter(({ status }) => status === 429);
    expect(responses.filter(({ status }) => status === 200).length).toBeGreaterThan(90);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("retry-after")).toBe("2");
    expect(refused[0]?.json).toEqual({
      error: "Too many requests at the same time. Try again in 2 s.",
    });
    expect(finished.length - finished.indexOf("bob")).toBeGreaterThan(30);
    expect(await metric('queue_refused_total{queue="reads"}'.replace("{", "\\{").replace("}", "\\}"))).toBe(
      refused.length,
    );
  });

  it("may filter by 50 tags of 200 characters, not by more", async () => {
    const tags = (count: number, length = 3) =>
      alice.get(`/api/traces?tags=${Array.from({ length: count }, () => "t".repeat(length)).join(",")}`);
    expect((await tags(50, 200)).status).toBe(200);
    const error = "Invalid tags parameter. Must be at most 50 tags of at most 200 characters.";
    for (const response of [await tags(51), await tags(1, 201)])
      expect(response).toMatchObject({ status: 400, json: { error } });
  });
});

describe("an export", () => {
  it("runs once at a time for a user, and never for HEAD", async () => {
    const owner = await newSender(booted.client, booted.db);
    for (let n = 0; n < 3; n += 1) await owner.send([trace({ metadata: "x".repeat(8 * MIB) })]);
    expect((await owner.request("HEAD", "/api/account/export")).status).toBe(404);
    const unread = request(`${booted.client.url}/api/account/export`, {
      agent: false,
      headers: { cookie: owner.cookie ?? "" },
    });
    const response = new Promise((resolve) => unread.once("response", resolve));
    unread.on("error", () => {}).end();
    await response;
    const second = await owner.get("/api/account/export");
    expect(second).toMatchObject({
      status: 429,
      json: { error: "An export of your data is already running" },
    });
    expect(second.headers.get("retry-after")).toBe("10");
    unread.destroy();
    await expect
      .poll(async () => (await owner.get("/api/account/export")).text.trimEnd().endsWith('"traces":3}'))
      .toBe(true);
  });
});

describe("a request that waits for an id that another transaction claims", () => {
  it("delays no other user's, and is stored when the claim ends", async () => {
    const release = await claim("contested");
    let isAnswered = false;
    const blocked = bob.send([trace({ id: "contested" })]).finally(() => {
      isAnswered = true;
    });
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(booted.db)).rows.length).toBeGreaterThan(0);
    const others = await Promise.all(Array.from({ length: 20 }, () => alice.send([trace()])));
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect(isAnswered).toBe(false);
    await release();
    expect((await blocked).json).toEqual({ success: true, count: 1 });
  });
});

describe("memory for bodies", () => {
  it("is not taken by what clients announce and do not send", async () => {
    const sockets = Array.from({ length: 60 }, () => openBody(alice.key, 10 * MIB, '{"traces":'));
    await sleep(300);
    expect(await metric("ingest_memory_bytes")).toBeLessThan(MIB);
    expect((await bob.send([trace()])).status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("is held until the work ends, even if the client leaves", async () => {
    const release = await claim("abandoned");
    const body = JSON.stringify({ traces: [trace({ id: "abandoned", metadata: "x".repeat(5 * MIB) })] });
    const socket = openBody(bob.key, body.length, body);
    await expect.poll(() => metric("ingest_memory_bytes")).toBe(body.length);
    socket.destroy();
    await sleep(500);
    expect(await metric("ingest_memory_bytes")).toBe(body.length);
    await release();
    await expect.poll(() => metric("ingest_memory_bytes")).toBe(0);
    expect((await bob.get("/api/traces/abandoned")).status).toBe(200);
  });

  it("is given back by a client that sends too slowly, with 408", async () => {
    const socket = openBody(alice.key, MIB);
    const drip = setInterval(() => socket.write(" "), 200);
    const response = await new Promise<string>((resolve) => {
      socket.once("data", (chunk) => resolve(String(chunk)));
    });
    clearInterval(drip);
    socket.destroy();
    expect(response).toContain("HTTP/1.1 408");
    expect(response).toContain("Request body took too long to arrive");
  });
});

describe("requests and bytes per minute", () => {
  it("are limited for each user, with 429 that says when to try again", async () => {
    const { client, db } = await boot({ INGEST_REQUESTS_PER_MINUTE: "30", INGEST_MIB_PER_MINUTE: "2" });
    const [sender, talker, other] = await Promise.all([1, 2, 3].map(() => newSender(client, db)));
    let accepted = 0;
    let refused = await sender?.send([trace()]);
    for (; refused?.status === 200 && accepted < 30; accepted += 1) refused = await sender?.send([trace()]);
    // Ten seconds' requests, and those that become free while these are answered.
    expect(accepted).toBeGreaterThanOrEqual(5);
    expect(refused?.status).toBe(429);
    expect(refused?.json.error).toMatch(/^Too many requests in a minute\. Try again in \d+ s\.$/);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    // Many tiny records cost as much as their rows, not as their few bytes.
    expect((await talker?.send(Array.from({ length: 5_000 }, () => trace())))?.status).toBe(200);
    expect((await talker?.send([trace()]))?.json.error).toMatch(/^Too much data in a minute\./);
    expect((await other?.send([trace()]))?.status).toBe(200);
  });

  it("allow a minute's amount at once to a user who is alone, and ten seconds' to one who is not", async () => {
    const { client, db } = await boot({ INGEST_MIB_PER_MINUTE: "6" });
    const [sender, other] = await Promise.all([1, 2].map(() => newSender(client, db)));
    const send = async () => (await sender?.send([trace({ metadata: "x".repeat(MIB) })]))?.status;
    expect([await send(), await send(), await send()]).toEqual([200, 200, 200]);
    // A user is not alone for 2 s after a request of another. Twice, because the machine may stand still in between.
    const shared: (number | undefined)[] = [];
    for (let round = 0; round < 2; round += 1) {
      expect((await other?.send([trace()]))?.status).toBe(200);
      shared.push(await send());
    }
    expect(shared).toContain(429);
  });
});

describe("a large body, which another thread reads and stores", () => {
  const metadata = "x".repeat(MIB);

  it("is answered like a small one", async () => {
    const carol = await newSender(booted.client, booted.db);
    const answers = [
      await carol.send([trace({ metadata })]),
      await carol.send([trace({ metadata }), { ...trace(), status: "NONE" }]),
      await carol.send([trace({ metadata, spans: [span({ id: "s" }), span({ id: "s" })] })]),
    ];
    expect(answers.map(({ status, json }) => [status, json.count ?? json.error])).toEqual([
      [200, 1],
      [400, "Invalid trace status: NONE"],
      [409, "Duplicate trace ID detected"],
    ]);
    const { traces } = (await carol.get("/api/traces")).json;
    expect(traces.map((stored: { metadata: string }) => stored.metadata)).toEqual([metadata]);
  });

  it("of a user over the plan's limit is 429 and not stored", async () => {
    const { client, db } = await boot({ FREE_SESSIONS_PER_DAY: "1" });
    const dave = await newSender(client, db, "FREE");
    const both = await Promise.all([1, 2, 3].map(() => dave.send([trace({ metadata })])));
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 429, 429]);
  });
});
