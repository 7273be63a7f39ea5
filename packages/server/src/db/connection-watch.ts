import { Socket } from "node:net";
import pg from "pg";
import { measureEventLoopDelay } from "../concurrency/measure-event-loop-delay.ts";
import { sqlState } from "./sql-state.ts";

/*
 * If the network drops packets silently, a connection never reports an error: its query waits until a timeout, and the
 * timeout must be long enough for the slowest legitimate query. So a connection that owes a result and has received no
 * byte for some time is checked from outside, on a new connection:
 *
 *   - The new connection fails as well, and so does another one: the database is unreachable. All connections are closed, which fails their
 *     queries, and new ones are rejected at once until the database responds again.
 *   - PostgreSQL says that it does not work on the query, or does not know the connection: a packet was lost for good, or
 *     the address now belongs to another server, as after a failover. That connection is closed.
 *   - PostgreSQL works on the query: it is only slow.
 */

const SILENT_TICKS = 3;
/** Failures of a new connection before it reaches the network: too many open files, no answer from DNS. */
const LOCAL_FAILURES = new Set(["EMFILE", "ENFILE", "EAI_AGAIN", "ENOTFOUND"]);

interface Watched {
  client: pg.PoolClient;
  socket: Socket;
  bytesRead: number;
  /** Bytes written before the last query was answered. */
  answeredBytes: number;
  silentTicks: number;
}

interface Log {
  info(message: string): void;
  warn(fields: object, message: string): void;
}

interface ConnectionWatchOptions {
  databaseUrl: string;
  /** How often connections are looked at; a connection is checked after three times this long without a byte. */
  tickMs?: number;
  /** How long a new connection may take, and its query. */
  probeTimeoutMs?: number;
}

/** Finds connections of its pools that the network or a failover has cut off, and closes them. */
export class ConnectionWatch {
  readonly #options: Required<ConnectionWatchOptions>;
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;
  #log: Log | undefined;
  #isUnreachable = false;
  #isProbing = false;

  constructor(options: ConnectionWatchOptions) {
    this.#options = { tickMs: 1_000, probeTimeoutMs: 1_500, ...options };
    this.#timer = setInterval(() => void this.#tick(), this.#options.tickMs).unref();
  }

  logTo(log: Log) {
    this.#log = log;
  }

  /** The socket of a new connection; it fails at once while the database is unreachable. */
  readonly newSocket = (): Socket => {
    const socket = new Socket();
    if (this.#isUnreachable) process.nextTick(() => socket.destroy(noResponse()));
    return socket;
  };

  /** Watches the connections of a pool; its option `stream` must be `newSocket`. */
  add(pool: pg.Pool) {
    pool.on("connect", (client) => {
      const socket = client.connection.stream;
      if (!(socket instanceof Socket)) return;
      const { bytesRead, bytesWritten } = socket;
      const watched = { client, socket, bytesRead, answeredBytes: bytesWritten, silentTicks: 0 };
      this.#watched.add(watched);
      client.on("drain", () => {
        watched.answeredBytes = socket.bytesWritten;
      });
      socket.once("close", () => this.#watched.delete(watched));
    });
  }

  stop() {
    clearInterval(this.#timer);
  }

  async #tick() {
    for (const watched of this.#watched) countSilence(watched);
    const silent = [...this.#watched].filter(({ silentTicks }) => silentTicks >= SILENT_TICKS);
    // A slow query is checked once in a while, an unreachable database at every tick.
    const isDue = this.#isUnreachable || silent.some(({ silentTicks }) => silentTicks % SILENT_TICKS === 0);
    if (!isDue || this.#isProbing) return;
    this.#isProbing = true;
    await this.#check(silent);
    this.#isProbing = false;
  }

  async #check(silent: Watched[]) {
    const endMeasurement = measureEventLoopDelay();
    try {
      const working = await this.#probe(silent.map(({ client }) => processIdOf(client)));
      this.#setReachable();
      if (working) this.#close(silent.filter((watched) => isLost(watched, working)));
    } catch (error) {
      // This is a response as well, for example that there is no connection to spare.
      if (error instanceof pg.DatabaseError) return this.#setReachable();
      if (LOCAL_FAILURES.has(sqlState(error))) return;
      // If this process was busy for so long, its timeout says nothing about the database.
      if (endMeasurement() > this.#options.probeTimeoutMs / 2) return;
      if (!this.#isUnreachable) this.#log?.warn({ err: error }, "the database does not respond");
      this.#isUnreachable = true;
      this.#close([...this.#watched]);
    } finally {
      endMeasurement();
    }
  }

  #setReachable() {
    if (this.#isUnreachable) this.#log?.info("the database responds again");
    this.#isUnreachable = false;
  }

  #close(connections: Watched[]) {
    if (connections.length > 0)
      this.#log?.warn({ connections: connections.length }, "database connections without response closed");
    for (const { socket } of connections) socket.destroy(noResponse());
  }

  /** Tries twice: on a busy machine, one answer may be late. */
  async #probe(processIds: number[]): Promise<Set<number> | undefined> {
    try {
      return await this.#findWorking(processIds);
    } catch (error) {
      if (this.#isUnreachable || error instanceof pg.DatabaseError) throw error;
      return this.#findWorking(processIds);
    }
  }

  /** The processes that PostgreSQL works in, of those given; undefined behind a pooler, which gives out other ids. */
  async #findWorking(processIds: number[]): Promise<Set<number> | undefined> {
    const { databaseUrl, probeTimeoutMs } = this.#options;
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: "whytrace watch",
      connectionTimeoutMillis: probeTimeoutMs,
      query_timeout: probeTimeoutMs,
    });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ own: number; working: number[] }>(
        `select pg_backend_pid() as own, array(
           select pid from pg_stat_activity where pid = any($1) and not (
             state like 'idle%' and state_change < clock_timestamp() - interval '1 second')) as working`,
        [processIds],
      );
      const [row] = rows;
      return row && row.own === processIdOf(client) ? new Set(row.working) : undefined;
    } finally {
      client.connection.stream.destroy();
    }
  }
}

function countSilence(watched: Watched) {
  const { bytesRead, bytesWritten } = watched.socket;
  const isSilent = bytesRead === watched.bytesRead && bytesWritten > watched.answeredBytes;
  watched.silentTicks = isSilent ? watched.silentTicks + 1 : 0;
  watched.bytesRead = bytesRead;
}

/**
 * Whether PostgreSQL does not work on what the connection waits for. A connection that has received something meanwhile is
 * not lost, and one that is still sending a large statement cannot be judged.
 */
const isLost = ({ client, socket, bytesRead }: Watched, working: Set<number>) =>
  !working.has(processIdOf(client)) && socket.bytesRead === bytesRead && socket.writableLength === 0;

/** The id of the connection's process in PostgreSQL; node-postgres keeps it, but its types do not say so. */
const processIdOf = (client: pg.Client): number =>
  "processID" in client && typeof client.processID === "number" ? client.processID : 0;

const noResponse = () => Object.assign(new Error("The database does not respond"), { code: "ETIMEDOUT" });
