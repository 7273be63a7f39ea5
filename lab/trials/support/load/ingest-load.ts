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
  isComplete,
  isCompleteRow,
  readStored,
  traceAt,
} from "../versioned-trace.ts";

const WRITERS = 8;
const READERS = 2;
const SHARED_IDS = 16;
const RETRY_PAUSE_MS = 20;
/** Longer than any outage in a trial. */
const GIVE_UP_MS = 60_000;

/** One version of one trace, sent repeatedly from `startedAt` until it is acknowledged. */
interface Attempt {
  version: number;
  startedAt: number;
  acknowledgedAt: number;
}

/**
 * Runs writers that resend the same body until it is acknowledged, and readers that read traces meanwhile. Records what
 * was sent and acknowledged, and compares it with the tables at the end.
 */
export class IngestLoad {
  readonly writes = new Tally();
  readonly reads = new Tally();
  /** Broken invariants: must stay empty. */
  readonly violations = new Tally<string>();
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

  async waitForAcknowledgement(): Promise<void> {
    const before = this.acknowledgedBatches;
    const deadline = performance.now() + 60_000;
    while (this.acknowledgedBatches === before) {
      if (performance.now() > deadline) throw new Error(`no batch acknowledged in 60 s: ${this.writes}`);
      await sleep(2);
    }
  }

  /** Starts no new batches and waits until the open ones are acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#loops);
  }

  async #write() {
    const own: string[] = [];
    while (!this.#isOver) {
      const ids = new Set(Array.from({ length: randomInt(1, 5) }, () => this.#chooseId(own)));
      const batch = [...ids].map((id) => ({ id, attempt: this.#startAttempt(id) }));
      const body = JSON.stringify({ traces: batch.map(({ id, attempt }) => traceAt(id, attempt.version)) });
      const response = await this.#sendUntilAcknowledged(body);
      if (!response) continue;
      if (response.text !== JSON.stringify({ success: true, count: batch.length }))
        this.violations.add(`acknowledged with ${response.text} instead of ${batch.length}`);
      for (const { attempt } of batch) attempt.acknowledgedAt = performance.now();
      this.acknowledgedBatches += 1;
    }
  }

  /** Half of the ids are new, 30 % recent ids of this writer, 20 % shared by all writers. */
  #chooseId(own: string[]): string {
    const dice = Math.random();
    const recent = dice < 0.3 ? own.at(-randomInt(1, 10)) : undefined;
    const shared = dice >= 0.3 && dice < 0.5 ? this.#sharedIds[randomInt(SHARED_IDS)] : undefined;
    const id = recent ?? shared ?? randomUUID();
    if (!recent && !shared) own.push(id);
    return id;
  }

  #startAttempt(id: string): Attempt {
    const attempt = {
      version: ++this.#version,
      startedAt: performance.now(),
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
      const response = await postBatch(this.#url, this.#tenant.key, body).catch(describeConnectionError);
      this.writes.add(typeof response === "string" ? response : response.status);
      if (typeof response === "object" && response.status === 200) return response;
      await sleep(RETRY_PAUSE_MS);
    }
    this.violations.add("batch never acknowledged");
    return undefined;
  }

  async #read() {
    while (!this.#isOver) {
      const id = this.#ids[randomInt(this.#ids.length || 1)] ?? "none yet";
      const mustExist = this.#attempts.get(id)?.some(isAcknowledged) ?? false;
      const trace = await this.#get(`/api/traces/${id}`);
      if (trace?.status === 404 && mustExist) this.violations.add("404 for an acknowledged trace");
      if (trace?.status === 200 && !isComplete(trace.json)) this.violations.add("partial trace read");
      const list = await this.#get("/api/traces?limit=50");
      if (list?.status === 200 && !list.json.traces.every(isCompleteRow))
        this.violations.add("partial row listed");
      await sleep(10);
    }
  }

  async #get(path: string) {
    const response = await this.#tenant.user.get(path).catch(describeConnectionError);
    this.reads.add(typeof response === "string" ? response : response.status);
    return typeof response === "string" ? undefined : response;
  }

  /** Compares the tables with what was acknowledged and records every difference as a violation. */
  async checkStored(databaseUrl: string): Promise<void> {
    const stored = new Map((await readStored(databaseUrl)).map((trace) => [trace.id, trace]));
    for (const [id, attempts] of this.#attempts) {
      const found = stored.get(id);
      if (!found && attempts.some(isAcknowledged)) this.violations.add("acknowledged trace lost");
      else if (found && isOutdated(found.version, attempts)) this.violations.add("acknowledged version lost");
      if (found && !found.isComplete) this.violations.add("partial trace stored");
    }
    for (let orphans = await countOrphans(databaseUrl); orphans > 0; orphans -= 1)
      this.violations.add("orphaned row");
    for (const wrong of await findWrongTotals(databaseUrl))
      this.violations.add(`stored total wrong: ${wrong}`);
    const [subscription] = await select<{ used: number }>(
      databaseUrl,
      `select sessions_used as used from subscriptions where workspace_id = '${this.#tenant.user.workspaceId}'`,
    );
    if (subscription?.used !== this.distinctIds)
      this.violations.add(`sessionsUsed ${subscription?.used} instead of ${this.distinctIds}`);
  }

  toString(): string {
    return (
      `${this.acknowledgedTraces} traces acknowledged in ${this.acknowledgedBatches} batches, ` +
      `${this.distinctIds} distinct ids; writes ${this.writes}; reads ${this.reads}; violations ${this.violations}`
    );
  }
}

const isAcknowledged = (attempt: Attempt) => attempt.acknowledgedAt < Number.POSITIVE_INFINITY;

/** Whether a later version, started after the stored one was acknowledged, was acknowledged too. */
function isOutdated(storedVersion: number, attempts: Attempt[]): boolean {
  const stored = attempts.find((attempt) => attempt.version === storedVersion);
  return (
    !stored || attempts.some((other) => isAcknowledged(other) && other.startedAt > stored.acknowledgedAt)
  );
}
