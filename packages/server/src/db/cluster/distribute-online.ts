import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";

/*
 * create_distributed_table_concurrently copies a table while others write to it, then blocks them for a moment and switches
 * to the shards. In Citus 13.2, an UPDATE or DELETE that waits in this moment changes nothing and reports no error, because
 * it was planned for the table before the switch. So no statement may wait there:
 *
 *  1. `gate` holds the lock on the table's only shard that writers hold, too. The switch waits for it.
 *  2. When the switch waits, `barrier` requests a lock on the table. New statements queue behind it, before they are planned.
 *  3. Statements that wait for the switch are canceled; the server responds with 503, and clients send them again.
 *  4. When no transaction has the table open for writing, `gate` ends and the switch proceeds. The statements behind the
 *     barrier are then planned for the shards.
 */

const SHARE_LOCK = 5;
const COPY_POLL_MS = 20;
const DRAIN_POLL_MS = 2;

interface OnlineTarget {
  table: string;
  /** The table whose shards this one's are beside, or "none". */
  colocateWith: string;
  shardCount: number | null;
}

/** Distributes a table while others write to it; returns how many statements were canceled. The pool needs four connections. */
export async function distributeOnline(pool: pg.Pool, target: OnlineTarget): Promise<number> {
  await pool.query("select citus_add_local_table_to_metadata($1::regclass)", [target.table]);
  const clients = await Promise.all(["mover", "gate", "barrier"].map(() => pool.connect()));
  const [mover, gate, barrier] = clients;
  try {
    if (!mover || !gate || !barrier) throw new Error("Three connections were opened");
    await gate.query("begin");
    await gate.query(
      "select lock_shard_metadata($1, array_agg(shardid)) from pg_dist_shard where logicalrelid = $2::regclass",
      [SHARE_LOCK, target.table],
    );
    const pids = { mover: await pidOf(mover), gate: await pidOf(gate), barrier: await pidOf(barrier) };
    let isMoving = true;
    const moved = mover
      .query(
        "select create_distributed_table_concurrently($1::regclass, 'workspace_id', colocate_with => $2, shard_count => $3)",
        [target.table, target.colocateWith, target.shardCount],
      )
      .finally(() => {
        isMoving = false;
      });
    const [canceled] = await Promise.all([
      passGate(pool, { gate, barrier, pids, table: target.table, isMoving: () => isMoving }),
      moved,
    ]);
    return canceled;
  } finally {
    // Closed rather than reused: after an error they may still hold their locks.
    for (const client of clients) client.release(true);
  }
}

interface Gate {
  gate: pg.PoolClient;
  barrier: pg.PoolClient;
  pids: Pids;
  table: string;
  isMoving: () => boolean;
}

interface Pids {
  mover: number;
  gate: number;
  barrier: number;
}

async function passGate(pool: pg.Pool, { gate, barrier, pids, table, isMoving }: Gate): Promise<number> {
  while (isMoving() && !(await isSwitchWaiting(pool, pids))) await sleep(COPY_POLL_MS);
  const queued = barrier.query("select lock_relation_if_exists($1, 'SHARE')", [table]);
  let canceled = 0;
  while (isMoving() && (await countWriters(pool, pids, table)) > 0) {
    canceled += await cancelWaiting(pool, pids);
    await sleep(DRAIN_POLL_MS);
  }
  await gate.query("commit");
  await queued;
  return canceled;
}

const pidOf = async (client: pg.PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]?.pid ?? 0;

/** The statements that wait for a lock that the gate holds: the switch, and writers behind it. */
const WAITING = `
  from pg_locks as held join pg_locks as waiting using (locktype, database, classid, objid, objsubid)
  where held.pid = $1 and held.locktype = 'advisory' and held.granted and not waiting.granted`;

async function isSwitchWaiting(pool: pg.Pool, { gate, mover }: Pids): Promise<boolean> {
  const { rows } = await pool.query(`select ${WAITING} and waiting.pid = $2`, [gate, mover]);
  return rows.length > 0;
}

async function cancelWaiting(pool: pg.Pool, { gate, mover }: Pids): Promise<number> {
  const { rows } = await pool.query(
    `select pg_cancel_backend(waiting.pid) ${WAITING} and waiting.pid <> $2`,
    [gate, mover],
  );
  return rows.length;
}

/** Transactions that have the table open for writing; also 1 while the barrier is not queued yet. */
async function countWriters(pool: pg.Pool, { mover, barrier }: Pids, table: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) filter (where granted and mode = 'RowExclusiveLock' and pid <> $1)
       + (count(*) filter (where pid = $2 and mode = 'ShareLock') = 0)::int as count
     from pg_locks where locktype = 'relation' and relation = $3::regclass`,
    [mover, barrier, table],
  );
  return rows[0]?.count ?? 0;
}
