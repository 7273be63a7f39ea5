import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type BatchResponse,
  describeConnectionError,
  postBatch,
  select,
  Tally,
  type Tenant,
} from "@whytrace/testing/trial.ts";
import {
  countOrphans,
  findWrongTotals,
  isWhole,
  isWholeRow,
  readStored,
  traceAt,
} from "./versioned-trace.ts";

const WRITERS = 8;
const READERS = 2;
const SHARED_IDS = 16;
const RETRY_PAUSE_MS = 20;
/** Longer than any outage here: a body that is not taken by then never will be. */
const GIVE_UP_MS = 60_000;

/** One version of one trace on its way: sent from `begunAt` on, again and again, until acknowledged. */
interface Attempt {
  version: number;
  begunAt: number;
  acknowledgedAt: number;
}

/**
 * Writers that resend the same body until it is acknowledged, and readers that look at what is there meanwhile. What
 * was sent and acknowledged is kept here, to be held against the tables at the end.
 */
export class IngestLoad {
  readonly writes = new Tally();
  readonly reads = new Tally();
  /** What must never happen, in words. */
  readonly faults = new Tally<string>();
  acknowledgedBatches = 0;
  readonly #url: string;
  readonly #tenant: Tenant;
  readonly #attempts = new Map<string, Attempt[]>();
  readonly #ids: string[] = [];
  readonly #sharedIds = Array.from({ length: SHARED_IDS }, () => `shared-${randomUUID()}`);
  readonly #loops: Promise<void>[];
  #version = 0;
  #isOver = false;

  constructor(url: string, tenant: Tenant) {
    this.#url = url;
    this.#tenant = tenant;
    this.#loops = [
      ...Array.from({ length: WRITERS }, () => this.#write()),
      ...Array.from({ length: READERS }, () => this.#read()),
    ];
  }

  get acknowledgedTraces() {
    return [...this.#attempts.values()].flat().filter(isAcknowledged).length;
  }

  get distinctIds() {
    return this.#attempts.size;
  }

  async untilNextAcknowledgement(): Promise<void> {
    const before = this.acknowledgedBatches;
    const deadline = performance.now() + 60_000;
    while (this.acknowledgedBatches === before) {
      if (performance.now() > deadline) throw new Error(`no batch acknowledged in 60 s: ${this.writes}`);
      await sleep(2);
    }
  }

  /** Nothing new is begun; what was begun is sent until it is acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #write() {
    const own: string[] = [];
    while (!this.#isOver) {
      const ids = new Set(Array.from({ length: randomInt(1, 5) }, () => this.#chooseId(own)));
      const batch = [...ids].map((id) => ({ id, attempt: this.#begin(id) }));
      const body = JSON.stringify({ traces: batch.map(({ id, attempt }) => traceAt(id, attempt.version)) });
      const answer = await this.#sendUntilAcknowledged(body);
      if (!answer) continue;
      if (answer.text !== JSON.stringify({ success: true, count: batch.length }))
        this.faults.add(`acknowledged with ${answer.text} instead of ${batch.length}`);
      for (const { attempt } of batch) attempt.acknowledgedAt = performance.now();
      this.acknowledgedBatches += 1;
    }
  }

  /** Half of the ids are new, some this writer's own of late, some are fought over by all writers. */
  #chooseId(own: string[]): string {
    const dice = Math.random();
    const again = dice < 0.3 ? own.at(-randomInt(1, 10)) : undefined;
    const shared = dice >= 0.3 && dice < 0.5 ? this.#sharedIds[randomInt(SHARED_IDS)] : undefined;
    const id = again ?? shared ?? randomUUID();
    if (!again && !shared) own.push(id);
    return id;
  }

  #begin(id: string): Attempt {
    const attempt = {
      version: ++this.#version,
      begunAt: performance.now(),
      acknowledgedAt: Number.POSITIVE_INFINITY,
    };
    const attempts = this.#attempts.get(id);
    if (attempts) attempts.push(attempt);
    else {
      this.#attempts.set(id, [attempt]);
      this.#ids.push(id);
    }
    return attempt;
  }

  async #sendUntilAcknowledged(body: string): Promise<BatchResponse | undefined> {
    for (const deadline = performance.now() + GIVE_UP_MS; performance.now() < deadline; ) {
      const answer = await postBatch(this.#url, this.#tenant.key, body).catch(describeConnectionError);
      this.writes.add(typeof answer === "string" ? answer : answer.status);
      if (typeof answer === "object" && answer.status === 200) return answer;
      await sleep(RETRY_PAUSE_MS);
    }
    this.faults.add("batch never acknowledged");
    return undefined;
  }

  async #read() {
    while (!this.#isOver) {
      const id = this.#ids[randomInt(this.#ids.length || 1)] ?? "none yet";
      const mustBeThere = this.#attempts.get(id)?.some(isAcknowledged) ?? false;
      const trace = await this.#get(`/api/traces/${id}`);
      if (trace?.status === 404 && mustBeThere) this.faults.add("acknowledged trace answered 404");
      if (trace?.status === 200 && !isWhole(trace.json)) this.faults.add("partial trace read");
      const list = await this.#get("/api/traces?limit=50");
      if (list?.status === 200 && !list.json.traces.every(isWholeRow)) this.faults.add("partial row listed");
      await sleep(10);
    }
  }

  async #get(path: string) {
    const answer = await this.#tenant.user.get(path).catch(describeConnectionError);
    this.reads.add(typeof answer === "string" ? answer : answer.status);
    return typeof answer === "string" ? undefined : answer;
  }

  /** Holds the tables against what was acknowledged; adds what differs to the faults. */
  async checkStored(databaseUrl: string): Promise<void> {
    const stored = new Map((await readStored(databaseUrl)).map((trace) => [trace.id, trace]));
    for (const [id, attempts] of this.#attempts) {
      const found = stored.get(id);
      if (!found && attempts.some(isAcknowledged)) this.faults.add("acknowledged trace lost");
      else if (found && isOutdated(found.version, attempts)) this.faults.add("acknowledged version lost");
      if (found && !found.isWhole) this.faults.add("partial trace stored");
    }
    for (let orphans = await countOrphans(databaseUrl); orphans > 0; orphans -= 1)
      this.faults.add("orphaned row");
    for (const wrong of await findWrongTotals(databaseUrl)) this.faults.add(`kept total wrong: ${wrong}`);
    const [subscription] = await select<{ used: number }>(
      databaseUrl,
      `select sessions_used as used from subscriptions where user_id = '${this.#tenant.user.id}'`,
    );
    if (subscription?.used !== this.distinctIds)
      this.faults.add(`sessionsUsed ${subscription?.used} instead of ${this.distinctIds}`);
  }

  toString(): string {
    return (
      `${this.acknowledgedTraces} traces acknowledged in ${this.acknowledgedBatches} batches, ` +
      `${this.distinctIds} distinct ids; writes ${this.writes}; reads ${this.reads}; faults ${this.faults}`
    );
  }
}

const isAcknowledged = (attempt: Attempt) => attempt.acknowledgedAt < Number.POSITIVE_INFINITY;

/** Whether a version was begun after the stored one had been acknowledged, and was acknowledged itself. */
function isOutdated(storedVersion: number, attempts: Attempt[]): boolean {
  const stored = attempts.find((attempt) => attempt.version === storedVersion);
  return !stored || attempts.some((other) => isAcknowledged(other) && other.begunAt > stored.acknowledgedAt);
}
