import { randomUUID } from "node:crypto";
import { boot } from "@whytrace/testing/server/boot.ts";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { sweepDeliveries } from "./sweep-deliveries.ts";

const { db } = await boot();

it("keeps bodies for 7 days, and messages with their attempts for 30", async () => {
  const [workspaceId, channelId] = [randomUUID(), randomUUID()];
  for (const days of [6, 8, 31]) {
    const [eventId, id] = [randomUUID(), randomUUID()];
    const at = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
    await sql`
      insert into alert_events (workspace_id, id, type, subject, sequence, at, payload)
      values (${workspaceId}, ${eventId}, 'issue.new', ${String(days)}, 1, ${at}, '{}')`.execute(db);
    await sql`
      insert into alert_deliveries (workspace_id, id, event_id, channel_id, subject, sequence, state, request, created_at)
      values (${workspaceId}, ${id}, ${eventId}, ${channelId}, ${String(days)}, 1, 'delivered', 'body', ${at})`.execute(
      db,
    );
    await sql`
      insert into delivery_attempts (workspace_id, delivery_id, number, at, duration_ms)
      values (${workspaceId}, ${id}, 1, ${at}, 1)`.execute(db);
  }
  await sweepDeliveries(db);
  const { rows } = await sql`
    select delivery.subject, delivery.request, event.payload is null as is_erased, count(attempt.number) as attempts
    from alert_deliveries as delivery
      join alert_events as event on event.workspace_id = delivery.workspace_id and event.id = delivery.event_id
      left join delivery_attempts as attempt
        on attempt.workspace_id = delivery.workspace_id and attempt.delivery_id = delivery.id
    where delivery.workspace_id = ${workspaceId}
    group by delivery.subject, delivery.request, event.payload order by delivery.subject`.execute(db);
  expect(rows).toEqual([
    { subject: "6", request: "body", isErased: false, attempts: 1 },
    { subject: "8", request: null, isErased: true, attempts: 1 },
  ]);
  const left = await sql`select from delivery_attempts where workspace_id = ${workspaceId}`.execute(db);
  expect(left.rows).toHaveLength(2);
});
