// Exports a user's traces, and reads them with a cursor, while the same user sends new traces, replaces and deletes stored ones.
// Passes if no trace comes twice, none is missing that is there all the time, and the server's memory does not grow with
// the number of traces.
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { trace } from "@whytrace/testing/samples/sample-traces.ts";
import { expectStatus } from "@whytrace/testing/server/client.ts";
import {
  createTrialDatabase,
  killServer,
  LARGE_PLAN,
  newTenant,
  postBatch,
  runTrial,
  select,
  startTrialServer,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import { insertTraces } from "./support/insert-traces.ts";
import { peakRssMib, resetPeakRss, rssMib } from "./support/process-memory.ts";

const MAX_GROWTH_MIB = 150;
const PAGE_LIMIT = 100;
const { values } = parseArgs({ options: { traces: { type: "string", default: "100000" } } });
const traceCount = Number(values.traces);

const idOf = (line: string) => /^\{"id":"([^"]+)"/.exec(line)?.[1] ?? "";

async function* exportedIds(url: string, key: string): AsyncGenerator<string> {
  const { status, body } = await get(`${url}/api/export/traces`, key);
  if (status !== 200 || !body) throw new Error(`The export failed with ${status}`);
  for await (const line of createInterface({ input: Readable.fromWeb(body) })) yield idOf(line);
}

async function* listedIds(url: string, key: string): AsyncGenerator<string> {
  for (let cursor: string | null = "start"; cursor !== null; ) {
    const response = await get(`${url}/api/traces?limit=${PAGE_LIMIT}&cursor=${cursor}`, key);
    if (response.status !== 200) throw new Error(`A page failed with ${response.status}`);
    const page: { traces: { id: string }[]; nextCursor: string | null } = JSON.parse(await response.text());
    for (const { id } of page.traces) yield id;
    cursor = page.nextCursor;
  }
}

const get = (url: string, key: string) => fetch(url, { headers: { authorization: `Bearer ${key}` } });

/** Sends batches of new traces and of stored ones with other times, and deletes one stored trace per batch. */
class Writer {
  sent = 0;
  readonly deleted: string[] = [];
  readonly #url: string;
  readonly #tenant: Tenant;
  readonly #ids: string[];
  #isStopped = false;

  constructor(url: string, tenant: Tenant, ids: string[]) {
    this.#url = url;
    this.#tenant = tenant;
    this.#ids = ids;
  }

  stop() {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const moved = Array.from({ length: 5 }, () =>
        trace({ id: this.#take(), startedAt: new Date(Date.now() - Math.random() * 1e10).toISOString() }),
      );
      const fresh = Array.from({ length: 5 }, () => trace());
      const { status, text } = await postBatch(
        this.#url,
        this.#tenant.key,
        JSON.stringify({ traces: [...moved, ...fresh] }),
      );
      if (status !== 200) throw new Error(`${status}: ${text}`);
      this.sent += 10;
      const id = this.#take();
      expectStatus(await this.#tenant.user.delete(`/api/traces/${id}`), 200);
      this.deleted.push(id);
    }
  }

  /** A stored id that was not taken before. */
  #take(): string {
    const [id] = this.#ids.splice(Math.floor(Math.random() * this.#ids.length), 1);
    if (id === undefined) throw new Error("No stored trace is left");
    return id;
  }
}

await runTrial(async (onCleanup) => {
  const database = await createTrialDatabase();
  onCleanup(() => database.drop());
  const server = await startTrialServer(database.url);
  onCleanup(() => killServer(server));
  const pid = server.child.pid ?? 0;
  const tenant = await newTenant(server.url, database.url, LARGE_PLAN);
  await insertTraces(database.url, tenant.user.workspaceId, { traceCount });
  const rows = await select<{ id: string }>(database.url, "select id from traces");
  const stored = new Set(rows.map(({ id }) => id));
  const { key } = expectStatus(
    await tenant.user.post("/api/keys", { name: "export", scope: "read" }),
    201,
  ).json;

  const read = async (name: string, ids: () => AsyncGenerator<string>): Promise<boolean> => {
    const writer = new Writer(server.url, tenant, [...stored]);
    const rssBefore = rssMib(pid);
    resetPeakRss(pid);
    const startedAt = performance.now();
    const writing = writer.run();
    const seen = new Set<string>();
    let twice = 0;
    for await (const id of ids()) {
      if (seen.has(id)) twice += 1;
      seen.add(id);
    }
    writer.stop();
    await writing;
    for (const id of writer.deleted) stored.delete(id);
    const missing = [...stored].filter((id) => !seen.has(id)).length;
    const seconds = (performance.now() - startedAt) / 1_000;
    const growthMib = peakRssMib(pid) - rssBefore;
    console.log(
      `${name}: ${seen.size} traces in ${seconds.toFixed(1)} s (${(seen.size / seconds).toFixed(0)}/s) beside ${writer.sent} ` +
        `traces sent and ${writer.deleted.length} deleted: ${twice} twice, ${missing} missing; RSS ${rssBefore.toFixed(0)} MiB ` +
        `before, at most ${growthMib.toFixed(0)} MiB more`,
    );
    return twice === 0 && missing === 0 && growthMib <= MAX_GROWTH_MIB;
  };

  const isExported = await read("export", () => exportedIds(server.url, key));
  const isListed = await read("cursor", () => listedIds(server.url, key));
  return isExported && isListed;
});
