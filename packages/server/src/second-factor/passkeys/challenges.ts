import { sql } from "kysely";
import { hashToken, randomToken } from "../../auth/random-token.ts";
import type { Database } from "../../db/database.ts";

export const CHALLENGE_MINUTES = 5;

/** What a challenge is for. One for a new passkey is bound to the session that asked. */
type ChallengePurpose = { purpose: "register"; sessionId: string } | { purpose: "sign-in" };

const sessionOf = (of: ChallengePurpose) => (of.purpose === "register" ? of.sessionId : null);

/** Makes a challenge, of which only a hash is stored. */
export async function issueChallenge(db: Database, of: ChallengePurpose): Promise<string> {
  const challenge = randomToken();
  await sql`
    insert into webauthn_challenges (challenge_hash, purpose, session_id, expires_at)
    values (${hashToken(challenge)}, ${of.purpose}, ${sessionOf(of)},
      now() + ${CHALLENGE_MINUTES} * interval '1 minute')`.execute(db);
  return challenge;
}

/**
 * Takes the challenge that an authenticator answered, and returns it. Undefined if it was not asked for this, has expired or
 * was presented before.
 */
export async function takeChallenge(
  db: Database,
  clientDataJSON: string,
  of: ChallengePurpose,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === undefined) return undefined;
  const { rows } = await sql`
    delete from webauthn_challenges
    where challenge_hash = ${hashToken(challenge)} and purpose = ${of.purpose}
      and session_id is not distinct from ${sessionOf(of)}::uuid and expires_at > now()
    returning purpose`.execute(db);
  return rows.length > 0 ? challenge : undefined;
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    if (typeof data !== "object" || data === null || !("challenge" in data)) return undefined;
    return typeof data.challenge === "string" ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

export async function sweepChallenges(db: Database): Promise<void> {
  await sql`delete from webauthn_challenges where expires_at <= now()`.execute(db);
}
