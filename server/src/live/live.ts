import type { FastifyBaseLogger } from "fastify";
import { Coalescer } from "../concurrency/coalescer.ts";
import { startWorker, type Worker } from "../concurrency/worker.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import { ChangeSignal } from "./change-signal.ts";
import type { Cursor } from "./cursor.ts";
import { EventStream, encodeEvent } from "./event-stream.ts";
import { type Changes, newestCursor, readChanges } from "./read-changes.ts";

export const MAX_STREAMS_PER_USER = 30;
const PAUSE_MS = 200;
const CHECK_PAUSE_MS = 5_000;
const HEARTBEAT_MS = 15_000;
/** For a longer event, reloading its lists is cheaper for the reader. */
const MAX_EVENT_LENGTH = 65_536;

export interface StreamOptions {
  userId: string;
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
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #pendingUsers = new Coalescer<string>(PAUSE_MS, (userIds) => this.#sendChanges(userIds));
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
      onChanged: (userId) => this.#wake(userId),
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
  changed(userId: string) {
    this.#wake(userId);
    this.#signal?.send(userId);
  }

  open({ userId, cursor }: StreamOptions): EventStream {
    if (this.#isEnding) throw HttpError.unavailable();
    const readers = this.#readers.get(userId) ?? new Set();
    if (readers.size >= MAX_STREAMS_PER_USER) throw HttpError.tooManyRequests("Too many open streams", 5);
    const reader = { stream: new EventStream(), cursor, isReady: false };
    this.#readers.set(userId, readers.add(reader));
    reader.stream.once("close", () => {
      readers.delete(reader);
      if (readers.size === 0 && this.#readers.get(userId) === readers) this.#readers.delete(userId);
    });
    this.#wake(userId);
    return reader.stream;
  }

  #wake(userId: string) {
    if (this.#readers.has(userId)) this.#pendingUsers.add(userId);
  }

  #wakeAll() {
    for (const userId of this.#readers.keys()) this.#pendingUsers.add(userId);
  }

  #allReaders(): Reader[] {
    return [...this.#readers.values()].flatMap((readers) => [...readers]);
  }

  /** One user at a time, so that streams do not occupy the database connections that ingest needs. */
  async #sendChanges(userIds: string[]) {
    for (const userId of userIds)
      try {
        await this.#catchUp(userId);
      } catch (error) {
        this.#log?.warn({ err: error }, "reading live updates failed; will retry");
      }
  }

  /** Readers with the same cursor, usually all readers of a user, share one query. */
  async #catchUp(userId: string) {
    const groups = Map.groupBy(this.#readers.get(userId) ?? [], ({ cursor }) => JSON.stringify(cursor));
    for (const readers of groups.values()) {
      const { cursor } = readers[0] ?? {};
      if (cursor === undefined || cursor === "invalid") {
        const newest = await newestCursor(this.#db, userId);
        advance(readers, { cursor: newest, traces: cursor === "invalid" ? null : [], isPartial: false });
      } else {
        const read = await readChanges(this.#db, userId, cursor);
        advance(readers, read);
        if (read.isPartial) this.#pendingUsers.add(userId);
      }
    }
  }

  async #check() {
    await this.#signal?.check();
    this.#wakeAll();
  }

  /** An event instead of a comment, so that scripts can see it and detect a dead connection. */
  #sendHeartbeat() {
    const event = encodeEvent("heartbeat", "{}");
    for (const { stream } of this.#allReaders()) stream.send(event);
  }
}

/** Sends changes to readers and moves their cursor. A new reader is ready after the last of the changes it has missed. */
function advance(readers: Reader[], { cursor, traces, isPartial }: Changes) {
  const changes = encodeChanges(cursor, traces);
  const ready = encodeEvent("ready", "{}", cursor);
  for (const reader of readers) {
    if (changes) reader.stream.send(changes);
    reader.cursor = cursor;
    if (isPartial || reader.isReady) continue;
    reader.stream.send(ready);
    reader.isReady = true;
  }
}

function encodeChanges(cursor: Cursor, traces: string[] | null): Buffer | undefined {
  // The inside of each array; a transaction may have changed no trace.
  const lists = traces?.map((array) => array.slice(1, -1)).filter((list) => list.trim() !== "");
  const joined = lists?.join(",");
  if (joined === undefined || joined.length > MAX_EVENT_LENGTH) return encodeEvent("resync", "{}", cursor);
  return joined === "" ? undefined : encodeEvent("changes", `{"traces":[${joined}]}`, cursor);
}
