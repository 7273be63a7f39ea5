import { sql } from "kysely";
import type { Origin } from "../audit/record-event.ts";
import type { UserId } from "../auth/user-id.ts";
import type { Database } from "../db/database.ts";
import { giveWorkspace } from "./give-workspace.ts";

export interface NewPerson extends Pick<Origin, "ip" | "userAgent"> {
  email: string;
  name: string | null;
  /** Whether the person gets a workspace. */
  hasWorkspace: boolean;
  freeSessionsPerDay: number;
}

/** Creates an account without a password, whose address somebody else has verified. Undefined if the address has one. */
export async function addPerson(
  trx: Database,
  { email, name, hasWorkspace, freeSessionsPerDay, ...from }: NewPerson,
): Promise<UserId | undefined> {
  const { rows } = await sql<{ id: UserId }>`
    insert into users (email, name, email_verified_at) values (${email}, ${name}, now())
    on conflict (email) do nothing returning id`.execute(trx);
  const [user] = rows;
  if (user && hasWorkspace) {
    const origin = { actor: { kind: "user", id: user.id, name: email } as const, ...from };
    await giveWorkspace(trx, { id: user.id, email, name }, { origin, freeSessionsPerDay });
  }
  return user?.id;
}
