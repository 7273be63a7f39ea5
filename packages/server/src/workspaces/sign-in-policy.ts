import { sql } from "kysely";
import { type Origin, recordEvent } from "../audit/record-event.ts";
import { policyBlocks, type SignInPolicy } from "../auth/policy-blocks.ts";
import type { Database } from "../db/database.ts";
import { transaction } from "../db/transaction.ts";
import { HttpError } from "../http/http-error.ts";
import { lockMember } from "./lock-workspace.ts";
import type { MemberSession } from "./member-session.ts";

export const UNKNOWN_PROVIDER = "Unknown sign-in provider";
export const NOT_MET = "Your own sign-in does not meet this rule. Sign in that way first.";

/** Sets the policy, unless it would lock out the person who sets it. */
export async function setPolicy(
  db: Database,
  { workspaceId, user, signIn }: MemberSession,
  policy: SignInPolicy,
  { providers, origin }: { providers: readonly { id: string }[]; origin: Origin },
): Promise<void> {
  const { requireSecondFactor, ssoProvider, maxSessionHours } = policy;
  if (ssoProvider !== null && !providers.some(({ id }) => id === ssoProvider))
    throw new HttpError(400, UNKNOWN_PROVIDER);
  if (policyBlocks(policy, signIn) !== null) throw new HttpError(409, NOT_MET);
  await transaction(db, async (trx) => {
    await lockMember(trx, { workspaceId, userId: user.id, needed: "owner" });
    await sql`
      update workspaces set require_second_factor = ${requireSecondFactor}, sso_provider = ${ssoProvider},
        max_session_hours = ${maxSessionHours}
      where id = ${workspaceId}`.execute(trx);
    await recordEvent(trx, workspaceId, origin, {
      action: "workspace.policy-changed",
      details: { requireSecondFactor, ssoProvider, maxSessionHours },
    });
  });
}
