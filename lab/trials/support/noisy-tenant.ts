// The attacks of lab/trials/noisy-neighbour.ts, in a process of their own. Runs the attacks that its options name until it is
// killed.
import { randomUUID } from "node:crypto";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { postRaw } from "./raw-request.ts";

export interface NoisyOptions {
  url: string;
  attacks: string[];
  key: string;
  cookie: string;
  /** A second account of the same attacker. */
  otherKey: string;
}

const MIB = 1024 * 1024;
const STARTED_AT = "2026-06-01T00:00:00.000Z";

const traceOf = (id: string, fields: object = {}) =>
  trace({ id, name: "noise", status: "RUNNING", startedAt: STARTED_AT, ...fields });
const bodyOf = (traces: object[]) => JSON.stringify({ traces });
const text = (bytes: number) => "abcdefgh".repeat(bytes / 8);

class NoisyTenant {
  readonly #options: NoisyOptions;

  constructor(options: NoisyOptions) {
    this.#options = options;
  }

  readonly attacks: Readonly<Record<string, () => Promise<unknown>>> = {
    /** Lists of traces with 9 MiB of metadata; half of the clients never read. */
    "large lists": () =>
      Promise.all([
        ...repeat(8, () => this.#get("/api/traces?limit=100&sort=oldest")),
        ...repeat(8, () => this.#getWithoutReading("/api/traces?limit=100&sort=oldest")),
      ]),

    /** Large batches that all replace the same traces, and so wait for each other's locks. */
    "lock queue": () => {
      const ids = Array.from({ length: 40 }, (_, n) => `lock-queue-${n}`);
      const body = bodyOf(ids.map((id) => traceOf(id, { metadata: text(25_600) })));
      return Promise.all(repeat(20, () => this.#post(body)));
    },

    /** One account claims ids in a slow transaction, another one posts the same ids one by one. */
    "claimed ids": () =>
      Promise.all(
        repeat(1, async () => {
          const ids = Array.from({ length: 20_000 }, () => randomUUID());
          const slow = this.#post(bodyOf(ids.map((id) => traceOf(id))));
          await sleep(200);
          await Promise.all(
            ids.slice(0, 24).map((id) => this.#post(bodyOf([traceOf(id)]), this.#options.otherKey)),
          );
          await slow;
        }),
      ),

    /** Many lists at the same time, with as many tags as a filter may have. */
    "heavy filters": () => {
      const tags = Array.from({ length: 49 }, (_, n) => `tag-${n * 7}`).join(",");
      return Promise.all(
        repeat(60, (n) =>
          this.#get(`/api/traces?limit=100&sort=longest&page=${1 + (n % 300)}&tags=${tags},x${n}`),
        ),
      );
    },

    /** Sockets that announce 10 MiB and send a byte a second. */
    "dripping bodies": () =>
      Promise.all(
        repeat(60, async () => {
          const socket = this.#openBody(10 * MIB);
          const drip = setInterval(() => socket.write(" "), 1_000);
          await new Promise((resolve) => socket.once("close", resolve));
          clearInterval(drip);
        }),
      ),

    /** Bodies of 10 MiB whose sender hangs up at once, over and over. */
    "hang up": () =>
      Promise.all(
        repeat(8, async (n) => {
          const body = Buffer.from(bodyOf([traceOf(`hang-up-${n % 8}`, { metadata: text(9 * MIB) })]));
          const socket = this.#openBody(body.length);
          await new Promise<void>((resolve) => socket.write(body, () => resolve()));
          socket.destroy();
        }),
      ),

    /** Exports of the whole account that nobody reads. */
    exports: () =>
      Promise.all([
        ...repeat(50, async () => {
          await this.#get("/api/account/export", "HEAD");
          await sleep(200);
        }),
        ...repeat(10, () => this.#getWithoutReading("/api/account/export", 2_000)),
        ...repeat(4, () => this.#get("/api/account/export")),
      ]),

    /** The same trace replaced for ever, and the largest batches that a plan allows. */
    replaced: () => {
      const body = bodyOf([traceOf("replaced", { metadata: text(1_024) })]);
      const many = gzipSync(bodyOf(Array.from({ length: 40_000 }, (_, n) => traceOf(`many-${n}`))));
      return Promise.all([
        ...repeat(32, () => this.#post(body)),
        ...repeat(2, () => this.#post(many, this.#options.key, { "content-encoding": "gzip" })),
      ]);
    },

    /** Searches of two letters and charts of 90 days, while the account's data changes. */
    "expensive questions": () =>
      Promise.all([
        ...repeat(6, (n) => this.#get(`/api/traces?search=${"qwxzkvjy"[n % 8]}${"jqzkxvwy"[(n >> 3) % 8]}`)),
        ...repeat(6, () => this.#get("/api/stats/traces?from=2026-04-01T00:00:00Z&to=2026-06-30T00:00:00Z")),
        ...repeat(1, async () => {
          await this.#post(bodyOf([traceOf("question")]));
          await sleep(100);
        }),
      ]),
  };

  #post(body: string | Buffer, key = this.#options.key, headers: Record<string, string> = {}) {
    return postRaw(this.#options.url, key, { body, headers });
  }

  #get(path: string, method = "GET"): Promise<void> {
    return new Promise((resolve) => {
      this.#open(path, method)
        .once("response", (response: IncomingMessage) => {
          response.resume().once("close", resolve);
        })
        .once("close", resolve);
    });
  }

  /** Keeps the connection until the server cuts it. */
  #getWithoutReading(path: string, maxMs = 120_000): Promise<void> {
    return new Promise((resolve) => {
      const outgoing = this.#open(path, "GET").once("close", resolve);
      // Without a listener for `data`, the response is not read.
      outgoing.once("response", (response: IncomingMessage) => response.once("error", () => {}));
      setTimeout(() => outgoing.destroy(), maxMs);
    });
  }

  #open(path: string, method: string): ClientRequest {
    const { url, cookie } = this.#options;
    const outgoing = request(url + path, { method, agent: false, headers: { cookie } });
    outgoing.on("error", () => {}).end();
    return outgoing;
  }

  #openBody(contentLength: number) {
    const { hostname, port } = new URL(this.#options.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {}).resume();
    socket.write(
      `POST /api/traces HTTP/1.1\r\nhost: noise\r\nauthorization: Bearer ${this.#options.key}\r\n` +
        `content-length: ${contentLength}\r\n\r\n`,
    );
    return socket;
  }
}

/** Runs `work` again and again in `count` loops; a loop pauses after a failure or an early response. */
function repeat(count: number, work: (round: number) => Promise<unknown>): Promise<never>[] {
  return Array.from({ length: count }, async (_, loop) => {
    for (let round = loop; ; round += count) {
      const startedAt = performance.now();
      await work(round);
      if (performance.now() - startedAt < 5) await sleep(5);
    }
  });
}

const { attacks, ...options } = JSON.parse(process.argv[2] ?? "{}") as NoisyOptions;
const noisy = new NoisyTenant({ attacks, ...options });
await Promise.all(attacks.map((attack) => noisy.attacks[attack]?.()));
