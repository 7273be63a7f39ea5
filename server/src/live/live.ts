import type { FastifyBaseLogger } from "fastify";
import { findActiveSessions } from "../auth/sessions.ts";
import { Coalescer } from "../concurrency/coalescer.ts";
import { startWorker, type Worker } from "../concurrency/worker.ts";
import type { Database } from "../db/database.ts";
import { HttpError } from "../http/http-error.ts";
import { ChangeSignal } from "./change-signal.ts";
import type { Cursor } from "./cursor.ts";
import { EventStream, encodeEvent } from "./event-stream.ts";
import { newestCursor, readChanges } from "./read-changes.ts";

export const STREAMS_PER_USER = 30;
const PAUSE_MS = 200;
const CHECK_PAUSE_MS = 5_000;
const HEARTBEAT_MS = 15_000;
/** More in one event would cost the reader more than looking at its lists anew. */
const EVENT_MAX_LENGTH = 65_536;

export interface StreamOptions {
  userId: string;
  sessionId: string;
  /** Where a reader resumes; `lost` when it does not know; undefined when it begins. */
  cursor: Cursor | "lost" | undefined;
}

interface Reader {
  stream: EventStream;
  sessionId: string;
  cursor: Cursor | "lost" | undefined;
  isReady: boolean;
}

/**
 * The open streams of this process. What they tell is read from the user's recorded changes, after the last one each
 * of them knows; everything else only says when to look: a change made by this process, a signal from another one,
 * the connection for signals being back, and every few seconds a look in case no signal came.
 */
export class Live {
  readonly #db: Database;
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #due = new Coalescer<string>(PAUSE_MS, (userIds) => this.#tell(userIds));
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
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_MS);
  }

  /** Ends every stream and takes no other; readers come back to another process, or to the next one here. */
  endStreams() {
    this.#isEnding = true;
    for (const { stream } of this.#all()) stream.end();
  }

  async stop(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.endStreams();
    await Promise.all([this.#signal?.stop(), this.#worker?.stop()]);
  }

  /** To be called after a commit; never fails and never waits. */
  changed(userId: string) {
    this.#wake(userId);
    this.#signal?.send(userId);
  }

  open({ userId, sessionId, cursor }: StreamOptions): EventStream {
    if (this.#isEnding) throw HttpError.unavailable();
    const readers = this.#readers.get(userId) ?? new Set();
    if (readers.size >= STREAMS_PER_USER) throw HttpError.tooManyRequests("Too many open streams", 5);
    const reader = { stream: new EventStream(), sessionId, cursor, isReady: false };
    this.#readers.set(userId, readers.add(reader));
    reader.stream.once("close", () => {
      readers.delete(reader);
      if (readers.size === 0 && this.#readers.get(userId) === readers) this.#readers.delete(userId);
    });
    this.#wake(userId);
    return reader.stream;
  }

  #wake(userId: string) {
    if (this.#readers.has(userId)) this.#due.add(userId);
  }

  #wakeAll() {
    for (const userId of this.#readers.keys()) this.#due.add(userId);
  }

  #all(): Reader[] {
    return [...this.#readers.values()].flatMap((readers) => [...readers]);
  }

  /** One user after the other: streams must not take ingest's connections. */
  async #tell(userIds: string[]) {
    for (const userId of userIds)
      try {
        await this.#catchUp(userId);
      } catch (error) {
        this.#log?.warn({ err: error }, "live updates could not be read; they will be again");
      }
  }

  /** Readers that are at the same place, which is nearly always all of a user's, share a read. */
  async #catchUp(userId: string) {
    const groups = Map.groupBy(this.#readers.get(userId) ?? [], ({ cursor }) => JSON.stringify(cursor));
    for (const readers of groups.values()) {
      const { cursor } = readers[0] ?? {};
      if (cursor === undefined || cursor === "lost") {
        const newest = await newestCursor(this.#db, userId);
        advance(readers, newest, cursor === "lost" ? null : []);
      } else {
        const read = await readChanges(this.#db, userId, cursor);
        advance(readers, read.cursor, read.traces);
        if (read.isPartial) this.#due.add(userId);
      }
    }
  }

  async #check() {
    await this.#signal?.check();
    const readers = this.#all();
    if (readers.length === 0) return;
    this.#wakeAll();
    const live = await findActiveSessions(
      this.#db,
      readers.map(({ sessionId }) => sessionId),
    );
    for (const { stream, sessionId } of readers) if (!live.has(sessionId)) stream.end();
  }

  /** An event, not a comment: a page cannot see comments, and is to notice a line that went dead. */
  #beat() {
    const event = encodeEvent("heartbeat", "{}");
    for (const { stream } of this.#all()) stream.send(event);
  }
}

function advance(readers: Reader[], cursor: Cursor, traces: string[] | null) {
  const told = encodeChanges(cursor, traces);
  const ready = encodeEvent("ready", "{}", cursor);
  for (const reader of readers) {
    if (told) reader.stream.send(told);
    if (!reader.isReady) reader.stream.send(ready);
    reader.isReady = true;
    reader.cursor = cursor;
  }
}

function encodeChanges(cursor: Cursor, traces: string[] | null): Buffer | undefined {
  const list = traces?.map((array) => array.slice(1, -1)).join(",");
  if (list === undefined || list.length > EVENT_MAX_LENGTH) return encodeEvent("resync", "{}", cursor);
  return list === "" ? undefined : encodeEvent("changes", `{"traces":[${list}]}`, cursor);
}
