import type { FastifyReply, FastifyRequest } from "fastify";
import { sql } from "kysely";
import { originAs } from "../auth/origin-of.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { recordSignIn } from "./record-sign-in.ts";

/**
 * Adds a wrong password or code to the audit logs of the user with this address, after the response: its time must tell nothing.
 */
export function recordFailedSignIn(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, method }: { email: string; method: string },
) {
  const act = { action: "sign-in.failed", details: { method } } as const;
  const record = async () => {
    const { rows } = await sql<{ id: UserId; email: string }>`
      select id, email from users where email = ${email}`.execute(db);
    for (const user of rows) await transaction(db, (trx) => recordSignIn(trx, originAs(request, user), act));
  };
  reply.raw.once("close", () => {
    record().catch((err: unknown) => request.log.error({ err }, "failed sign-in not recorded"));
  });
}
