import type { SecondFactorMethod } from "@whytrace/contract";
import { sql } from "kysely";
import type { Database } from "../db/database.ts";
import type { UserId } from "./user-id.ts";

/** What a person can prove who it is with. */
export interface OwnFactors {
  hasPassword: boolean;
  /** Whether an account at a provider is linked. */
  hasIdentity: boolean;
  hasPasskey: boolean;
  hasTotp: boolean;
  recoveryCodesLeft: number;
}

export type WayToConfirm = SecondFactorMethod | "password" | "oidc";

export async function readFactors(db: Database, userId: UserId): Promise<OwnFactors> {
  const { rows } = await sql<OwnFactors>`
    select password_hash is not null as has_password,
      exists (select from user_identities where user_id = users.id) as has_identity,
      exists (select from passkeys where user_id = users.id) as has_passkey,
      exists (select from totp_secrets where user_id = users.id and confirmed_at is not null) as has_totp,
      (select count(*)::integer from recovery_codes where user_id = users.id) as recovery_codes_left
    from users where id = ${userId}`.execute(db);
  return (
    rows[0] ?? {
      hasPassword: false,
      hasIdentity: false,
      hasPasskey: false,
      hasTotp: false,
      recoveryCodesLeft: 0,
    }
  );
}

/** Empty if the person has no second factor: recovery codes alone are none. */
export function secondFactorsOf({
  hasPasskey,
  hasTotp,
  recoveryCodesLeft,
}: OwnFactors): SecondFactorMethod[] {
  if (!hasPasskey && !hasTotp) return [];
  return [
    ...(hasPasskey ? (["passkey"] as const) : []),
    ...(hasTotp ? (["totp"] as const) : []),
    ...(recoveryCodesLeft > 0 ? (["recovery"] as const) : []),
  ];
}
