import { setImmediate as nextEventLoopTurn } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import { Coalescer } from "../concurrency/coalescer.ts";
import { startWorker, type Worker } from "../concurrency/worker.ts";
import { WorkspaceCoalescer } from "../concurrency/workspace-coalescer.ts";
import type { Database } from "../db/database.ts";
import type { WorkspaceId } from "../db/workspace-id.ts";
import { HttpError } from "../http/http-error.ts";
import { ChangeSignal } from "./change-signal.ts";
import type { Cursor } from "./cursor.ts";
import { encodeChanges } from "./encode-changes.ts";
import { EventStream, encodeEvent } from "./event-stream.ts";
import { changesAfter, newestCursor, type RecentChanges, readRecentChanges } from "./read-changes.ts";

export const MAX_STREAMS_PER_WORKSPACE = 30;
const PAUSE_MS = 200;
/** Readers hear of changed issues at most so often. */
const ISSUES_PAUSE_MS = 1_000;
const CHECK_PAUSE_MS = 5_000;
const HEARTBEAT_MS = 15_000;
/** A reader that takes nothing for this time is disconnected. */
const MAX_STUCK_MS = 15_000;
/** Of the connections that sign-in and API keys need, too. */
const MAX_READS = 2;
const MAX_READ_MS_PER_MINUTE = 12_000;

interface StreamOptions {
  workspaceId: WorkspaceId;
  /** Where the reader resumes; `invalid` if its cursor could not be parsed; undefined for a new reader. */
  cursor: Cursor | "invalid" | undefined;
}

interface Reader {
  stream: EventStream;
  cursor: Cursor | "invalid" | undefined;
  isReady: boolean;
}

/**
 * The open streams of this process. Each stream sends the recorded changes after its cursor, read from the database.
 * Four triggers start a read: a change by this process, a signal from another process, a new connection for signals,
 * and a periodic check in case a signal was lost.
 */
