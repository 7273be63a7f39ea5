import type { ChannelKind } from "@whytrace/contract/schemas/alerts/channels";
import { sql } from "kysely";
import type { RateLimit } from "../../config.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { WorkspaceId } from "../../db/workspace-id.ts";
import type { StoredEvent } from "../messages/message.ts";
import { chooseDeliveries, type DueDelivery } from "./choose-deliveries.ts";

/** Longer than an attempt can take. */
const LEASE_SECONDS = 30;
const MAX_READ = 500;
const MAX_ATTEMPTS_OF_WORKSPACE = 600;

const UNFINISHED = sql.raw("state in ('waiting', 'sending', 'retrying')");

/** A delivery that this process sends now. */
export interface LeasedDelivery {
  workspaceId: WorkspaceId;
  id: string;
  channelId: string;
  kind: ChannelKind;
  url: string;
  secret: Buffer | null;
  previousSecret: Buffer | null;
  /** Counts this attempt. */
  attempts: number;
  request: string | null;
  /** Its own event first, then those of the digest that it carries. Their payloads may be erased. */
  events: (Omit<StoredEvent, "payload"> & { payload: object | null })[];
}

/** The workspaces with deliveries that are due, the longest waiting first. */
export async function workspacesWithDue(db: Database, limit: number): Promise<WorkspaceId[]> {
  const { rows } = await sql<{ workspaceId: WorkspaceId }>`
    select workspace_id from alert_deliveries as due
    where ${UNFINISHED} and next_attempt_at <= now() and not exists (
      select from alert_deliveries as earlier
      where earlier.workspace_id = due.workspace_id and earlier.channel_id = due.channel_id
        and earlier.subject = due.subject and earlier.sequence < due.sequence
        and earlier.state in ('waiting', 'sending', 'retrying'))
    group by workspace_id order by min(next_attempt_at) limit ${limit}`.execute(db);
  return rows.map(({ workspaceId }) => workspaceId);
}

/** How many deliveries are not finished. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from alert_deliveries where ${UNFINISHED}`.execute(db);
  return rows[0]?.count ?? 0;
}

interface LockedChannel {
  id: string;
  kind: ChannelKind;
  url: string;
  secret: Buffer | null;
  previousSecret: Buffer | null;
  burstStartedAt: string | null;
  burstCount: number;
}

/**
 * Leases due deliveries of a workspace: until the lease ends, no other process sends them. Channels are locked first, so two processes
 * do not take from one channel at the same time, and its limits hold.
 */
export function leaseDeliveries(
  db: Database,
  workspaceId: WorkspaceId,
  { room, burst }: { room: number; burst: RateLimit },
): Promise<LeasedDelivery[]> {
  return transaction(db, async (trx) => {
    await dropAbandoned(trx, workspaceId);
    const { rows: channels } = await sql<LockedChannel>`
      select id, kind, url, secret, case when previous_until > now() then previous_secret end as previous_secret,
        burst_started_at, burst_count
      from alert_channels where workspace_id = ${workspaceId} and is_enabled order by id for update skip locked`.execute(
      trx,
    );
    if (channels.length === 0) return [];
    const [due, usage] = await Promise.all([
      readDue(trx, workspaceId, channels),
      readUsage(trx, workspaceId),
    ]);
    const nowMs = usage.nowMs;
    let left = Math.min(room, MAX_ATTEMPTS_OF_WORKSPACE - usage.attempts);
    const leased: { id: string; channel: LockedChannel; members: string[] }[] = [];
    for (const channel of channels) {
      const chosen = chooseDeliveries(
        { ...channel, ...usage.of(channel.id) },
        due.filter(({ channelId }) => channelId === channel.id),
        { room: left, burst, nowMs },
      );
      left -= chosen.sent.length;
      leased.push(...chosen.sent.map((one) => ({ ...one, channel })));
      await holdDeliveries(trx, workspaceId, chosen.held, chosen.heldUntilMs);
      if (chosen.burst)
        await sql`
          update alert_channels set burst_started_at = to_timestamp(${chosen.burst.startedAtMs / 1_000}),
            burst_count = ${chosen.burst.count}
          where workspace_id = ${workspaceId} and id = ${channel.id}`.execute(trx);
    }
    if (leased.length === 0) return [];
    return takeLeases(trx, workspaceId, leased);
  });
}

/**
 * Drops messages to disabled channels whose lease has ended: a process that died while it sent them cannot say how they ended, and nobody
 * may send them again.
 */
async function dropAbandoned(trx: Database, workspaceId: WorkspaceId): Promise<void> {
  await sql`
    update alert_deliveries set state = 'dropped', next_attempt_at = null
    where workspace_id = ${workspaceId} and id in (
      select id from alert_deliveries
      where workspace_id = ${workspaceId} and ${UNFINISHED} and next_attempt_at <= now() and channel_id in (
        select id from alert_channels where workspace_id = ${workspaceId} and not is_enabled)
      order by id for update skip locked)`.execute(trx);
}

