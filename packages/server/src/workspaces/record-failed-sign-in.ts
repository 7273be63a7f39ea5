import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { originAs } from "../auth/origin-of.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { recordSignIn } from "./record-sign-in.ts";

/**
 * Adds a wrong password or code to the audit logs of the user with this address, after the response: its time must tell nothing.
 * A session that asks the user to confirm who it is has the purpose `confirm`.
 */
export function recordFailedSignIn(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, ...details }: { email: string; method: string; purpose?: "confirm" },
) {
  const act = { action: "sign-in.failed", details } as const;
  const record = async () => {
    const { rows } = await sql<{ id: UserId; email: string }>`
      select id, email from users where email = ${email}`.execute(db);
    for (const user of rows) await transaction(db, (trx) => recordSignIn(trx, originAs(request, user), act));
  };
  reply.raw.once("close", () => {
    record().catch((err: unknown) => request.log.error({ err }, "failed sign-in not recorded"));
  });
}
