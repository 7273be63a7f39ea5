import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { giveWorkspace } from "./give-workspace.ts";

export interface NewPerson {
  email: string;
  name: string | null;
  /** Without one, the person signs in with a provider. */
  passwordHash?: string;
  isVerified: boolean;
  /** Whether the person gets a workspace. */
  hasWorkspace: boolean;
  freeSessionsPerDay: number;
  /** From where. The actor is the person, unless it names another. */
  from: Partial<Origin> & Pick<Origin, "ip" | "userAgent">;
}

/** Creates an account, and the first workspace of its person. Undefined if the address has one, which is left unchanged. */
export async function addPerson(
  trx: Database,
  { email, name, passwordHash, isVerified, hasWorkspace, freeSessionsPerDay, from }: NewPerson,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, name, password_hash, email_verified_at)
    values (${email}, ${name}, ${passwordHash ?? null}, case when ${isVerified} then now() end)
    on conflict (email) do nothing returning id`.execute(trx);
  const [user] = rows;
  if (user && hasWorkspace) {
    const origin = { actor: { kind: "user", id: user.id, name: email } as const, ...from };
    await giveWorkspace(trx, { id: user.id, email, name }, { origin, freeSessionsPerDay });
  }
  return user?.id;
}
