import type { PasskeyResponse } from "@whytrace/contract/schemas/sign-in/sign-in";
import { sql } from "kysely";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { handleOf } from "./add-passkey.ts";
import { CHALLENGE_MINUTES, issueChallenge, takeChallenge } from "./challenges.ts";
import type { RelyingParty } from "./relying-party.ts";

/** What the browser needs to find a passkey. The same for everybody: no address is asked, and none is told. */
export async function passkeyOptions(db: Database, { id }: RelyingParty) {
  return {
    challenge: await issueChallenge(db, { purpose: "sign-in" }),
    rpId: id,
    allowCredentials: [],
    userVerification: "required",
    timeout: CHALLENGE_MINUTES * 60_000,
  };
}

interface StoredPasskey {
  id: string;
  userId: UserId;
  publicKey: Buffer;
}

/** Whose passkey it is, if the answer to a challenge is right. The challenge is taken in any case. */
export async function usePasskey(
  db: Database,
  relyingParty: RelyingParty,
  answer: PasskeyResponse,
): Promise<UserId | undefined> {
  const challenge = await takeChallenge(db, answer.response.clientDataJSON, { purpose: "sign-in" });
  if (challenge === undefined) return undefined;
  const { rows } = await sql<StoredPasskey>`
    select id, user_id, public_key from passkeys
    where credential_id = ${Buffer.from(answer.id, "base64url")}`.execute(db);
  const [passkey] = rows;
  if (!passkey) return undefined;
  const newCounter = await verifyAnswer(relyingParty, challenge, passkey, answer);
  if (newCounter === undefined) return undefined;
  // The passkey may have been removed meanwhile.
  const { rows: used } = await sql`
    update passkeys set last_used_at = now(), counter = ${newCounter} where id = ${passkey.id}
    returning id`.execute(db);
  return used.length > 0 ? passkey.userId : undefined;
}

async function verifyAnswer(
  { id, origin }: RelyingParty,
  challenge: string,
  { userId, publicKey }: StoredPasskey,
  { response, ...rest }: PasskeyResponse,
): Promise<number | undefined> {
  const { userHandle, ...json } = response;
  if (userHandle && userHandle !== handleOf(userId)) return undefined;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...rest, response: json, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      // Synced passkeys always count 0, so a counter decides nothing.
      credential: { id: rest.id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
