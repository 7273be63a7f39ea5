import type { SecondFactorMethod } from "@whytrace/contract";
import type { FactorAnswer } from "@whytrace/contract/schemas/sign-in/sign-in";
import type { Encryption } from "../auth/encryption.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import type { RelyingParty } from "./passkeys/relying-party.ts";
import { usePasskey } from "./passkeys/use-passkey.ts";
import { useRecoveryCode } from "./recovery-codes.ts";
import { useTotpCode } from "./totp/totp-secrets.ts";

export interface FactorChecks {
  db: Database;
  encryption: Encryption;
  /** Undefined if passkeys do not work on this host. */
  relyingParty: RelyingParty | undefined;
}

/** Which second factor of the person the answer proves; undefined if none. What it uses cannot be used again. */
export async function checkFactor(
  { db, encryption, relyingParty }: FactorChecks,
  userId: UserId,
  { code, recoveryCode, passkey }: FactorAnswer,
): Promise<SecondFactorMethod | undefined> {
  if (code !== undefined) return (await useTotpCode(db, encryption, userId, code)) ? "totp" : undefined;
  if (recoveryCode !== undefined)
    return (await useRecoveryCode(db, userId, recoveryCode)) ? "recovery" : undefined;
  if (passkey !== undefined && relyingParty)
    return (await usePasskey(db, relyingParty, passkey)) === userId ? "passkey" : undefined;
  return undefined;
}
