import type { AddedPasskey, NewPasskeyResponse } from "@whytrace/contract/schemas/sign-in/sign-in";
import { sql } from "kysely";
import type { Origin } from "../../audit/record-event.ts";
import type { CurrentSession } from "../../auth/sessions.ts";
import type { UserId } from "../../auth/user-id.ts";
import type { Database } from "../../db/database.ts";
import { HttpError } from "../../http/http-error.ts";
import { addFactor } from "../change-factors.ts";
import { CHALLENGE_MINUTES, issueChallenge, takeChallenge } from "./challenges.ts";
import type { RelyingParty } from "./relying-party.ts";

const MAX_PASSKEYS = 20;
export const TOO_MANY_PASSKEYS = `Passkey limit reached (${MAX_PASSKEYS})`;
export const PASSKEY_REFUSED = "Passkey not accepted";

/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** What the browser needs to create a passkey: one that it can find by itself, with the person verified. */
export async function newPasskeyOptions(
  db: Database,
  relyingParty: RelyingParty,
  { id: sessionId, user }: CurrentSession,
) {
  const known = await readCredentials(db, user.id);
  if (known.length >= MAX_PASSKEYS) throw new HttpError(409, TOO_MANY_PASSKEYS);
  return {
    challenge: await issueChallenge(db, { purpose: "register", sessionId }),
    rp: { id: relyingParty.id, name: "Whytrace" },
    user: { id: handleOf(user.id), name: user.email, displayName: user.name ?? user.email },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: CHALLENGE_MINUTES * 60_000,
    attestation: "none",
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      type: "public-key",
      id: credentialId.toString("base64url"),
      transports,
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
  };
}

/** The person as authenticators store it: the bytes of the id, which say nothing about them. */
export const handleOf = (userId: UserId) =>
  Buffer.from(userId.replaceAll("-", ""), "hex").toString("base64url");

/** Stores a passkey that the browser has created for this session. */
export async function addPasskey(
  { db, relyingParty, origin }: { db: Database; relyingParty: RelyingParty; origin: Origin },
  session: CurrentSession,
  { name, response }: { name: string; response: NewPasskeyResponse },
): Promise<AddedPasskey> {
  const credential = await verifyCreation(db, relyingParty, session, response);
  if (!credential) throw new HttpError(400, PASSKEY_REFUSED);
  const userId = session.user.id;
  const { added, recoveryCodes } = await addFactor(
    db,
    session,
    { method: "passkey", origin },
    async (trx) => {
      if ((await readCredentials(trx, userId)).length >= MAX_PASSKEYS)
        throw new HttpError(409, TOO_MANY_PASSKEYS);
      const { rows } = await sql<{ id: string; name: string; createdAt: string }>`
      insert into passkeys (user_id, credential_id, public_key, counter, transports, rp_id, name)
      values (${userId}, ${Buffer.from(credential.id, "base64url")}, ${Buffer.from(credential.publicKey)},
        ${credential.counter}, ${credential.transports ?? []}::text[], ${relyingParty.id}, ${name})
      on conflict (credential_id) do nothing
      returning id, name, created_at`.execute(trx);
      const [row] = rows;
      if (!row) throw new HttpError(400, PASSKEY_REFUSED);
      return row;
    },
  );
  return { ...added, recoveryCodes };
}

async function verifyCreation(
  db: Database,
  { id, origin }: RelyingParty,
  { id: sessionId }: CurrentSession,
  { response, ...rest }: NewPasskeyResponse,
) {
  const challenge = await takeChallenge(db, response.clientDataJSON, { purpose: "register", sessionId });
  if (challenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { transports = [], clientDataJSON, attestationObject } = response;
  const json = { clientDataJSON, attestationObject, transports };
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...rest, response: json, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined;
  }
}

async function readCredentials(db: Database, userId: UserId) {
  const { rows } = await sql<{ credentialId: Buffer; transports: string[] }>`
    select credential_id, transports from passkeys where user_id = ${userId}`.execute(db);
  return rows;
}
