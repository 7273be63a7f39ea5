import { createHash } from "node:crypto";
import type { CliSession } from "@whytrace/contract";
import type { CliCode } from "@whytrace/contract/schemas/sign-in/cli";
import { sql } from "kysely";
import type { Origin } from "../../audit/record-event.ts";
import { hashToken, randomToken } from "../../auth/random-token.ts";
import { copySession, readUser, type SessionUser } from "../../auth/sessions.ts";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import type { MemberSession } from "../../workspaces/member-session.ts";
import { recordSignIn } from "../../workspaces/record-sign-in.ts";

const CODE_MINUTES = 2;

/** Makes a code that starts a session for whoever has the verifier of the challenge. */
export async function createCliCode(
  db: Database,
  { id, user, workspaceId }: Pick<MemberSession, "id" | "user" | "workspaceId">,
  { challenge, name }: { challenge: string; name: string },
): Promise<CliCode> {
  const code = randomToken();
  const { rows } = await sql<{ expiresAt: string }>`
    insert into cli_codes (code_hash, user_id, session_id, workspace_id, challenge, name, expires_at)
    select ${hashToken(code)}, ${user.id}, id, ${workspaceId}, ${Buffer.from(challenge, "base64url")}, ${name},
      now() + ${CODE_MINUTES} * interval '1 minute'
    from sessions where id = ${id} for key share
    returning expires_at`.execute(db);
  return { code, expiresAt: rows[0]?.expiresAt ?? new Date().toISOString() };
}

/**
 * Takes the code and starts a session with what the browser's session has proved: its methods, when the person signed in, and
 * when they last confirmed it. Otherwise a code would make an old sign-in young. Undefined if the code is unknown, used or
 * expired, or if the verifier is not that of the command that asked.
 */
export function useCliCode(
  db: Database,
  { code, verifier }: { code: string; verifier: string },
  originOf: (user: SessionUser) => Origin,
): Promise<CliSession | undefined> {
  return transaction(db, async (trx) => {
    // A code that was shown to somebody without the verifier ends too.
    const { rows } = await sql<{
      userId: UserId;
      sessionId: string;
      challenge: Buffer;
      name: string;
      id: string;
      slug: string;
      workspaceName: string;
    }>`
      with taken as (
        delete from cli_codes where code_hash = ${hashToken(code)} and expires_at > now() returning *
      )
      select taken.user_id, taken.session_id, taken.challenge, taken.name,
        workspaces.id, workspaces.slug, workspaces.name as workspace_name
      from taken
        join workspaces on workspaces.id = taken.workspace_id
        join memberships on memberships.user_id = taken.user_id and memberships.workspace_id = taken.workspace_id`.execute(
      trx,
    );
    const [taken] = rows;
    const digest = createHash("sha256").update(verifier).digest();
    if (!taken?.challenge.equals(digest)) return undefined;
    const session = await copySession(trx, taken.sessionId, `whytrace@${taken.name}`);
    const user = session && (await readUser(trx, taken.userId));
    if (!user) return undefined;
    const workspace = { id: taken.id, slug: taken.slug, name: taken.workspaceName };
    await recordSignIn(trx, originOf(user), { action: "sign-in.succeeded", details: { method: "cli" } });
    return { ...session, user, workspace };
  });
}

/** Ends the codes of a person that no command has exchanged yet. */
export async function deleteCliCodes(trx: Database, userId: UserId): Promise<void> {
  await sql`delete from cli_codes where user_id = ${userId}`.execute(trx);
}

export async function sweepCliCodes(db: Database): Promise<void> {
  await sql`delete from cli_codes where expires_at <= now()`.execute(db);
}