async function readDue(
  trx: Database,
  workspaceId: WorkspaceId,
  channels: readonly LockedChannel[],
): Promise<DueDelivery[]> {
  const earlier = (states: string) => sql`
    exists (select from alert_deliveries as earlier
      where earlier.workspace_id = ${workspaceId} and earlier.channel_id = due.channel_id
        and earlier.subject = due.subject and earlier.sequence < due.sequence and ${sql.raw(states)})`;
  const { rows } = await sql<DueDelivery>`
    select due.id, due.channel_id, due.attempts, due.is_held, event.type like 'issue.%' as is_of_issue,
      ${earlier("earlier.state in ('waiting', 'sending', 'retrying')")} as is_blocked,
      ${earlier("earlier.state in ('waiting', 'sending', 'retrying') and (earlier.attempts > 0 or earlier.digest_id is not null)")}
        as is_blocked_by_attempt
    from alert_deliveries as due
      join alert_events as event on event.workspace_id = ${workspaceId} and event.id = due.event_id
    where due.workspace_id = ${workspaceId} and due.state in ('waiting', 'sending', 'retrying')
      and due.next_attempt_at <= now() and due.channel_id = any(${channels.map(({ id }) => id)}::uuid[])
    order by due.created_at, event.at, due.sequence, due.id limit ${MAX_READ}`.execute(trx);
  return rows;
}

async function readUsage(trx: Database, workspaceId: WorkspaceId) {
  const [sending, attempts, clock] = await Promise.all([
    sql<{ channelId: string; count: number }>`
      select channel_id, count(*) as count from alert_deliveries
      where workspace_id = ${workspaceId} and state = 'sending' and next_attempt_at > now() group by channel_id`.execute(
      trx,
    ),
    sql<{ channelId: string; count: number }>`
      select delivery.channel_id, count(*) as count from delivery_attempts as attempt
        join alert_deliveries as delivery on delivery.workspace_id = ${workspaceId} and delivery.id = attempt.delivery_id
      where attempt.workspace_id = ${workspaceId} and attempt.at > now() - interval '1 minute'
      group by delivery.channel_id`.execute(trx),
    sql<{ nowMs: number }>`select extract(epoch from now())::double precision * 1000 as now_ms`.execute(trx),
  ]);
  const countOf = (rows: readonly { channelId: string; count: number }[], id: string) =>
    rows.find(({ channelId }) => channelId === id)?.count ?? 0;
  return {
    nowMs: clock.rows[0]?.nowMs ?? 0,
    attempts: attempts.rows.reduce((sum, { count }) => sum + count, 0),
    of: (id: string) => ({
      sending: countOf(sending.rows, id),
      attemptsInMinute: countOf(attempts.rows, id),
    }),
  };
}

async function holdDeliveries(
  trx: Database,
  workspaceId: WorkspaceId,
  ids: readonly string[],
  untilMs: number,
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update alert_deliveries set is_held = true, next_attempt_at = to_timestamp(${untilMs / 1_000})
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`.execute(trx);
}

async function takeLeases(
  trx: Database,
  workspaceId: WorkspaceId,
  leased: readonly { id: string; channel: LockedChannel; members: string[] }[],
): Promise<LeasedDelivery[]> {
  const ids = leased.map(({ id }) => id);
  for (const { id, members } of leased)
    if (members.length > 0)
      await sql`
        update alert_deliveries set digest_id = ${id}, next_attempt_at = null
        where workspace_id = ${workspaceId} and id = any(${members}::uuid[])`.execute(trx);
  const { rows: taken } = await sql<{ id: string; attempts: number; request: string | null }>`
    update alert_deliveries set state = 'sending', attempts = attempts + 1,
      next_attempt_at = now() + ${LEASE_SECONDS} * interval '1 second'
    where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])
    returning id, attempts, request`.execute(trx);
  const { rows: events } = await sql<
    LeasedDelivery["events"][number] & { carrierId: string; isOwn: boolean }
  >`
    select coalesce(delivery.digest_id, delivery.id) as carrier_id, delivery.digest_id is null as is_own,
      event.type, event.subject, event.sequence, event.at, event.payload
    from alert_deliveries as delivery
      join alert_events as event on event.workspace_id = ${workspaceId} and event.id = delivery.event_id
    where delivery.workspace_id = ${workspaceId}
      and (delivery.id = any(${ids}::uuid[]) or delivery.digest_id = any(${ids}::uuid[]))
    order by is_own desc, event.at, event.sequence`.execute(trx);
  return taken.flatMap(({ id, attempts, request }) => {
    const channel = leased.find((one) => one.id === id)?.channel;
    if (!channel) return [];
    const { id: channelId, kind, url, secret, previousSecret } = channel;
    const own = events.filter(({ carrierId }) => carrierId === id);
    return { workspaceId, id, channelId, kind, url, secret, previousSecret, attempts, request, events: own };
  });
}
