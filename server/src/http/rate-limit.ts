import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { sql } from "kysely";
import { BoundedPool } from "../concurrency/bounded-pool.ts";
import type { RateLimit } from "../config.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "./http-error.ts";

/** The texts of a refusal, for the reference. */
export const TOO_MANY = { 429: ["Too many requests. Try again in <seconds> s."] };

/** What a limit counts calls of: a name for the limit, whom it is about, and how many it admits. */
export interface Subject {
  name: string;
  of: string;
  limit: number;
}

/**
 * Sliding windows in the database, so that all server processes share them. A call is admitted if every one of
 * its subjects has room, and only then counts, for all of them. Each subject is locked for the moment of the
 * decision (in one order, so that two callers cannot wait for each other), which makes the figure exact.
 */
export class RateLimiter {
  readonly #db: Database;
  // A storm on one subject queues here and not for the pool's connections, which others need.
  readonly #gate = new BoundedPool({ running: 2, waiting: 2_000 });

  constructor(db: Database) {
    this.#db = db;
  }

  /** Throws 429 with Retry-After unless the call is admitted. */
  async admit(subjects: Subject[], windowMs: number): Promise<void> {
    const waitSeconds = await this.#gate.run(() => this.#decide(subjects, windowMs));
    if (waitSeconds !== null)
      throw HttpError.tooManyRequests(`Too many requests. Try again in ${waitSeconds} s.`, waitSeconds);
  }

  /** The usual pair: the limit's figure for one account's address, ten times the figure for one client. */
  admitCaller(name: string, { limit, windowMs }: RateLimit, email: string, ip: string): Promise<void> {
    return this.admit(
      [
        { name, of: email, limit },
        { name, of: clientOf(ip), limit: limit * 10 },
      ],
      windowMs,
    );
  }

  admitClient(name: string, { limit, windowMs }: RateLimit, ip: string): Promise<void> {
    return this.admit([{ name, of: clientOf(ip), limit }], windowMs);
  }

  async #decide(subjects: Subject[], windowMs: number): Promise<number | null> {
    const asked = subjects
      .map(({ name, of, limit }) => ({ key: createHash("sha256").update(`${name}\n${of}`).digest(), limit }))
      .sort((a, b) => Buffer.compare(a.key, b.key));
    const locks = asked.map(({ key }) => key.readBigInt64BE().toString());
    const keys = asked.map(({ key }) => key);
    const limits = asked.map(({ limit }) => limit);
    const windowStart = sql`statement_timestamp() - ${windowMs} * interval '1 millisecond'`;

    return transaction(this.#db, async (trx) => {
      await sql`select pg_advisory_xact_lock(id) from unnest(${locks}::bigint[]) as id`.execute(trx);
      const { rows } = await sql<{ waitSeconds: number | null }>`
        with asked as (
          select * from unnest(${keys}::bytea[], ${limits}::integer[]) as asked (key, call_limit)
        ), full_windows as (
          -- the hit that has to leave the window before another call fits
          select held.hit_at
          from asked, lateral (
            select hits.hit_at from rate_limit_hits as hits
            where hits.key = asked.key and hits.hit_at > ${windowStart}
            order by hits.hit_at desc
            offset asked.call_limit - 1 limit 1
          ) as held
        ), admitted as (
          insert into rate_limit_hits (key, hit_at, expires_at)
          select key, statement_timestamp(), statement_timestamp() + ${windowMs} * interval '1 millisecond'
          from asked where not exists (select from full_windows)
        )
        select ceil(extract(epoch from max(hit_at) - (${windowStart})))::integer as wait_seconds
        from full_windows`.execute(trx);
      return rows[0]?.waitSeconds ?? null;
    });
  }
}

/** An IPv6 client is given a whole /64 by its provider: the network counts, not the address. */
function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
}

export async function sweepRateLimits(db: Database): Promise<void> {
  await sql`delete from rate_limit_hits where expires_at <= now()`.execute(db);
}
