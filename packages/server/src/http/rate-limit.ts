import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sql } from "kysely";
import { FairPool } from "../concurrency/fair-pool.ts";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "./http-error.ts";

/** Error texts for the API reference. */
export const RATE_LIMIT_ERRORS = { 429: ["Too many requests. Try again in <seconds> s."] };

/** One sliding window: the calls of one `subject` (an email, a session, a token or a client network) to what `name` limits. */
export interface RateLimitWindow extends RateLimit {
  name: string;
  subject: string;
}

/**
 * A sliding-window rate limiter whose windows are in the database, so that all server processes share them. A call is
 * admitted if none of its windows is full, and only then counted, in all of them. The decision holds a lock on each
 * window, which makes the limit exact; locks are taken in key order to avoid deadlocks.
 */
export class RateLimiter {
  readonly #db: Database;
  // A burst of calls queues here, not for database connections that other requests need.
  readonly #pool = new FairPool({ maxRunning: 2, maxWaitingPerCaller: 2_000 });

  constructor(db: Database) {
    this.#db = db;
  }

  /** Throws 429 with Retry-After unless the call is admitted. */
  async admit(windows: RateLimitWindow[]): Promise<void> {
    // The last window is the client's, so clients are served round robin.
    const client = windows.at(-1)?.subject ?? "";
    const waitSeconds = await this.#pool.run(client, () => this.#decide(windows));
    if (waitSeconds !== null)
      throw HttpError.tooManyRequests(`Too many requests. Try again in ${waitSeconds} s.`, waitSeconds);
  }

  /** Applies the limit to the email address or token, and a multiple of it to the client. */
  admitCaller(
    name: string,
    { limit, windowMs }: RateLimit,
    subject: string,
    ip: string,
    clientFactor = 10,
  ): Promise<void> {
    return this.admit([
      { name, subject, limit, windowMs },
      { name, subject: clientOf(ip), limit: limit * clientFactor, windowMs },
    ]);
  }

  admitClient(name: string, limit: RateLimit, ip: string): Promise<void> {
    return this.admit([{ ...limit, name, subject: clientOf(ip) }]);
  }

  /** Returns null if the call was admitted, otherwise the seconds to wait. */
  async #decide(windows: RateLimitWindow[]): Promise<number | null> {
    const keyed = windows
      .map(({ name, subject, limit, windowMs }) => ({
        key: createHash("sha256").update(`${name}\n${subject}`).digest(),
        limit,
        windowMs,
      }))
      .sort((a, b) => Buffer.compare(a.key, b.key));
    const locks = keyed.map(({ key }) => key.readBigInt64BE().toString());
    const keys = keyed.map(({ key }) => key);
    const limits = keyed.map(({ limit }) => limit);
    const windowsMs = keyed.map(({ windowMs }) => windowMs);

    return transaction(this.#db, async (trx) => {
      await sql`select pg_advisory_xact_lock(id) from unnest(${locks}::bigint[]) as id`.execute(trx);
      const { rows } = await sql<{ waitSeconds: number | null }>`
        with windows as (
          select key, call_limit, ms * interval '1 millisecond' as length
          from unnest(${keys}::bytea[], ${limits}::integer[], ${windowsMs}::bigint[]) as windows (key, call_limit, ms)
        ), full_windows as (
          -- the hit that must leave the window before another call fits
          select blocking.hit_at + windows.length as free_at
          from windows, lateral (
            select hits.hit_at from rate_limit_hits as hits
            where hits.key = windows.key and hits.hit_at > statement_timestamp() - windows.length
            order by hits.hit_at desc
            offset windows.call_limit - 1 limit 1
          ) as blocking
        ), admitted as (
          insert into rate_limit_hits (key, hit_at, expires_at)
          select key, statement_timestamp(), statement_timestamp() + length
          from windows where not exists (select from full_windows)
        )
        select ceil(extract(epoch from max(free_at) - statement_timestamp()))::integer as wait_seconds
        from full_windows`.execute(trx);
      return rows[0]?.waitSeconds ?? null;
    });
  }
}

/** A provider assigns an IPv6 client a whole /64, so the limit applies to that network. */
function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

export async function sweepRateLimits(db: Database): Promise<void> {
  await sql`delete from rate_limit_hits where expires_at <= now()`.execute(db);
}