export class Live {
  readonly #db: Database;
  readonly #readers = new Map<WorkspaceId, Set<Reader>>();
  readonly #pendingWorkspaces = new WorkspaceCoalescer<WorkspaceId>({
    pauseMs: PAUSE_MS,
    maxRunning: MAX_READS,
    maxBusyMsPerMinute: MAX_READ_MS_PER_MINUTE,
    handle: (workspaceId) => this.#sendChanges(workspaceId),
  });
  readonly #changedIssues = new Coalescer<WorkspaceId>(ISSUES_PAUSE_MS, async (workspaceIds) => {
    for (const workspaceId of workspaceIds) this.#sendIssues(workspaceId);
  });
  #log: FastifyBaseLogger | undefined;
  #signal: ChangeSignal | undefined;
  #worker: Worker | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(db: Database) {
    this.#db = db;
  }

  get streamCount() {
    let count = 0;
    for (const readers of this.#readers.values()) count += readers.size;
    return count;
  }

  start(databaseUrl: string, log: FastifyBaseLogger) {
    this.#log = log;
    this.#signal = new ChangeSignal({
      databaseUrl,
      log,
      onChanged: (workspaceId) => this.#wake(workspaceId),
      onIssuesChanged: (workspaceId) => this.#wakeIssues(workspaceId),
      onListening: () => this.#wakeAll(),
    });
    this.#worker = startWorker("live", CHECK_PAUSE_MS, log, () => this.#check());
    this.#heartbeat = setInterval(() => this.#sendHeartbeat(), HEARTBEAT_MS);
  }

  /** Ends every stream and accepts no new ones; readers reconnect to another process. */
  endStreams() {
    this.#isEnding = true;
    for (const { stream } of this.#allReaders()) stream.end();
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.endStreams();
    await Promise.all([this.#signal?.stop(), this.#worker?.stop()]);
  }

  /** Call after a commit. Never throws and never blocks. */
  changed(workspaceId: WorkspaceId) {
    this.#wake(workspaceId);
    this.#signal?.send(workspaceId);
  }

  /** Call after a commit that changed issues. Never throws and never blocks. */
  issuesChanged(workspaceId: WorkspaceId) {
    this.#wakeIssues(workspaceId);
    this.#signal?.sendIssues(workspaceId);
  }

  open({ workspaceId, cursor }: StreamOptions): EventStream {
    if (this.#isEnding) throw HttpError.unavailable();
    const readers = this.#readers.get(workspaceId) ?? new Set();
    if (readers.size >= MAX_STREAMS_PER_WORKSPACE)
      throw HttpError.tooManyRequests("Too many open streams", 5);
    const reader = { stream: new EventStream(() => this.#wake(workspaceId)), cursor, isReady: false };
    this.#readers.set(workspaceId, readers.add(reader));
    reader.stream.once("close", () => {
      readers.delete(reader);
      if (readers.size === 0 && this.#readers.get(workspaceId) === readers) this.#readers.delete(workspaceId);
    });
    this.#wake(workspaceId);
    return reader.stream;
  }

  #wake(workspaceId: WorkspaceId) {
    if (this.#readers.has(workspaceId)) this.#pendingWorkspaces.add(workspaceId);
  }

  #wakeIssues(workspaceId: WorkspaceId) {
    if (this.#readers.has(workspaceId)) this.#changedIssues.add(workspaceId);
  }

  /** Without an id: it says only that lists of issues may have changed. */
  #sendIssues(workspaceId: WorkspaceId) {
    const event = encodeEvent("issues", "{}");
    for (const { stream } of this.#readers.get(workspaceId) ?? []) stream.send(event);
  }

  #wakeAll() {
    for (const workspaceId of this.#readers.keys()) this.#pendingWorkspaces.add(workspaceId);
  }

  #allReaders(): Reader[] {
    return [...this.#readers.values()].flatMap((readers) => [...readers]);
  }

  async #sendChanges(workspaceId: WorkspaceId) {
    try {
      await this.#catchUp(workspaceId);
    } catch (error) {
      this.#log?.warn({ err: error }, "reading live updates failed; will retry");
    }
  }

  /** All readers of a workspace share one read, also if their cursors differ. A reader that has not taken its events yet waits. */
  async #catchUp(workspaceId: WorkspaceId) {
    const readers = [...(this.#readers.get(workspaceId) ?? [])].filter(({ stream }) => !stream.isFull);
    if (readers.length === 0) return;
    const positions = readers.flatMap(({ cursor }) => (typeof cursor === "object" ? [cursor.position] : []));
    const recent =
      positions.length > 0
        ? await readRecentChanges(this.#db, workspaceId, Math.min(...positions))
        : { newest: await newestCursor(this.#db, workspaceId), changes: [] };
    for (const group of Map.groupBy(readers, ({ cursor }) => JSON.stringify(cursor)).values()) {
      sendMissed(group, recent);
      await nextEventLoopTurn();
    }
  }

  async #check() {
    await this.#signal?.check();
    this.#wakeAll();
  }

  /** An event instead of a comment, so that scripts can see it and detect a dead connection. */
  #sendHeartbeat() {
    const event = encodeEvent("heartbeat", "{}");
    for (const { stream } of this.#allReaders()) {
      stream.endIfStuck(MAX_STUCK_MS);
      stream.send(event);
    }
  }
}

/** Sends readers with the same cursor what they have missed. A new reader is ready after that. */
function sendMissed(readers: Reader[], recent: RecentChanges) {
  const { cursor } = readers[0] ?? {};
  const events = eventsFor(cursor, recent);
  const ready = encodeEvent("ready", "{}", recent.newest);
  for (const reader of readers) {
    for (const event of events) reader.stream.send(event);
    reader.cursor = recent.newest;
    if (!reader.isReady) reader.stream.send(ready);
    reader.isReady = true;
  }
}

function eventsFor(cursor: Reader["cursor"], recent: RecentChanges): Buffer[] {
  if (cursor === undefined) return [];
  const missed = cursor === "invalid" ? undefined : changesAfter(recent, cursor);
  return missed ? encodeChanges(missed) : [encodeEvent("resync", "{}", recent.newest)];
}
